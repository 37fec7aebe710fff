import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../race/support.js';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';

// The blocks of code of the guides, run as they stand there.

const GUIDES = path.join(import.meta.dirname, '../../docs/guides');
const blocks = (guide: string, language: string): string[] =>
  [...fs.readFileSync(path.join(GUIDES, guide), 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code!);

let app: TestApp;
let tenant: TestTenant;
let folder: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-guides-'));
});
afterAll(async () => {
  await app.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('"Build an integration in ten minutes" answers who asks for an order, once, resolves the conversation, and leaves the others', async () => {
  const env = { ...process.env, PARLEY_URL: app.baseUrl, PARLEY_KEY: tenant.live.token, POLL_SECONDS: '0.1' };
  const file = path.join(folder, 'integration.mjs');
  fs.writeFileSync(file, blocks('build-an-integration.md', 'js').join('\n'));
  const other = (await tenant.live.post('/api/conversations', { workspaceId: tenant.defaults.workspaceId, contact: { name: 'Grace' }, message: { body: 'My invoice is wrong' } }, 201)).body;

  const shell = blocks('build-an-integration.md', 'sh').join('\n');
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', shell], { env });
  expect(stdout).toContain('"externalId":"ticket-1001"');
  const { data: [asked] } = (await tenant.live.get('/api/conversations?externalId=ticket-1001', 200)).body;

  const run = async (id: string): Promise<void> => {
    let said = '';
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { said += String(text); });
    await until(() => Promise.resolve(said === `answered ${id}\n`), `the integration has answered ${id} alone`);
    child.kill('SIGKILL');
  };
  await run(asked.id);

  // As if it had been killed between its two steps.
  const half = (await tenant.live.post('/api/conversations', { workspaceId: tenant.defaults.workspaceId, contact: { name: 'Alan' }, message: { body: 'And my order?' } }, 201)).body;
  await tenant.live.post(`/api/conversations/${half.id}/reply`, { body: 'Your order left our warehouse this morning.' }, 200);
  await run(half.id);
  expect((await tenant.live.get(`/api/conversations/${half.id}`, 200)).body).toMatchObject({ status: 'resolved', messageCount: 2 });

  const { data } = (await tenant.live.get(`/api/conversations/${asked.id}/messages`, 200)).body;
  expect(data.map(({ direction, body }: { direction: string; body: string }) => [direction, body])).toEqual([['inbound', 'Hello, where is my order?'], ['outbound', 'Your order left our warehouse this morning.']]);
  expect((await tenant.live.get(`/api/conversations/${asked.id}`, 200)).body).toMatchObject({ resolution: 'answered', waitingSince: null });
  expect((await tenant.live.get(`/api/conversations/${other.id}`, 200)).body).toMatchObject({ status: 'open', messageCount: 1 });
});

test('"Teach it what you know" imports, reviews, finds in other words, expires and corrects, and says what may be done', async () => {
  const teacher = await app.tenant();
  const env = { ...process.env, PARLEY_URL: app.baseUrl, PARLEY_KEY: teacher.live.token };
  await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', blocks('teach-it-what-you-know.md', 'sh').join('\n')], { env, cwd: folder });
  const read = (file: string): any => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));

  const report = read('report.json');
  expect(report).toMatchObject({ imported: 4, failed: 1, errors: [{ line: 6 }], similar: [{ line: 5, question: 'How long does delivery take?', kind: 'contradiction' }] });
  const [first] = read('found.json');
  expect(first.entry.question).toBe('How do I send something back?');
  const { data } = (await teacher.live.get(`/api/workspaces/${teacher.defaults.workspaceId}/kb-entries`, 200)).body;
  expect(data.map(({ question, status, version }: any) => [question, status, version]).sort()).toEqual([
    ['Do you deliver to Norway?', 'approved', 2], ['How do I send something back?', 'approved', 1], ['How do I send something back?', 'archived', 1],
    ['How long does delivery take?', 'approved', 1], ['Is there a winter sale?', 'approved', 1], ['how long does delivery take', 'rejected', 1],
  ]);
  const corrected = read('corrected.json');
  expect(corrected.similar).toMatchObject([{ kbEntryId: first.entry.id, kind: 'contradiction' }]);
  const { body: [now] } = await teacher.live.get(`/api/workspaces/${teacher.defaults.workspaceId}/kb-entries/search?q=how+can+I+return+it`, 200);
  expect(now.entry.id).toBe(corrected.id);

  expect(read('policies.json')).toMatchObject({ imported: 2, failed: 1, errors: [{ line: 4 }], similar: [] });
  expect(fs.readFileSync(path.join(folder, 'effects.txt'), 'utf8')).toBe('allow\nrequire_approval\n');
  expect(read('decision.json')).toMatchObject({ effect: 'deny', reason: 'No gift cards: order.paidWith is "gift-card"' });
});

test('"Put the chat on your page" gives the line of script, sets colours and pages, writes and reads as a visitor, and knows who is signed', async () => {
  const shop = await app.tenant();
  const env = { ...process.env, PARLEY_URL: app.baseUrl, PARLEY_KEY: shop.live.token };
  const at = fs.mkdtempSync(path.join(folder, 'chat-'));
  fs.writeFileSync(path.join(at, 'identity.mjs'), blocks('put-the-chat-on-your-page.md', 'js').join('\n'));
  const { stdout } = await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', `${blocks('put-the-chat-on-your-page.md', 'sh').join('\n')}\nnode --input-type=module -e 'import { identityOf } from "./identity.mjs"; console.log("jwt " + identityOf({ id: "customer-7", name: "Ada" }, process.argv[1]))' "$SECRET"`], { env, cwd: at });
  const read = (file: string): any => JSON.parse(fs.readFileSync(path.join(at, file), 'utf8'));
  const key = /data-key="(wc_[\w-]+)"/.exec(fs.readFileSync(path.join(at, 'line.html'), 'utf8'))![1]!;
  expect(read('settings.json')).toMatchObject({ type: 'webchat', address: key, settings: { colour: '#0f766e', requireIdentity: false } });
  expect(read('thread.json').data.map(({ direction, body }: any) => [direction, body])).toEqual([['outbound', 'Aye, two of them.'], ['inbound', 'Do you have Moby-Dick?']]);
  expect(read('credentials.json')).toMatchObject({ hasCredentials: true });
  const { body } = await app.client().post(`/api/public/webchat/${key}/sessions`, { identity: /jwt (\S+)/.exec(stdout)![1] }, 200);
  expect(body).toMatchObject({ signed: true, title: 'Harbour Books' });
});
