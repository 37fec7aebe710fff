import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { newWorkspace, start } from "../e2e/support.js";
import { ask, ENTRIES, messagesOf, teach } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let key: Client;
let owner: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  tenant = await app.tenant();
  key = tenant.live;
  owner = await tenant.owner();
  workspaceId = (await newWorkspace(key, tenant.defaults.brandId)).id;
});

type Suggestion = Schemas["Suggestion"];
const suggestionsOf = async (id: string, by = key): Promise<Suggestion[]> =>
  (await by.get(`/api/conversations/${id}/suggestions`, 200)).body.suggestions;
const questionsOf = async (id: string): Promise<string[]> => (await suggestionsOf(id)).map(({ question }) => question);
/** A conversation that people handle, in which the contact wrote this. */
async function asked(body: string): Promise<string> {
  const { id } = await start(key, workspaceId, { message: { body } });
  await key.post(`/api/conversations/${id}/take-over`, {}, 200);
  return id;
}
const usageOf = async (entryId: string): Promise<Schemas["EntryUsage"]> =>
  (await key.get(`/api/kb-entries/${entryId}`, 200)).body.usage;
const end = (id: string, outcome: string, status: 200 | 404 | 409 = 200): Promise<{ body: unknown }> =>
  key.post(`/api/suggestions/${id}/outcome`, { outcome }, status);
const rowsOf = async (conversationId: string): Promise<number> =>
  (
    await app.db.query<{ count: number }>("select count(*)::int as count from suggestion where conversation_id = $1", [
      conversationId,
    ])
  )[0]!.count;

