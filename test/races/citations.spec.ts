import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { start, UNKNOWN_ID } from "../server/e2e/support.js";
import type { Schemas } from "../support/api-types.js";
import type { TestTenant } from "../support/app.js";
import { concurrently, databaseWithDeadlocks, on, startTwo, tally, type TwoNodes } from "./support.js";

let nodes: TwoNodes;
let tenant: TestTenant;
let conversation: Schemas["Conversation"];
beforeAll(async () => {
  nodes = await startTwo({}, await databaseWithDeadlocks());
  tenant = await nodes.a.tenant();
  conversation = await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "Where is it?" } });
});
afterAll(() => nodes.close());

const create = async (body: object = {}, of = tenant.defaults.workspaceId): Promise<string> =>
  (await tenant.live.post(`/api/workspaces/${of}/kb-entries`, { question: "Where?", answer: "There.", ...body }, 201))
    .body.id;
const answered = async (id: string): Promise<number> =>
  (await tenant.live.get(`/api/kb-entries/${id}`, 200)).body.usage.answered;
const path = () => `/api/conversations/${conversation.id}` as const;
const cite = (...ids: string[]): object => ({
  body: "There.",
  citations: ids.map((kbEntryId) => ({ kbEntryId, score: 0.5 })),
});

describe("a reply that cites entries", () => {
  test("returns them with the message and counts each once, even if the request or the reply is repeated", async () => {
    const [one, two] = [await create(), await create()];
    const body = { ...cite(one, two), clientMessageId: "cited" };
    for (const key of ["first", "first", "second"])
      await tenant.live.post(`${path()}/reply`, body, 200, { headers: { "idempotency-key": key } });
    const { data } = (await tenant.live.get(`${path()}/messages?order=desc&limit=1`, 200)).body;
    expect(data[0]!.citations).toEqual([
      { kbEntryId: one, score: 0.5 },
      { kbEntryId: two, score: 0.5 },
    ]);
    expect([await answered(one), await answered(two)]).toEqual([1, 1]);
  });

  test("is counted exactly when any number of replies on two nodes cite entries concurrently, in any order", async () => {
    const [one, two] = [await create(), await create()];
    // Replies in one conversation wait for each other.
    const conversations = await concurrently(12, () => start(tenant.live, tenant.defaults.workspaceId));
    const answers = await concurrently(12, (n) =>
      on(n % 2 ? nodes.b : nodes.a, tenant.live).post(
        `/api/conversations/${conversations[n]!.id}/reply`,
        n % 3 ? cite(one, two) : cite(two, one),
      ),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 12 });
    expect([await answered(one), await answered(two)]).toEqual([12, 12]);
  });

  test("is refused completely if an entry is unknown, in another workspace or never approved; an archived entry can be cited", async () => {
    const own = await create();
    const {
      body: { id: elsewhere },
    } = await tenant.live.post("/api/workspaces", { name: "Elsewhere", brandId: tenant.defaults.brandId }, 201);
    const { messageCount } = (await tenant.live.get(path(), 200)).body;
    for (const other of [UNKNOWN_ID, await create({}, elsewhere), await create({ status: "pending" })])
      await tenant.live.post(`${path()}/reply`, cite(own, other), 404);
    expect([await answered(own), (await tenant.live.get(path(), 200)).body.messageCount]).toEqual([0, messageCount]);
    await tenant.live.post(`/api/kb-entries/${own}/archive`, undefined, 200);
    await tenant.live.post(`${path()}/reply`, cite(own), 200);
    expect(await answered(own)).toBe(1);
  });

  test.each([
    [{ kbEntryId: "x", score: 1 }],
    [{ kbEntryId: UNKNOWN_ID, score: 1.1 }],
    [{ kbEntryId: UNKNOWN_ID }],
    [null],
  ])("returns 400 for %o as a citation", async (citation) => {
    await tenant.live.post(`${path()}/reply`, { body: "There.", citations: [citation] }, 400);
  });

  test("lists each entry once", async () => {
    await tenant.live.post(`${path()}/reply`, cite(UNKNOWN_ID, UNKNOWN_ID.toUpperCase()), 400);
  });
});
