import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ask, assist, outcomesOf, teach } from "../assistant/support.js";
import { newAgent, newWorkspace, NOT_FOUND, start } from "../e2e/support.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let key: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  key = tenant.live;
});
beforeEach(async () => {
  ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
});
afterAll(() => app.close());

const asked = async (body: string, contact: object = { name: "Ada" }): Promise<string> => {
  const { id } = await start(key, workspaceId, { contact, message: { body } });
  await assist(app);
  return id;
};
const gapsOf = async (client = key): Promise<Schemas["KbGaps"]> =>
  (await client.get(`/api/workspaces/${workspaceId}/kb-gaps`, 200)).body;

test("lists what was handed over because nothing answers it, the most frequent first, with its conversations", async () => {
  await teach(key, workspaceId);
  await asked("Where is my parcel?");
  await asked("A person, please!");
  await asked("Do you sell bananas?");
  const ids = [
    await asked("Do you deliver to Iceland?"),
    await asked("Do you deliver to Iceland?"),
    await asked("Can you deliver to Iceland too?"),
  ];
  const { gaps, questions, skipped } = await gapsOf();
  expect({ questions, skipped }).toEqual({ questions: 4, skipped: 0 });
  expect(gaps).toEqual([
    {
      count: 3,
      question: "Do you deliver to Iceland?",
      alternateQuestions: ["Can you deliver to Iceland too?"],
      language: "en",
      examples: ids.reverse().map((conversationId) => ({
        conversationId,
        messageId: expect.any(String) as string,
        question: expect.stringContaining("Iceland") as string,
        at: expect.any(String) as string,
      })),
    },
    expect.objectContaining({ count: 1, question: "Do you sell bananas?" }),
  ]);
});

test("a gap leaves the list once an approved entry answers it, and not while the entry waits", async () => {
  await asked("Do you deliver to Iceland?");
  const { body: entry } = await key.post(
    `/api/workspaces/${workspaceId}/kb-entries`,
    { question: "Do you deliver to Iceland?", answer: "Within nine days.", status: "pending" },
    201,
  );
  expect((await gapsOf()).gaps).toHaveLength(1);
  await owner.post(`/api/kb-entries/${entry.id}/approve`, {}, 200);
  expect((await gapsOf()).gaps).toEqual([]);
  await owner.post(`/api/kb-entries/${entry.id}/archive`, {}, 200);
  expect((await gapsOf()).gaps, "it is a gap again").toHaveLength(1);
});

test("after a question back, the gap is what the contact asked first", async () => {
  await teach(key, workspaceId, [
    { question: "How do I cancel my order?", answer: "Press Cancel in the order." },
    { question: "How do I cancel my subscription?", answer: "Press Cancel in your account." },
  ]);
  const id = await asked("How do I cancel?");
  await ask(key, id, "Neither of them");
  await assist(app);
  expect(await outcomesOf(key, id)).toEqual(["clarified", "handed_off"]);
  expect((await gapsOf()).gaps).toMatchObject([{ question: "How do I cancel?", examples: [{ conversationId: id }] }]);
});

test("personal data and links are left out of questions, because they become an entry", async () => {
  await asked("I am Ada Lovelace, ada@example.com. Do you deliver to Iceland? See http://evil.example/x", {
    name: "Ada Lovelace",
  });
  const [gap] = (await gapsOf()).gaps;
  expect(JSON.stringify(gap)).toContain("deliver to Iceland");
  expect(JSON.stringify(gap)).not.toMatch(/Lovelace|ada@example|evil\.example/);
});

test("so is the name that a contact had before it was merged into another", async () => {
  const id = await asked("Do you deliver to Iceland for Lovelace?", { name: "Ada Lovelace" });
  const { contactId } = (await key.get(`/api/conversations/${id}`, 200)).body;
  const { body: survivor } = await key.post("/api/contacts", { name: "A. King" }, 201);
  await key.post(`/api/contacts/${survivor.id}/merge`, { sourceContactId: contactId }, 200);
  const [gap] = (await gapsOf()).gaps;
  expect(JSON.stringify(gap)).toContain("deliver to Iceland");
  expect(JSON.stringify(gap)).not.toContain("Lovelace");
});

test("questions of other workspaces and of the other side are not seen, and only who reads conversations reads them", async () => {
  await asked("Do you deliver to Iceland?");
  const elsewhere = await newWorkspace(owner, tenant.defaults.brandId);
  const restricted = await newAgent(owner, [elsewhere.id]);
  for (const client of [restricted, tenant.test])
    expect((await client.get(`/api/workspaces/${workspaceId}/kb-gaps`, 404)).body).toEqual(NOT_FOUND);
  expect((await restricted.get(`/api/workspaces/${elsewhere.id}/kb-gaps`, 200)).body).toMatchObject({ gaps: [] });
  const poor = await keyFor(owner, { scopes: ["kb:read"] });
  await poor.get(`/api/workspaces/${workspaceId}/kb-gaps`, 403);
});

test("an erased contact's question is gone, and the figure stays", async () => {
  const id = await asked("Do you deliver to Iceland?");
  const conversation = (await key.get(`/api/conversations/${id}`, 200)).body;
  const handOvers = async (): Promise<number> => {
    const { body } = await owner.get<Schemas["Report"]>(`/api/reports/hand-over?workspaceId=${workspaceId}`, 200);
    return body.total.count;
  };
  expect(await handOvers()).toBe(1);
  await owner.post(`/api/contacts/${conversation.contactId}/erasure`, undefined, 200);
  expect((await gapsOf()).gaps).toEqual([]);
  expect(await handOvers()).toBe(1);
});
