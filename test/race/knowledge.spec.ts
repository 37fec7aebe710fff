import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestTenant } from '../support/app.js';
import { atOnce, on, startTwo, tally, type TwoNodes } from './support.js';

let nodes: TwoNodes;
let tenant: TestTenant;
let list: string;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  list = `/api/workspaces/${tenant.defaults.workspaceId}/kb-entries`;
});
afterAll(() => nodes.close());

const node = (n: number) => on(n % 2 ? nodes.b : nodes.a, tenant.live);
const create = async (body: object): Promise<any> => (await tenant.live.post(list, { answer: 'A', ...body }, 201)).body;

test('edited twenty times at once and approved among them, over two nodes, each edit that was taken is a version, and none came after the approval', async () => {
  const { id } = await create({ question: 'Zero?', status: 'pending' });
  const answers = await atOnce(21, (n) => (n === 10 ? node(n).post(`/api/kb-entries/${id}/approve`) : node(n).patch(`/api/kb-entries/${id}`, { question: `Question ${n}?` })));
  const { 200: taken = 0, 409: refused = 0 } = tally(answers.map(({ status }) => status));
  expect(taken + refused).toBe(21);
  const { body: versions } = await tenant.live.get(`/api/kb-entries/${id}/versions`, 200);
  expect(versions.map(({ version }: any) => version)).toEqual(Array.from({ length: taken }, (_, n) => taken - n));
  const { body: entry } = await tenant.live.get(`/api/kb-entries/${id}`, 200);
  expect(entry).toMatchObject({ status: 'approved', version: taken, question: versions[0].question });
});

test('what one node has answered for is found by the next search on the other, and what it took away is not', async () => {
  const search = async (n: number, q: string): Promise<string[]> => (await node(n).get(`${list}/search?q=${q}`, 200)).body.map(({ entry }: any) => entry.id);
  for (let n = 0; n < 10; n++) {
    const { body: { id } } = await node(n).post(list, { question: `Where is pavilion${n}?`, answer: 'There.' }, 201);
    expect(await search(n + 1, `pavilion${n}`)).toContain(id);
    await node(n + 1).post(`/api/kb-entries/${id}/archive`, undefined, 200);
    expect(await search(n, `pavilion${n}`)).not.toContain(id);
  }
});

test('approved and archived and deleted at once, an entry leaves nothing behind in the index', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await create({ question: `Round ${round}?`, status: 'pending' });
    await atOnce(9, (n) => (n % 3 === 0 ? node(n).post(`/api/kb-entries/${id}/approve`) : n % 3 === 1 ? node(n).post(`/api/kb-entries/${id}/archive`) : node(n).delete(`/api/kb-entries/${id}`)));
    expect(await nodes.a.db.query('select from kb_posting where entry_id = $1', [id])).toEqual([]);
  }
});
