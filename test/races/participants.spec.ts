import { afterAll, beforeAll, expect, test } from "vitest";
import { ParticipantsService } from "../../src/conversations/participants/participants.service.js";
import type { TestApp, TestTenant } from "../support/app.js";
import { concurrently, on, startTwo, tally, type TwoNodes } from "./support.js";

let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let id: string;
const GRACE = "grace@example.com";
const nodeOf = (index: number): TestApp => (index % 2 ? nodes.b : nodes.a);

beforeAll(async () => {
  nodes = await startTwo();
  app = nodes.a;
  tenant = await app.tenant();
  const owner = await tenant.owner();
  const { workspaceId } = tenant.defaults;
  const { body: channel } = await owner.post(
    `/api/workspaces/${workspaceId}/channels`,
    {
      type: "email",
      name: "Mailbox",
      address: "support@example.com",
      settings: { smtp: { host: "smtp.invalid", port: 465 } },
      credentials: { username: "support", password: "secret" },
    },
    201,
  );
  const { body } = await tenant.live.post(
    "/api/conversations",
    { workspaceId, channelId: channel.id, contact: { emails: ["ada@example.com"] }, message: { body: "Hello" } },
    201,
  );
  id = body.id;
});
afterAll(() => nodes.close());

test("somebody who is added many times at once takes part once", async () => {
  const answers = await concurrently(8, (index) =>
    on(nodeOf(index), tenant.live).post(`/api/conversations/${id}/participants`, { address: GRACE }),
  );
  expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 7, 201: 1 });
  const { body } = await tenant.live.get(`/api/conversations/${id}/participants`, 200);
  expect(body).toMatchObject([{ address: GRACE }]);
  expect(new Set(answers.map((answer) => (answer.body as { id: string }).id))).toEqual(new Set([body[0]!.id]));
});

test("answers of one participant that come in at once are of one contact", async () => {
  const writers = await concurrently(8, (index) => {
    const node = nodeOf(index);
    return node.transaction(tenant.tenantId, (tx) =>
      node.app
        .get(ParticipantsService)
        .writer(tx, id, tenant.defaults.workspaceId, { address: GRACE, name: `Grace ${index}` }),
    );
  });
  expect(new Set(writers).size).toBe(1);
  const { body } = await tenant.live.get(`/api/conversations/${id}/participants`, 200);
  expect(body).toMatchObject([{ contactId: writers[0] }]);
  expect(await app.db.query("select 1 from contact_point where value = $1", [GRACE])).toHaveLength(1);
});
