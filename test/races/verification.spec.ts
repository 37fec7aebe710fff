import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace } from "../server/e2e/support.js";
import type { TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { startTwo, type TwoNodes } from "./support.js";
import { runs } from "../support/seed.js";

// Many concurrent guesses on two nodes, a thousand in a hunt: exactly as many as the cap are compared, with one lock event.

/** Several times each cap, and more than the nodes have connections. */
const GUESSES = runs(40, 1_000);
const PEOPLE = GUESSES / 10;
const A_REQUEST = 5;

let nodes: TwoNodes;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  owner = await tenant.owner();
});
afterAll(() => nodes.close());

const on = (n: number): Client => [nodes.a, nodes.b][n % 2]!.client(tenant.live.token);
async function workspace(settings: object): Promise<string> {
  const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
  await owner.put(`/api/workspaces/${id}/identity-settings`, settings, 200);
  const questions = Array.from({ length: A_REQUEST }, (_, n) => ({
    key: `q${n}`,
    prompt: `Question ${n}?`,
    attribute: `a${n}`,
  }));
  await owner.put(
    `/api/workspaces/${id}/verification-sources`,
    { sources: [{ name: "contact_attributes", type: "contact_attributes", questions }] },
    200,
  );
  return id;
}

/** Open questions, the same number in each conversation. */
async function openQuestions(
  conversations: string[],
  guesses = GUESSES,
): Promise<{ conversationId: string; questionId: string }[]> {
  const requests = Array.from({ length: guesses / A_REQUEST }, (_, n) => conversations[n % conversations.length]!);
  const open: { conversationId: string; questionId: string }[] = [];
  for (let from = 0; from < requests.length; from += 20) {
    const asked = await Promise.all(
      requests.slice(from, from + 20).map(async (conversationId, n) => {
        const { body } = await on(n).post<{ questions: { questionId: string }[] }>(
          `/api/conversations/${conversationId}/verification/questions`,
          { count: A_REQUEST },
          200,
        );
        return body.questions.map(({ questionId }) => ({ conversationId, questionId }));
      }),
    );
    open.push(...asked.flat());
  }
  expect(open).toHaveLength(guesses);
  return open;
}

async function guessAll(open: { conversationId: string; questionId: string }[]): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  await Promise.all(
    open.map(async ({ conversationId, questionId }, n) => {
      const { status } = await on(n).post(`/api/conversations/${conversationId}/verification/answers`, {
        questionId,
        answer: `guess ${n}`,
      });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
  );
  return statuses;
}

async function expectExactly(
  cap: number,
  lockEvent: string,
  workspaceId: string,
  statuses: Record<number, number>,
): Promise<void> {
  expect(statuses).toEqual({ 200: cap, 409: GUESSES - cap });
  const rows = await nodes.a.db.query<{ type: string; count: number }>(
    "select event_type as type, count(*)::int as count from identity_event where workspace_id = $1 group by 1",
    [workspaceId],
  );
  expect(Object.fromEntries(rows.map(({ type, count }) => [type, count]))).toEqual({
    kbv_question_asked: GUESSES,
    kbv_question_failed: cap,
    factor_failed: cap,
    [lockEvent]: 1,
  });
}
const start = async (workspaceId: string, body: object): Promise<string> =>
  (await tenant.live.post("/api/conversations", { workspaceId, ...body }, 201)).body.id;

describe(`${GUESSES} concurrent guesses`, () => {
  test("in one conversation: three are compared", async () => {
    const workspaceId = await workspace({ maxWrongPerConversation: 3 });
    const open = await openQuestions([await start(workspaceId, { contact: {} })]);
    await expectExactly(3, "identity_locked_per_call", workspaceId, await guessAll(open));
  });

  test(`about one person, in ${PEOPLE} conversations: five are compared`, async () => {
    const workspaceId = await workspace({ maxWrongPerConversation: 100, maxWrongPerIdentity24h: 5 });
    const { id: contactId } = (await tenant.live.post("/api/contacts", { name: "Ada" }, 201)).body;
    const conversations = await Promise.all(Array.from({ length: PEOPLE }, () => start(workspaceId, { contactId })));
    await expectExactly(5, "identity_locked_per_24h", workspaceId, await guessAll(await openQuestions(conversations)));
  });

  test(`from one number in any notation, about ${PEOPLE} people: ten are compared`, async () => {
    // The first ten may be about one person.
    const workspaceId = await workspace({
      maxWrongPerConversation: 100,
      maxWrongPerIdentity24h: 100,
      maxWrongPerCallerId24h: 10,
    });
    const spellings = ["+4930901820", "+49 30 901820", "+49 (30) 90-18-20", "+49 030/901820"];
    const conversations = await Promise.all(
      Array.from({ length: PEOPLE }, (_, n) =>
        start(workspaceId, { contact: {}, callerId: spellings[n % spellings.length] }),
      ),
    );
    await expectExactly(10, "ani_blocked", workspaceId, await guessAll(await openQuestions(conversations)));
  });

  test(`from withheld numbers, about ${PEOPLE} people: guesses about one person never lock another`, async () => {
    const workspaceId = await workspace({
      maxWrongPerConversation: 100,
      maxWrongPerIdentity24h: 100,
      maxWrongPerCallerId24h: 1,
    });
    const conversations = await Promise.all(
      Array.from({ length: PEOPLE }, (_, n) =>
        start(workspaceId, { contact: {}, ...(n % 2 ? { callerId: null } : {}) }),
      ),
    );
    // Comparing every answer takes time, so there are fewer of them in a hunt, and none waits too long for a connection.
    const guesses = runs(GUESSES, 200);
    expect(await guessAll(await openQuestions(conversations, guesses))).toEqual({ 200: guesses });
    expect(
      await nodes.a.db.query(
        `select event_type from identity_event where workspace_id = $1 and event_type in ('ani_blocked', 'identity_locked_per_call', 'identity_locked_per_24h')`,
        [workspaceId],
      ),
    ).toEqual([]);
  });
});
