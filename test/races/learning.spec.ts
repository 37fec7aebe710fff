import { afterAll, beforeAll, expect, test } from "vitest";
import { LearningJob } from "../../src/learning/learning.job.js";
import { answered, pendingIn } from "../server/learning/support.js";
import { newWorkspace } from "../server/e2e/support.js";
import type { TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { runs } from "../support/seed.js";
import { on, startTwo, type TwoNodes } from "./support.js";

// What people answer is learned once, whoever resolves what at the same moment.

const ROUNDS = runs(3, 8);

let nodes: TwoNodes;
let tenant: TestTenant;
let clients: [Client, Client];
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  clients = [tenant.live, on(nodes.b, tenant.live)];
});
afterAll(() => nodes.close());

const learnOnBoth = async (): Promise<void> => {
  await nodes.a.db.query(`update learning_due set due_at = now() - interval '1 second'`);
  await Promise.all([nodes.a, nodes.b].map(({ app }) => app.get(LearningJob).tick()));
};
const LESSON = { question: "Do you deliver to Iceland?", replies: ["We deliver to Iceland within 9 days."] };
const together = (works: readonly (() => Promise<unknown>)[]) => Promise.all(works.map((work) => work()));
const resolve = (client: Client, id: string) => client.post(`/api/conversations/${id}/resolve`, {}, 200);

test("resolutions at once make one proposal", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id: workspaceId } = await newWorkspace(clients[0], tenant.defaults.brandId);
    const asked = [];
    for (let i = 0; i < 4; i++) asked.push(await answered(nodes.a, clients[0], workspaceId, LESSON));
    await together(
      asked.map(
        ({ id }, i) =>
          () =>
            resolve(clients[i % 2]!, id),
      ),
    );
    await learnOnBoth();
    const proposed = await pendingIn(clients[0], workspaceId);
    expect(
      proposed.map(({ evidenceCount }) => evidenceCount),
      `round ${round}`,
    ).toEqual([4]);
  }
});

test("one resolution on two processes counts once", async () => {
  const { id: workspaceId } = await newWorkspace(clients[0], tenant.defaults.brandId);
  for (let i = 0; i < 3; i++) {
    const { id } = await answered(nodes.a, clients[0], workspaceId, LESSON);
    await together(clients.flatMap((client) => [() => resolve(client, id), () => resolve(client, id)]));
    await together([learnOnBoth, learnOnBoth]);
  }
  expect(await pendingIn(clients[0], workspaceId)).toMatchObject([{ evidenceCount: 3 }]);
});

test("an erasure at the same moment leaves nothing of the contact", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id: workspaceId } = await newWorkspace(clients[0], tenant.defaults.brandId);
    const [gone, stays] = [
      await answered(nodes.a, clients[0], workspaceId, LESSON),
      await answered(nodes.a, clients[0], workspaceId, LESSON),
    ];
    await resolve(clients[0], gone.id);
    await resolve(clients[0], stays.id);
    await together([learnOnBoth, () => clients[1].post(`/api/contacts/${gone.contactId}/erasure`, {}, 200)]);
    await learnOnBoth();
    const left = await nodes.a.db.query("select from learning_evidence where conversation_id = $1", [gone.id]);
    expect([left, await pendingIn(clients[0], workspaceId)], `round ${round}`).toEqual([[], []]);
  }
});

test("a rejection at the same moment stays one", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { id: workspaceId } = await newWorkspace(clients[0], tenant.defaults.brandId);
    for (let i = 0; i < 2; i++)
      await resolve(clients[0], (await answered(nodes.a, clients[0], workspaceId, LESSON)).id);
    await learnOnBoth();
    const id = (await pendingIn(clients[0], workspaceId))[0]!.id;
    await resolve(clients[0], (await answered(nodes.a, clients[0], workspaceId, LESSON)).id);
    await together([learnOnBoth, () => clients[1].post(`/api/kb-entries/${id}/reject`, {}, 200)]);
    expect(await pendingIn(clients[0], workspaceId), `round ${round}`).toEqual([]);
    expect((await clients[0].get(`/api/kb-entries/${id}`, 200)).body.status).toBe("rejected");
  }
});
