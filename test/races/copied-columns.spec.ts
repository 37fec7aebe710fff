import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestTenant } from "../support/app.js";
import { runs } from "../support/seed.js";
import { concurrently, on, startTwo, type TwoNodes } from "./support.js";

let nodes: TwoNodes;
let tenant: TestTenant;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
});
afterAll(() => nodes.close());

test("a conversation shows its contact's account, however its start, a change of account and a merge cross", async () => {
  const { live } = tenant;
  const { workspaceId } = tenant.defaults;
  const accounts = await concurrently(
    3,
    async (n) => (await live.post("/api/accounts", { name: `${n}` }, 201)).body.id,
  );
  for (let round = 0; round < runs(2, 4); round++) {
    const [contact, other] = await concurrently(2, async (n) => {
      const { id } = (await live.post("/api/contacts", { name: "Ada" }, 201)).body;
      await live.put(`/api/contacts/${id}/account`, { accountId: accounts[n] }, 200);
      return id;
    });
    const start = (node: number, contactId: string) =>
      on(node % 2 ? nodes.b : nodes.a, live).post("/api/conversations", { workspaceId, contactId });
    await start(0, other!);
    const answers = await concurrently(16, async (n) => {
      if (n % 4 === 1) return on(nodes.b, live).put(`/api/contacts/${contact}/account`, { accountId: accounts[n % 3] });
      if (n === 10) return live.post(`/api/contacts/${contact}/merge`, { sourceContactId: other });
      return start(n, n % 4 === 2 ? other! : contact!);
    });
    expect(answers.filter(({ status }) => ![200, 201, 404, 409].includes(status))).toEqual([]);
    const wrong = await nodes.a.db.query(
      `select c.id, c.account_id, k.account_id as of_contact from conversation c
      join contact k on k.tenant_id = c.tenant_id and k.id = c.contact_id
      where c.tenant_id = $1 and (c.account_id is distinct from k.account_id or c.channel_type is distinct from 'api')`,
      [tenant.tenantId],
    );
    expect(wrong).toEqual([]);
  }
});

test("removing a contact's account is shown by their conversations at once, also to callers that poll", async () => {
  const { live } = tenant;
  const account = (await live.post("/api/accounts", { name: "Analytical Engines" }, 201)).body.id;
  const contact = (await live.post("/api/contacts", { name: "Ada" }, 201)).body.id;
  await live.put(`/api/contacts/${contact}/account`, { accountId: account }, 200);
  const { workspaceId } = tenant.defaults;
  const { id } = (await live.post("/api/conversations", { workspaceId, contactId: contact }, 201)).body;
  const before = await live.get(`/api/conversations/${id}`, 200);
  expect(before.body.accountId).toBe(account);
  await live.delete(`/api/contacts/${contact}/account`, 200);
  const headers = { "if-none-match": before.headers.get("etag")! };
  expect((await live.get(`/api/conversations/${id}`, 200, { headers })).body.accountId).toBeNull();
});

test("a deleted account has no contacts left, however its deletion, links and a merge cross", async () => {
  const { live } = tenant;
  const { workspaceId } = tenant.defaults;
  for (let round = 0; round < runs(3, 6); round++) {
    const account = (await live.post("/api/accounts", { name: "Analytical Engines" }, 201)).body.id;
    const contacts = await concurrently(4, async () => {
      const { contactId } = (await live.post("/api/conversations", { workspaceId, contact: { name: "Ada" } }, 201))
        .body;
      return contactId;
    });
    await live.put(`/api/contacts/${contacts[0]}/account`, { accountId: account }, 200);
    const answers = await concurrently(9, async (n) => {
      const client = on(n % 2 ? nodes.b : nodes.a, live);
      if (n === 4) return client.post("/api/accounts/bulk-actions", { ids: [account], type: "delete" });
      if (n === 5) return client.post(`/api/contacts/${contacts[1]}/merge`, { sourceContactId: contacts[0] });
      return client.put(`/api/contacts/${contacts[n % 4]}/account`, { accountId: account });
    });
    expect(answers.filter(({ status }) => ![200, 404, 409].includes(status))).toEqual([]);
    expect(answers[4]!.status).toBe(200);
    await live.get(`/api/accounts/${account}`, 404);
    const left = await nodes.a.db.query(
      `select 1 from contact where account_id = $1 union all select 1 from conversation where account_id = $1`,
      [account],
    );
    expect(left).toEqual([]);
  }
});
