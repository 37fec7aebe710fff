import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { assist, outcomesOf, saidIn, teach } from "../assistant/support.js";
import { newAgent, newWorkspace, start } from "../e2e/support.js";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import { tablesWith } from "../../races/support.js";
import { answered, learn, pendingIn, taught } from "./support.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe("the impact of an entry", () => {
  let tenant: TestTenant;
  let key: Client;
  let workspaceId: string;
  beforeAll(async () => {
    tenant = await app.tenant();
    key = tenant.live;
  });
  beforeEach(async () => {
    ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
  });

  const asked = async (body: string, contact: object = { name: "Ada" }): Promise<string> => {
    const { id } = await start(key, workspaceId, { contact, message: { body } });
    await assist(app);
    return id;
  };
  const add = async (entry: object): Promise<string> =>
    (await key.post(`/api/workspaces/${workspaceId}/kb-entries`, { status: "pending", ...entry }, 201)).body.id;
  const impactOf = async (id: string): Promise<Schemas["KbEntryImpact"]> =>
    (await key.get(`/api/kb-entries/${id}/impact`, 200)).body;
  const NOTHING = { count: 0, examples: [] };

  const PARCEL = { question: "Where is my parcel?", answer: "The link is in the mail of the dispatch." };

  describe("the impact of an entry", () => {
    test("names what it newly answers, each with its question, and nothing else", async () => {
      await teach(key, workspaceId, [PARCEL]);
      await asked("Where is my parcel?");
      await asked("Do you sell bananas?");
      const ids = [await asked("Do you deliver to Iceland?"), await asked("Do you deliver to Iceland?")];
      const id = await add({ question: "Do you deliver to Iceland?", answer: "Within 9 days." });
      const began = Date.now();
      const impact = await impactOf(id);
      expect(impact).toEqual({
        kbEntryId: id,
        since: expect.any(String) as string,
        questions: 4,
        skipped: 0,
        newlyAnswered: {
          count: 2,
          examples: [
            {
              conversationId: ids[1],
              messageId: expect.any(String) as string,
              question: "Do you deliver to Iceland?",
              before: { decision: "hand_off", entries: [] },
              after: { decision: "answer", entries: [{ kbEntryId: id, question: "Do you deliver to Iceland?" }] },
            },
          ],
        },
        answeredOtherwise: NOTHING,
        newlyAmbiguous: NOTHING,
        noLongerAnswered: NOTHING,
      });
      // The day may have ended meanwhile.
      const since = (now: number): string => new Date(now - 30 * 86_400_000).toISOString().slice(0, 10);
      expect(impact.since).toBeOneOf([began, Date.now()].map((now) => `${since(now)}T00:00:00.000Z`));
      expect((await key.get(`/api/kb-entries/${id}`, 200)).body, "nothing changes").toMatchObject({
        status: "pending",
        usage: { retrieved: 0 },
      });
    });

    test("is what the assistant then does", async () => {
      await teach(key, workspaceId);
      await teach(key, workspaceId, [{ question: "How do I cancel my order?", answer: "Press Cancel in the order." }]);
      const questions = [
        "How do I cancel?",
        "How can I cancel my order?",
        "How do I cancel my subscription?",
        "Cancel my subscription please",
        "I want to cancel my order",
        "Where is my parcel?",
        "Where is my subscription?",
        "When do I get my refund?",
        "How do I change my subscription?",
        "How do I change the card of my subscription?",
      ];
      const outcomes = async (): Promise<string[]> => {
        const found: string[] = [];
        for (const question of questions) {
          const id = await asked(question);
          found.push(`${(await outcomesOf(key, id))[0]} ${(await saidIn(key, id))[0]}`);
        }
        return found;
      };
      const before = await outcomes();
      const id = await add({
        question: "How do I cancel my subscription?",
        answer: "Press Cancel in your account.",
        alternateQuestions: ["Cancel my subscription please", "How do I cancel?"],
      });
      const { newlyAmbiguous, newlyAnswered, answeredOtherwise, noLongerAnswered } = await impactOf(id);
      await key.post(`/api/kb-entries/${id}/approve`, {}, 200);
      const after = await outcomes();
      const changed = (from: RegExp, to: RegExp): string[] =>
        questions.filter((_, i) => from.test(before[i]!) && to.test(after[i]!) && before[i] !== after[i]).sort();
      const shown = (change: Schemas["ImpactChange"]): string[] =>
        change.examples.map(({ question }) => question).sort();
      expect(shown(newlyAnswered)).toEqual(changed(/^(?!answered)/, /^answered/));
      expect(shown(answeredOtherwise)).toEqual(changed(/^answered/, /^answered/));
      expect(shown(newlyAmbiguous)).toEqual(changed(/^(?!clarified)/, /^clarified/));
      expect(shown(noLongerAnswered)).toEqual(changed(/^answered/, /^handed_off/));
      expect(newlyAnswered.count + newlyAmbiguous.count + noLongerAnswered.count).toBeGreaterThan(1);
    });

    test("is the same before and after the approval", async () => {
      await teach(key, workspaceId, [PARCEL]);
      await asked("Do you deliver to Iceland?");
      await asked("Where is my parcel?");
      const id = await add({ question: "Do you deliver to Iceland?", answer: "Within 9 days." });
      const { since: _, ...before } = await impactOf(id);
      await key.post(`/api/kb-entries/${id}/approve`, {}, 200);
      expect(await impactOf(id)).toMatchObject(before);
      await key.post(`/api/kb-entries/${id}/archive`, {}, 200);
      const { body } = await key.get(`/api/kb-entries/${id}/impact`, 409);
      expect(body).toEqual({ error: "Only a pending or approved entry has an impact; this one is archived" });
    });

    test("of an entry that replaces another compares the two", async () => {
      const [old] = await teach(key, workspaceId, [PARCEL]);
      await asked("Where is my parcel?");
      const id = await add({ ...PARCEL, answer: "Ask the carrier." });
      await app.db.query("update kb_entry set duplicate_of_id = $2, replaces_duplicate = true where id = $1", [
        id,
        old,
      ]);
      const { answeredOtherwise } = await impactOf(id);
      expect(answeredOtherwise).toMatchObject({
        count: 1,
        examples: [{ before: { entries: [{ kbEntryId: old }] }, after: { entries: [{ kbEntryId: id }] } }],
      });
      await key.post(`/api/kb-entries/${id}/approve`, {}, 200);
      expect(await saidIn(key, await asked("Where is my parcel?"))).toEqual(["assistant: Ask the carrier."]);
    });

    test("shows questions without personal data, and none that is older than 30 days or answers a question back", async () => {
      const QUESTION = "Do you deliver to Iceland?";
      await asked(`${QUESTION} I am Ada Lovelace, order 4711221`, { name: "Ada Lovelace" });
      await app.db.query("update assistant_run set created_at = now() - interval '29 days' where workspace_id = $1", [
        workspaceId,
      ]);
      await asked(QUESTION);
      await app.db.query(
        "update assistant_run set created_at = now() - interval '31 days' where workspace_id = $1 and created_at > now() - interval '1 day'",
        [workspaceId],
      );
      await teach(key, workspaceId, [
        { question: "How do I cancel my order?", answer: "Press Cancel in the order." },
        { question: "How do I cancel my subscription?", answer: "Press Cancel in your account." },
      ]);
      const id = await asked("How do I cancel?");
      await key.post(`/api/conversations/${id}/messages`, { body: "Iceland" }, 201);
      await assist(app);
      const impact = await impactOf(
        await add({
          question: QUESTION,
          answer: "Within 9 days.",
          alternateQuestions: [`${QUESTION} I am Ada, order`],
        }),
      );
      expect(impact.questions).toBe(2);
      expect(JSON.stringify(impact)).not.toMatch(/Lovelace|4711221/);
    });

    test("stays within the caller's workspaces", async () => {
      const id = await add({ question: "Do you deliver to Iceland?", answer: "Within 9 days." });
      const owner = await tenant.owner();
      const { id: elsewhere } = await newWorkspace(key, tenant.defaults.brandId);
      await (await newAgent(owner, [elsewhere])).get(`/api/kb-entries/${id}/impact`, 404);
      await (await newAgent(owner, [workspaceId])).get(`/api/kb-entries/${id}/impact`, 200);
    });
  });
});

