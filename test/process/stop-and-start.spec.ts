import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { start, walk } from '../e2e/support.js';
import type { Answer, Client } from '../support/client.js';
import { build, cleanUp, type Credentials, credentials, main, newFolder, parley, postgresOf, processesOn, type Server, startServer, superuser, until } from './support.js';

// One data folder, through stops of every kind: what was answered is there after each of them.

let dataDir: string;
let printed: Credentials;
let server: Server;
let live: Client;
let workspaceId: string;
beforeAll(async () => {
  await build();
  dataDir = path.join(newFolder(), 'data');
  server = await startServer({ DATA_DIR: dataDir });
  printed = credentials(server);
});
afterAll(cleanUp);
/** Whatever a test left behind, the next one finds a server. */
beforeEach(async () => {
  if (!(await listens())) server = await startServer({ DATA_DIR: dataDir });
  live = server.client(printed.live);
  workspaceId = (await live.get('/api/workspaces', 200)).body[0].id;
});

const content = async (): Promise<string> => JSON.stringify([await walk(live, '/api/conversations'), await walk(live, '/api/contacts'), await walk(live, `/api/workspaces/${workspaceId}/kb-entries`)]);
const restart = async (): Promise<void> => {
  server = await startServer({ DATA_DIR: dataDir });
  live = server.client(printed.live);
};
function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
/** Whether the server still takes connections. */
const listens = (): Promise<boolean> => fetch(`${server.address}/healthz`).then(() => true, () => false);

/** Sends a request that is under way until it is let go: it waits for a row that somebody else holds. */
async function requestUnderWay(): Promise<{ answer: Promise<Answer>; letGo: () => Promise<void> }> {
  const conversation = await start(live, workspaceId);
  const holder = await superuser(dataDir);
  await holder.query('begin');
  await holder.query('select from conversation where id = $1 for update', [conversation.id]);
  const answer = live.post(`/api/conversations/${conversation.id}/messages`, { body: 'Just in time' }, 201);
  answer.catch(() => undefined);
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await until(async () => (await holder.query(waits)).rowCount! > 0, () => 'the request was under way');
  return { answer, letGo: async () => { await holder.query('rollback'); await holder.end(); } };
}

describe('SIGTERM', () => {
  test('ends the server with 0 and PostgreSQL with it, in silence; the second start keeps the data and prints no credentials', async () => {
    const before = await content();
    const postgres = postgresOf(dataDir);
    const { stdout, stderr } = server.output();
    // The requests before have left connections open.
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null, stdout, stderr });
    // Not only soon: when the server has ended, the folder is free.
    expect([alive(postgres), processesOn(dataDir)]).toEqual([false, []]);

    await restart();
    expect(server.output().stdout.split('\n').map((line) => line.trim()).filter(Boolean)).toEqual([
      `Parley is ready at ${server.address}`, `API documentation  ${server.address}/docs`, `Database           embedded, in ${dataDir}`,
    ]);
    expect(server.output().stdout + server.output().stderr).not.toMatch(/svc_|password/);
    expect(await content()).toBe(before);
    await server.client().login(printed.email, printed.password);
    await server.client(printed.test).get('/api/workspaces', 200);
  });

  test('lets a request under way be answered, while no new one is taken, and what it did stays', async () => {
    const { answer, letGo } = await requestUnderWay();
    server.kill('SIGTERM');
    await until(async () => !(await listens()), () => 'the server took no more');
    await letGo();
    const { body: message } = await answer;
    expect(await server.end()).toMatchObject({ code: 0, signal: null });
    await restart();
    expect((await live.get(`/api/conversations/${message.conversationId}/messages`, 200)).body.data).toEqual([message]);
  });
});

test('Ctrl-C under npm, which comes twice since npm hands it on, ends it in order all the same', async () => {
  const { answer, letGo } = await requestUnderWay();
  server.kill('SIGINT');
  await until(async () => !(await listens()), () => 'the server took no more');
  server.kill('SIGINT');
  await letGo();
  expect((await answer).status).toBe(201);
  expect(await server.end()).toMatchObject({ code: 0, signal: null });
  expect(processesOn(dataDir)).toEqual([]);
});

describe('kill -9', () => {
  test('of the server: PostgreSQL ends too, and the next start recovers with all that was answered, and nothing of what was not', async () => {
    const { id } = await start(live, workspaceId, { message: { body: 'Before the end' } });
    const { answer, letGo } = await requestUnderWay();
    const before = await content();
    const postgres = postgresOf(dataDir);
    server.kill('SIGKILL');
    // At once, as a supervisor does: the start waits for what is left of the one before.
    await restart();
    expect(alive(postgres)).toBe(false);
    await expect(answer).rejects.toThrow('fetch failed');
    await letGo().catch(() => undefined);
    expect(await content()).toBe(before);
    expect((await live.get(`/api/conversations/${id}`, 200)).body.lastMessagePreview).toBe('Before the end');
    expect(server.output().stdout).not.toMatch(/svc_/);
    await server.client().login(printed.email, printed.password);
  });

  test('of PostgreSQL under the server: 503 with the reason, alive all the while, and a new start recovers', async () => {
    const before = await content();
    process.kill(postgresOf(dataDir), 'SIGKILL');
    const { body } = await until(async () => {
      const answer = await server.client().get('/readyz');
      return answer.status === 503 && answer;
    }, () => 'readyz said so');
    expect(body).toEqual({ error: 'The database cannot be reached' });
    expect((await live.get('/api/conversations', 503)).body).toEqual({ error: expect.any(String) });
    expect((await server.client().get('/healthz', 200)).body).toEqual({ ok: true });
    expect(await server.end('SIGTERM')).toMatchObject({ signal: null });
    await restart();
    expect(await content()).toBe(before);
  });
});

test('a signal during the start ends it, and PostgreSQL with it', async () => {
  await server.end('SIGTERM');
  const run = main({ DATA_DIR: dataDir, PORT: 0 });
  await until(() => /PostgreSQL runs on/.test(run.output().stderr), () => 'PostgreSQL ran');
  await run.end('SIGTERM');
  await until(() => !processesOn(dataDir).length, () => 'PostgreSQL had ended');
});

test('the command line without a server brings the database up for itself, and down again; a server started after it finds no empty database to fill', async () => {
  const other = path.join(newFolder(), 'data');
  const { code, stdout } = await parley(['tenant', 'create', '--name', 'Alone Ltd', '--owner-email', 'alone@example.com', '--json'], { DATA_DIR: other });
  expect({ code, running: processesOn(other) }).toEqual({ code: 0, running: [] });
  const { tenantId, testTenantId, apiKeys, defaults } = JSON.parse(stdout);
  const own = await startServer({ DATA_DIR: other });
  expect(own.output().stdout).not.toMatch(/svc_|password|Sign in/);
  expect((await own.client(apiKeys.live).get('/api/workspaces', 200)).body).toMatchObject([{ id: defaults.workspaceId }]);
  const client = await superuser(other);
  expect((await client.query('select id from tenant order by id')).rows.map(({ id }) => id)).toEqual([tenantId, testTenantId].toSorted());
  await client.end();
});
