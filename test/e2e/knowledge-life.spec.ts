import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp, type TestTenant } from '../support/app.js';
import { newWorkspace } from './support.js';

let app: TestApp;
let tenant: TestTenant;
let list: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  list = `/api/workspaces/${tenant.defaults.workspaceId}/kb-entries`;
});
afterAll(() => app.close());

const create = async (body: object = {}): Promise<any> => {
  const { similar: _, ...entry } = (await tenant.live.post(list, { question: 'Q', answer: 'A', status: 'pending', ...body }, 201)).body;
  return entry;
};
const read = async (id: string): Promise<any> => (await tenant.live.get(`/api/kb-entries/${id}`, 200)).body;
const versions = async (id: string): Promise<any> => (await tenant.live.get(`/api/kb-entries/${id}/versions`, 200)).body;

const MOVES = {
  approve: (id: string, status: number) => tenant.live.post(`/api/kb-entries/${id}/approve`, undefined, status),
  reject: (id: string, status: number) => tenant.live.post(`/api/kb-entries/${id}/reject`, {}, status),
  archive: (id: string, status: number) => tenant.live.post(`/api/kb-entries/${id}/archive`, undefined, status),
  edit: (id: string, status: number) => tenant.live.patch(`/api/kb-entries/${id}`, { answer: 'B' }, status),
  delete: (id: string, status: number) => tenant.live.delete(`/api/kb-entries/${id}`, status),
};
type Move = keyof typeof MOVES;
const IN: Record<string, Move[]> = { pending: [], approved: ['approve'], rejected: ['reject'], archived: ['approve', 'archive'] };
const TO: Record<string, Partial<Record<Move, string>>> = {
  pending: { approve: 'approved', reject: 'rejected', edit: 'pending', delete: 'gone' },
  approved: { archive: 'archived', delete: 'gone' },
  rejected: { delete: 'gone' },
  archived: { delete: 'gone' },
};

const cases = Object.keys(IN).flatMap((state) => (Object.keys(MOVES) as Move[]).map((move) => [state, move, TO[state]![move] ?? 'refused'] as const));
test.each(cases)('from %s, %s: %s', async (state, move, to) => {
  const { id } = await create();
  for (const earlier of IN[state]!) await MOVES[earlier](id, 200);
  const before = await read(id);
  expect(before.status).toBe(state);
  await MOVES[move](id, to === 'refused' ? 409 : 200);
  if (to === 'gone') await tenant.live.get(`/api/kb-entries/${id}`, 404);
  else if (to === 'refused') expect(await read(id)).toEqual(before);
  else expect((await read(id)).status).toBe(to);
});

test('an edit becomes the next version, and those before are kept with who wrote them and why', async () => {
  const owner = await tenant.owner();
  const [key, me] = await Promise.all([tenant.live, owner].map(async (client) => (await client.get('/api/me', 200)).body.id));
  const { id } = await create({ question: 'One?', labels: ['a'], validUntil: '2030-01-01T00:00:00.000Z' });
  const { body } = await owner.patch(`/api/kb-entries/${id}`, { question: 'Two?', validUntil: null, reason: 'It was one' }, 200);
  expect(body).toMatchObject({ question: 'Two?', answer: 'A', labels: ['a'], validUntil: null, version: 2, status: 'pending' });
  await tenant.live.patch(`/api/kb-entries/${id}`, { alternateQuestions: ['Three?'], labels: [] }, 200);
  const common = { answer: 'A' };
  expect(await versions(id)).toEqual([
    { ...common, version: 3, question: 'Two?', alternateQuestions: ['Three?'], labels: [], validUntil: null, changedBy: key, reason: null },
    { ...common, version: 2, question: 'Two?', alternateQuestions: [], labels: ['a'], validUntil: null, changedBy: me, reason: 'It was one' },
    { ...common, version: 1, question: 'One?', alternateQuestions: [], labels: ['a'], validUntil: '2030-01-01T00:00:00.000Z', changedBy: key, reason: null },
  ]);
});