describe("privacy", () => {
  let tenant: TestTenant;
  let key: Client;
  let workspaceId: string;
  beforeAll(async () => {
    tenant = await app.tenant();
    key = tenant.live;
  });
  beforeEach(async () => {
    ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
  });

  const QUESTION = "Do you deliver to Iceland?";
  const REPLY = "We deliver to Iceland within 9 days.";
  const teaches = (lesson: Partial<Parameters<typeof taught>[3]> = {}) =>
    taught(app, key, workspaceId, { question: QUESTION, replies: [REPLY], ...lesson });
  const rows = async (): Promise<number[]> =>
    Promise.all(
      ["learning_evidence", "learning_due"].map(async (table) => (await app.db.query(`select from ${table}`)).length),
    );
  const erase = (contactId: string) => key.post(`/api/contacts/${contactId}/erasure`, {}, 200);

  test("an erasure removes what the contact contributed, also where it waits", async () => {
    const { contactId } = await teaches({
      question: "Zanzibar pineapples?",
      replies: ["Pineapples of Zanzibar are out."],
    });
    await learn(app);
    const other = await answered(app, key, workspaceId, {
      question: "Zanzibar mangos?",
      replies: ["No mangos of Zanzibar."],
    });
    await key.post(`/api/conversations/${other.id}/resolve`, {}, 200);
    expect(Object.keys(await tablesWith(app.db, "Zanzibar"))).toEqual(expect.arrayContaining(["learning_evidence"]));
    await erase(contactId);
    await erase(other.contactId);
    expect(await tablesWith(app.db, "Zanzibar")).toEqual({});
    await learn(app);
    expect(await rows()).toEqual([0, 0]);
  });

  test("a proposal that rests on an erased contact goes, and is made anew from what enough others said", async () => {
    const own = await teaches({ question: "Do you, kind people of Tuvalu, deliver to Iceland?" });
    const others = [await teaches(), await teaches()];
    await learn(app);
    const [before] = await pendingIn(key, workspaceId);
    expect(before!.evidenceCount).toBe(3);
    await erase(own.contactId);
    expect(await pendingIn(key, workspaceId)).toEqual([]);
    await learn(app);
    const [proposed, ...more] = await pendingIn(key, workspaceId);
    expect(more).toEqual([]);
    expect(proposed!.evidence.map(({ conversationId }) => conversationId).sort()).toEqual(
      others.map(({ id }) => id).sort(),
    );
    expect(await tablesWith(app.db, "Tuvalu")).toEqual({});
    await erase(others[0]!.contactId);
    await learn(app);
    expect(await pendingIn(key, workspaceId), "one is left").toEqual([]);
    await teaches();
    await learn(app);
    expect(await pendingIn(key, workspaceId)).toMatchObject([{ evidenceCount: 2 }]);
  });

  test("an approved entry stays when a contact is erased, without the evidence", async () => {
    const [one] = [await teaches(), await teaches()];
    await learn(app);
    const id = (await pendingIn(key, workspaceId))[0]!.id;
    await key.post(`/api/kb-entries/${id}/approve`, {}, 200);
    await erase(one.contactId);
    await learn(app);
    expect((await key.get(`/api/kb-entries/${id}`, 200)).body).toMatchObject({ status: "approved", evidenceCount: 1 });
    expect(await pendingIn(key, workspaceId)).toEqual([]);
  });

  test("a proposal that a person deletes is not made again from the same evidence", async () => {
    await teaches();
    await teaches();
    await learn(app);
    const id = (await pendingIn(key, workspaceId))[0]!.id;
    await key.delete(`/api/kb-entries/${id}`, 200);
    await teaches();
    await learn(app);
    expect(await pendingIn(key, workspaceId)).toEqual([]);
  });

  test("evidence is kept for 90 days", async () => {
    const [old, young] = [await teaches(), await teaches({ question: "Do you repair kayaks?", replies: ["In Kiel."] })];
    await learn(app);
    const age = (id: string, days: number) =>
      app.db.query(
        `update learning_evidence set created_at = now() - make_interval(days => $2) + interval '1 minute' where conversation_id = $1`,
        [id, days],
      );
    await age(old.id, 91);
    await age(young.id, 90);
    expect(await app.app.get(DailyService).runNow()).toMatchObject({ learningEvidence: 1 });
  });

  test("a deleted workspace takes its evidence along", async () => {
    const before = await rows();
    await teaches();
    await teaches();
    await learn(app);
    await teaches();
    await key.delete(`/api/workspaces/${workspaceId}`, 200);
    for (let i = 0; i < 3; i++) await app.app.get(PurgeWorkspacesJob).tick();
    expect(await rows()).toEqual(before);
  });
});