describe("what is suggested", () => {
  test("the entries that fit what the contact wrote, the likeliest first, three at most", async () => {
    const ids = await teach(key, workspaceId, [
      ...Object.values(ENTRIES),
      { question: "Where is my refund?", answer: "With your bank." },
      { question: "Where is my order?", answer: "Under Orders." },
      { question: "Where is my voucher?", answer: "In your mail." },
    ]);
    const id = await asked("Hello! Where is my parcel?");
    const { body } = await key.get(`/api/conversations/${id}/suggestions`, 200);
    const [message] = await messagesOf(key, id);
    expect(body).toMatchObject({ messageId: message!.id, sequence: message!.sequence });
    expect(body.suggestions.length).toBeGreaterThan(0);
    expect(body.suggestions.length).toBeLessThanOrEqual(3);
    expect(body.suggestions[0]).toEqual({
      id: expect.any(String) as string,
      kbEntryId: ids[0],
      ...ENTRIES.parcel,
      language: "en",
      confidence: expect.any(Number) as number,
      warning: null,
      outcome: null,
    });
    const confidences = body.suggestions.map(({ confidence }) => confidence!);
    expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
  });

  test("for all that was written since the last reply, and for each part of it", async () => {
    await teach(key, workspaceId);
    const id = await asked("Where is my parcel?");
    await key.post(`/api/conversations/${id}/reply`, { body: "I look." }, 200);
    await ask(key, id, "And when do I get my refund?");
    await ask(key, id, "How do I change the card that I pay with?");
    expect((await questionsOf(id)).sort()).toEqual([ENTRIES.card.question, ENTRIES.refund.question]);
  });

  test("nothing once somebody has replied, and nothing that the contact has read", async () => {
    await teach(key, workspaceId);
    const id = await asked(ENTRIES.parcel.question);
    expect(await questionsOf(id)).toEqual([ENTRIES.parcel.question]);
    await key.post(`/api/conversations/${id}/reply`, { body: ENTRIES.parcel.answer }, 200);
    expect((await key.get(`/api/conversations/${id}/suggestions`, 200)).body).toEqual({
      messageId: null,
      sequence: null,
      suggestions: [],
      canDraft: false,
      draft: null,
    });
    await ask(key, id, ENTRIES.parcel.question);
    expect(await questionsOf(id)).toEqual([]);
  });

  test("what the assistant leaves alone because it may mean the opposite: a person decides", async () => {
    const question = "How do I cancel my order?";
    await teach(key, workspaceId, [{ question, answer: "Under Orders." }]);
    const id = await asked("Please do NOT cancel my order!");
    const [first] = await suggestionsOf(id);
    // Nobody has measured how often such an entry is right, so there is no figure.
    expect(first).toMatchObject({ question, warning: "opposite", confidence: null });
    expect((await suggestionsOf(id))[0]).toEqual(first);
  });

  test("an entry that a complaint is about has a warning, and one that answers another part has none", async () => {
    const question = "How do I cancel my order?";
    await teach(key, workspaceId, [{ question, answer: "Under Orders." }, ENTRIES.parcel]);
    const one = await suggestionsOf(
      await asked("You cancelled my order without asking me, and I am still waiting for it."),
    );
    expect(one.find((suggestion) => suggestion.question === question)).toMatchObject({ warning: "complaint" });
    const both = await suggestionsOf(await asked(`${ENTRIES.parcel.question}\nPlease do NOT cancel my order!`));
    expect(Object.fromEntries(both.map((suggestion) => [suggestion.question, suggestion.warning]))).toEqual({
      [question]: "opposite",
      [ENTRIES.parcel.question]: null,
    });
    expect(both.find(({ warning }) => warning === null)!.confidence).toEqual(expect.any(Number));
  });

  test("a note, and what the system says, is no reply", async () => {
    await teach(key, workspaceId);
    const id = await asked(ENTRIES.parcel.question);
    await key.post(`/api/conversations/${id}/notes`, { body: "Who knows?" }, 201);
    expect(await questionsOf(id)).toEqual([ENTRIES.parcel.question]);
  });

  test("no entry that is pending, archived, over or in a language that neither the contact nor the workspace speaks", async () => {
    const past = new Date(Date.now() - 60_000).toISOString();
    const question = ENTRIES.parcel.question;
    const [, , , archived] = await teach(key, workspaceId, [
      { question, answer: "Pending", status: "pending" },
      { question, answer: "Over", validUntil: past },
      { question, answer: "Italienisch", language: "it" },
      { question, answer: "Archived" },
    ]);
    const id = await asked(question);
    expect((await suggestionsOf(id)).map(({ answer }) => answer)).toEqual(["Archived"]);
    await key.post(`/api/kb-entries/${archived}/archive`, {}, 200);
    expect(await suggestionsOf(id)).toEqual([]);
    await teach(key, workspaceId, [{ question, answer: "Approved since" }]);
    expect((await suggestionsOf(id)).map(({ answer }) => answer)).toEqual(["Approved since"]);
  });

  test("nothing from another workspace, and nothing to a key that may not read its conversation or entries", async () => {
    const other = (await newWorkspace(key, tenant.defaults.brandId)).id;
    await teach(key, other);
    const id = await asked(ENTRIES.parcel.question);
    expect(await suggestionsOf(id)).toEqual([]);
    await teach(key, workspaceId);
    const path = `/api/conversations/${id}/suggestions` as const;
    const blind = await keyFor(owner, { scopes: ["conversations:read"] });
    await blind.get(path, 403);
    const elsewhere = await keyFor(owner, {
      scopes: ["conversations:read", "kb:read"],
      dataScope: { level: "workspace", workspaceId: other },
    });
    await elsewhere.get(path, 404);
    expect(await rowsOf(id)).toBe(0);
  });

  test("a burst of readings makes each suggestion once, counts it once, and writes nothing again", async () => {
    const [entry, later] = await teach(key, workspaceId, [ENTRIES.parcel, ENTRIES.card]);
    const id = await asked(ENTRIES.parcel.question);
    const all = await Promise.all(Array.from({ length: 8 }, () => suggestionsOf(id)));
    expect(new Set(all.map((one) => one[0]!.id)).size).toBe(1);
    expect(await rowsOf(id)).toBe(1);
    // What is counted after it: the burst has been counted by then.
    await suggestionsOf(await asked(ENTRIES.card.question));
    await expect.poll(async () => (await usageOf(later!)).retrieved, { timeout: 60_000 }).toBe(1);
    expect((await usageOf(entry!)).retrieved).toBe(1);
  });
});

