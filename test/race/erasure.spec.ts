import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recordIdentityEvent } from '../../src/identity/identity-event.js';
import { build } from '../process/support.js';
import type { TestApp, TestTenant } from '../support/app.js';
import { Client } from '../support/client.js';
import { startProcess } from './processes.js';
import { atOnce, connect, on, startTwo, tablesWith, tally, type TwoNodes, until } from './support.js';

vi.setConfig({ testTimeout: 120_000 });

let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let workspaceId: string;
beforeAll(async () => {
  await build();
  nodes = await startTwo();
  app = nodes.a;
  tenant = await app.tenant();
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => nodes.close());

interface Person { needle: string; phone: string; contactId: string; conversationId: string; messageId: string }

async function person(prefix: string, index: number): Promise<Person> {
  const needle = `${prefix}-${index}-`;
  const phone = `+4930${prefix.length}${String(100_000 + index)}`;
  const { body: contact } = await tenant.live.post('/api/contacts', { name: needle, externalId: needle, emails: [`${needle}@example.com`], phones: [phone] }, 201);
  const { body } = await tenant.live.post('/api/conversations', { workspaceId, contactId: contact.id, externalId: needle, subject: needle, message: { body: needle } }, 201);
  const { body: messages } = await tenant.live.get(`/api/conversations/${body.id}/messages`, 200);
  return { needle, phone, contactId: contact.id, conversationId: body.id, messageId: messages.data[0].id };
}

const key = (): { headers: Record<string, string> } => ({ headers: { 'idempotency-key': randomUUID() } });
const record = (node: TestApp, { conversationId, contactId, phone }: Person, ofPhone: boolean): Promise<boolean> =>
  node.transaction(tenant.tenantId, (tx) => recordIdentityEvent(tx, { conversationId, transitionKey: randomUUID() }, ofPhone
    ? { eventType: 'ani_blocked', scopeDimension: 'caller_ani', scopeValues: [phone] }
    : { eventType: 'verification_agent_context_used', factorBoundToPrincipal: contactId, evidenceRef: 'tool:x' }));

test('a hundred erasures under thirty writers on two nodes leave no row and no word of anybody, in no table and no answer', async () => {
  const people = await Promise.all(Array.from({ length: 100 }, (_, index) => person('racer', index)));
  const sent: { path: string; body: object; headers: Record<string, string> }[] = [];
  const statuses: number[] = [];
  let events = 0;
  let erasing = true;

  const write = async (node: TestApp, client: Client, one: Person): Promise<void> => {
    const { needle, conversationId, contactId, messageId } = one;
    const post = async (path: string, body: object): Promise<void> => {
      const options = key();
      statuses.push((await client.post(path, body, undefined, options)).status);
      sent.push({ path, body, ...options });
    };
    switch (Math.floor(Math.random() * 8)) {
      case 0: return post(`/api/conversations/${conversationId}/messages`, { body: needle, externalId: `${needle}${Math.floor(Math.random() * 3)}` });
      case 1: return post(`/api/conversations/${conversationId}/reply`, { body: needle, clientMessageId: `${needle}${randomUUID()}` });
      case 2: return post(`/api/conversations/${conversationId}/notes`, { body: needle });
      case 3: return post('/api/conversations', { workspaceId, contactId, subject: needle, metadata: { needle }, message: { body: needle } });
      case 4: return post('/api/conversations', { workspaceId, contactId, externalId: needle, message: { body: needle } });
      case 5: return post(`/api/workspaces/${workspaceId}/kb-entries`, { question: needle, answer: needle, status: 'pending', evidence: [{ conversationId, messageId }] });
      default: if (await record(node, one, Math.random() < 0.5)) events++;
    }
  };
  const writers = atOnce(30, async (index) => {
    const node = index % 2 ? nodes.a : nodes.b;
    const client = on(node, tenant.live);
    while (erasing) await write(node, client, people[Math.floor(Math.random() * people.length)]!);
  });

  const queue = [...people];
  const erased = await atOnce(10, async (index) => {
    const client = on(index % 2 ? nodes.b : nodes.a, tenant.live);
    const mine: number[] = [];
    for (let one = queue.pop(); one; one = queue.pop()) mine.push((await client.post(`/api/contacts/${one.contactId}/erasure`, undefined, undefined, key())).status);
    return mine;
  }).finally(() => { erasing = false; });
  await writers;

  expect(tally(erased.flat())).toEqual({ 200: 100 });
  const answers = tally(statuses);
  expect(Object.keys(answers).filter((status) => !['200', '201', '404', '409'].includes(status)), JSON.stringify(answers)).toEqual([]);
  expect(events, 'writers got through before the erasures').toBeGreaterThan(0);
  expect(answers[409], 'and were refused after them').toBeGreaterThan(0);

  expect(await tablesWith(app.db, 'racer')).toEqual({});
  expect(await app.db.query('select 1 from identity_event')).toEqual([]);
  expect(await app.db.query(`select 1 from contact where erased_at is null and id = any($1)`, [people.map(({ contactId }) => contactId)])).toEqual([]);
  expect(await app.db.query(`select 1 from conversation where redacted_at is null`)).toEqual([]);
  for (const path of ['/api/contacts', '/api/conversations', `/api/workspaces/${workspaceId}/kb-entries/pending`, `/api/workspaces/${workspaceId}/kb-entries`]) {
    expect((await tenant.live.get(`${path}${path.endsWith('pending') ? '' : '?limit=100'}`, 200)).text).not.toContain('racer');
  }
  for (const { conversationId } of people.slice(0, 20)) {
    expect((await tenant.live.get(`/api/conversations/${conversationId}/messages?limit=100`, 200)).text).not.toContain('racer');
  }
  for (const { path, body, headers } of sent.slice(-100)) expect((await tenant.live.post(path, body, undefined, { headers })).text).not.toContain('racer');
});

test('an erasure whose process is killed in the middle has not happened, and done again is whole', async () => {
  const one = await person('killed', 1);
  await record(app, one, false);
  await record(app, one, true);
  const before = await tablesWith(app.db, 'killed');
  const server = await startProcess(app.db);
  const lock = await connect(app.db);
  try {
    // Its addresses are what goes last.
    await lock.query('begin');
    await lock.query('select from contact_point where contact_id = $1 for update', [one.contactId]);
    const cutOff = new Client(server.baseUrl, tenant.live.token).post(`/api/contacts/${one.contactId}/erasure`).catch((error: unknown) => error);
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from contact_point%'`;
    const [{ pid }] = await until(() => app.db.query<{ pid: number }>(waiting), 'the erasure waits for the lock') as [{ pid: number }];
    await server.kill();
    expect(await cutOff).toBeInstanceOf(Error);
    await lock.query('rollback');
    await until(async () => !(await app.db.query('select 1 from pg_stat_activity where pid = $1', [pid])).length, 'the database has noticed');
  } finally {
    await lock.end();
    await server.kill();
  }
  expect(await tablesWith(app.db, 'killed')).toEqual(before);
  expect(await app.db.query('select 1 from erased_contact where id = $1', [one.contactId])).toEqual([]);
  expect((await tenant.live.get(`/api/contacts/${one.contactId}`, 200)).body).toMatchObject({ name: one.needle, phones: [{ value: one.phone }] });
  expect((await tenant.live.get(`/api/conversations/${one.conversationId}/identity-events`, 200)).body.events).toHaveLength(2);
  expect((await tenant.live.post(`/api/contacts/${one.contactId}/erasure`, undefined, 200)).body.erased).toMatchObject({ contacts: 1, contactPoints: 2, identityEvents: 2 });
  expect(await tablesWith(app.db, 'killed')).toEqual({});
  expect(await tablesWith(app.db, one.phone)).toEqual({});
});

test('two that lock each other\'s way are both done: the one that PostgreSQL ends is run again', async () => {
  const [a, b] = [await person('crossing', 1), await person('crossing', 2)];
  let arrived = 0;
  let go!: () => void;
  const both = new Promise<void>((resolve) => { go = resolve; });
  const cross = (first: Person, second: Person): Promise<number> => {
    let attempts = 0;
    return app.transaction(tenant.tenantId, async (tx) => {
      attempts++;
      await tx.query('select id from contact where tenant_id = :tenant and id = :id for update', { id: first.contactId });
      if (++arrived === 2) go();
      await both;
      await tx.query('select id from contact where tenant_id = :tenant and id = :id for update', { id: second.contactId });
      return attempts;
    });
  };
  const attempts = await Promise.all([cross(a, b), cross(b, a)]);
  // Once at least; the one that was ended may come to its lock first again.
  expect(Math.max(...attempts)).toBeGreaterThan(1);
});
