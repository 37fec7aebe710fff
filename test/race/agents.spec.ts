import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestTenant } from '../support/app.js';
import { atOnce, on, startTwo, tally, type TwoNodes } from './support.js';

let nodes: TwoNodes;
let tenant: TestTenant;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
});
afterAll(() => nodes.close());

const node = (n: number) => on(n % 2 ? nodes.b : nodes.a, tenant.live);
const create = async (body: object = {}): Promise<string> => (await tenant.live.post('/api/agents', { name: 'A', instructions: 'Zero', workspaceIds: [tenant.defaults.workspaceId], ...body }, 201)).body.id;

test('instructed twenty times at once, over two nodes, an agent has each version once, and the newest counts', async () => {
  const id = await create();
  expect(tally((await atOnce(20, (n) => node(n).put(`/api/agents/${id}/instructions`, { instructions: `Version ${n}` }))).map(({ status }) => status))).toEqual({ 200: 20 });
  const { body: versions } = await tenant.live.get(`/api/agents/${id}/instructions/versions`, 200);
  expect(versions.map(({ version }: any) => version)).toEqual(Array.from({ length: 21 }, (_, n) => 21 - n));
  expect(new Set(versions.map(({ instructions }: any) => instructions)).size).toBe(21);
  expect((await tenant.live.get(`/api/agents/${id}`, 200)).body).toMatchObject({ instructions: versions[0].instructions, instructionsVersion: 21 });
});

test('tools and guardrails that are changed at once never leave a guardrail about a tool that the agent has not got', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await create({ tools: ['a', 'b'] });
    await atOnce(2, (n) => node(n + round).patch(`/api/agents/${id}`, n ? { tools: ['b'] } : { guardrails: [{ name: 'G', effect: 'deny', tools: ['a'] }] }));
    const { tools, guardrails } = (await tenant.live.get(`/api/agents/${id}`, 200)).body;
    expect([[['a', 'b'], 1], [['b'], 0]]).toContainEqual([tools, guardrails.length]);
  }
});

test('deleted and changed at once, an agent is gone, and nothing of it is left', async () => {
  const id = await create();
  const answers = await atOnce(12, (n) => (n % 3 === 0 ? node(n).delete(`/api/agents/${id}`) : n % 3 === 1 ? node(n).put(`/api/agents/${id}/instructions`, { instructions: `Version ${n}` }) : node(n).patch(`/api/agents/${id}`, { workspaceIds: [tenant.defaults.workspaceId] })));
  expect(answers.filter(({ status }, n) => n % 3 === 0 && status === 200)).toHaveLength(1);
  for (const { status } of answers) expect([200, 404]).toContain(status);
  for (const table of ['agent_instructions', 'agent_workspace']) expect(await nodes.a.db.query(`select from ${table} where agent_id = $1`, [id])).toEqual([]);
});