describe("what becomes of a suggestion", () => {
  test("a reply that cites the entry: used if it has the answer as it stands, otherwise edited", async () => {
    const [parcel, refund] = await teach(key, workspaceId);
    const id = await asked(`${ENTRIES.parcel.question}\n${ENTRIES.refund.question}`);
    const made = await suggestionsOf(id);
    expect(made.map(({ outcome }) => outcome)).toEqual([null, null]);
    const body = `Dear Ada,\r\n\r\n${ENTRIES.parcel.answer}\r\n\r\nYou have your money in three days.`;
    const citations = [parcel!, refund!].map((kbEntryId) => ({ kbEntryId, score: 0.9 }));
    await key.post(`/api/conversations/${id}/reply`, { body, citations }, 200);
    const rows = await app.db.query("select kb_entry_id, outcome from suggestion where conversation_id = $1", [id]);
    expect(Object.fromEntries(rows.map(({ kb_entry_id, outcome }) => [kb_entry_id, outcome]))).toEqual({
      [parcel!]: "used",
      [refund!]: "edited",
    });
    expect([await usageOf(parcel!), await usageOf(refund!)]).toMatchObject([{ answered: 1 }, { answered: 1 }]);
    // It is said again: nothing happens. Something else is said: it is refused.
    const of = (entry: string): string => made.find(({ kbEntryId }) => kbEntryId === entry)!.id;
    await end(of(parcel!), "used");
    await end(of(parcel!), "edited", 409);
    await end(of(refund!), "ignored", 409);
    expect(await usageOf(parcel!)).toMatchObject({ answered: 1 });
  });

  test("an outcome that was reported counts once, and ignored counts no answer", async () => {
    const [parcel, refund] = await teach(key, workspaceId);
    const id = await asked(`${ENTRIES.parcel.question}\n${ENTRIES.refund.question}`);
    const made = await suggestionsOf(id);
    const of = (entry: string): string => made.find(({ kbEntryId }) => kbEntryId === entry)!.id;
    await Promise.all([1, 2, 3, 4].map(() => end(of(parcel!), "used")));
    expect(await usageOf(parcel!)).toMatchObject({ answered: 1 });
    await end(of(refund!), "ignored");
    await end(of(refund!), "ignored");
    await end(of(refund!), "used", 409);
    expect(await usageOf(refund!)).toMatchObject({ answered: 0 });
    const [counted] = await app.db.query(
      `select count(*) filter (where not bad)::int as good, count(*) filter (where bad)::int as bad from outcome
       where metric = 'answer' and entity_id = any($1)`,
      [[parcel, refund]],
    );
    expect(counted).toEqual({ good: 1, bad: 0 });
  });

  test("what was ignored is not suggested again while the contact waits, and is after a reply", async () => {
    await teach(key, workspaceId, [ENTRIES.parcel]);
    const id = await asked(ENTRIES.parcel.question);
    const [made] = await suggestionsOf(id);
    await end(made!.id, "ignored");
    expect((await suggestionsOf(id)).map(({ outcome }) => outcome)).toEqual(["ignored"]);
    await ask(key, id, "Where is my parcel please?");
    expect(await suggestionsOf(id)).toEqual([]);
    await key.post(`/api/conversations/${id}/reply`, { body: "I look." }, 200);
    await ask(key, id, ENTRIES.parcel.question);
    expect(await questionsOf(id)).toEqual([ENTRIES.parcel.question]);
  });

  test("a suggestion beyond the caller's reach is 404", async () => {
    await teach(key, workspaceId, [ENTRIES.parcel]);
    const id = await asked(ENTRIES.parcel.question);
    const [made] = await suggestionsOf(id);
    const other = (await newWorkspace(key, tenant.defaults.brandId)).id;
    const elsewhere = await keyFor(owner, {
      scopes: ["conversations:write"],
      dataScope: { level: "workspace", workspaceId: other },
    });
    await elsewhere.post(`/api/suggestions/${made!.id}/outcome`, { outcome: "used" }, 404);
    await end(made!.id, "used");
  });

  test("it is deleted with the contact, with its entry, and after 90 days", async () => {
    await teach(key, workspaceId, [ENTRIES.parcel]);
    const [erased, old, gone] = [
      await asked(ENTRIES.parcel.question),
      await asked(ENTRIES.parcel.question),
      await asked(ENTRIES.parcel.question),
    ];
    for (const id of [erased, old, gone]) expect(await suggestionsOf(id)).toHaveLength(1);
    const { contactId } = (await key.get(`/api/conversations/${erased}`, 200)).body;
    await key.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect(await rowsOf(erased)).toBe(0);
    await app.db.query("update suggestion set created_at = now() - interval '91 days' where conversation_id = $1", [
      old,
    ]);
    expect(await app.app.get(DailyService).runNow()).toMatchObject({ suggestions: 1 });
    const [{ kbEntryId }] = (await suggestionsOf(gone)) as [Suggestion];
    await key.delete(`/api/kb-entries/${kbEntryId}`, 200);
    expect(await rowsOf(gone)).toBe(0);
  });
});