describe('an import', () => {
  const send = async (format: string, content: string, status = 200): Promise<any> => (await tenant.live.post(`${list}/import`, { format, content }, status)).body;

  test('of 10,000 lines brings in the good ones and names each bad one', async () => {
    const bad: Record<number, string> = {
      3: '{', 50: '[]', 77: '{"question":"Q"}', 500: '{"question":"","answer":"A"}', 501: '{"question":"Q","answer":7}', 502: '{"question":"Q","answer":"A","language":"english"}',
      503: '{"question":"Q","answer":"A","validUntil":"soon"}', 504: '{"question":"Q","answer":"A","status":"rejected"}', 505: '{"question":"Q","answer":"A","colour":"red"}',
      506: '{"question":"Q\\u0000","answer":"A"}', 507: '{"question":"Q","answer":"A","labels":"x"}', 9999: 'null',
    };
    const before = (await app.db.query<{ n: number }>('select count(*)::int as n from kb_entry'))[0]!.n;
    const report = await send('ndjson', Array.from({ length: 10_000 }, (_, i) => bad[i + 1] ?? `{"question":"Item ${i + 1}?","answer":"It is ${i + 1}"}`).join('\n'));
    expect(report).toMatchObject({ imported: 9_988, failed: 12 });
    expect(report.errors.map(({ line }: any) => line)).toEqual(Object.keys(bad).map(Number));
    for (const { error } of report.errors) expect(error).toMatch(/\w+ \w+/);
    expect((await app.db.query<{ n: number }>('select count(*)::int as n from kb_entry'))[0]!.n).toBe(before + 9_988);
    const { body } = await tenant.live.get(`${list}/search?q=item%204711`, 200);
    expect(body[0].entry).toMatchObject({ question: 'Item 4711?', source: 'import', status: 'approved' });
  }, 60_000);

  test('takes CSV with a header, quotes, lists, and says on which line an entry begins', async () => {
    const report = await send('csv', 'question,answer,alternateQuestions,status\n"Does it\nfit?",Yes,Is it small?|Is it big?,pending\nToo,few\n,No,,\nLast?,Yes,,\n');
    expect(report).toMatchObject({ imported: 2, failed: 2 });
    expect(report.errors.map(({ line }: any) => line)).toEqual([4, 5]);
    const { body } = await tenant.live.get(`${list}?limit=2`, 200);
    expect(body.data).toContainEqual(expect.objectContaining({ question: 'Does it\nfit?', alternateQuestions: ['Is it small?', 'Is it big?'], status: 'pending', source: 'import' }));
    await send('csv', 'question,colour\nQ,red', 400);
    await send('xml', '<a/>', 400);
  });

  test.each(['csv', 'ndjson'])('takes what an export gives, as %s: it is all there again', async (format) => {
    const fields = ({ question, answer, alternateQuestions, language, labels, validUntil, status }: any) => ({ question, answer, alternateQuestions, language, labels, validUntil, status });
    const [from, to] = [await newWorkspace(tenant.live, tenant.defaults.brandId), await newWorkspace(tenant.live, tenant.defaults.brandId)];
    const given = [
      { question: 'A "quoted", one', answer: 'Two\nlines', alternateQuestions: ['a|b', 'c, d'], labels: ['x'], status: 'pending', validUntil: '2030-01-01T00:00:00.000Z' },
      { question: '[x', answer: 'A', alternateQuestions: ['one', 'two'], language: 'fr' },
    ];
    for (const entry of given) await tenant.live.post(`/api/workspaces/${from.id}/kb-entries`, entry, 201);
    const { body } = await tenant.live.get(`/api/workspaces/${from.id}/kb-entries/export?format=${format}`, 200);
    expect((await tenant.live.post(`/api/workspaces/${to.id}/kb-entries/import`, body, 200)).body).toEqual({ imported: 2, failed: 0, errors: [], similar: [] });
    const [before, after] = await Promise.all([from, to].map(async ({ id }) => (await tenant.live.get(`/api/workspaces/${id}/kb-entries`, 200)).body.data.map(fields)));
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after).toHaveLength(2);
  });
});
