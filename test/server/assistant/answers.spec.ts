import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newWorkspace, start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import {
  activityOf,
  ask,
  assist,
  ENTRIES,
  itemsOf,
  messagesOf,
  outcomesOf,
  saidIn,
  teach,
  toldThat,
} from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let key: Client;
let workspaceId: string;
let ids: string[];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  key = tenant.live;
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
  ids = await teach(key, workspaceId);
});

const asked = async (body: string, more: object = {}): Promise<string> =>
  (await start(key, workspaceId, { message: { body }, ...more })).id;
const read = async (id: string) => (await key.get(`/api/conversations/${id}`, 200)).body;

describe("what an approved entry answers", () => {
  test("is answered as the entry says it, with its citation, and counted", async () => {
    const id = await asked("Where is my parcel?");
    expect(await saidIn(key, id), "nothing before the run is due").toEqual([]);
    await assist(app);
    expect(await messagesOf(key, id)).toMatchObject([
      { direction: "inbound" },
      {
        direction: "outbound",
        authorType: "assistant",
        body: ENTRIES.parcel.answer,
        citations: [{ kbEntryId: ids[0], score: expect.any(Number) as number }],
        confidence: expect.any(Number) as number,
      },
    ]);
    expect(await read(id)).toMatchObject({ handlingMode: "assistant", status: "open", waitingSince: null });
    expect((await key.get(`/api/kb-entries/${ids[0]}`, 200)).body.usage.answered).toBe(1);
    expect(await itemsOf(key, id)).toEqual([]);
  });

  test("is answered where the search takes the first half of an emoji", async () => {
    const question = "Where is my parcel?".padEnd(1_999);
    for (const cut of ["😀", "😀 Thanks!"]) {
      const id = await asked(question + cut);
      await assist(app);
      expect(await outcomesOf(key, id)).toEqual(["answered"]);
    }
  });

  test("shows in the activity: what was found, what was decided, what was sent", async () => {
    const id = await asked("Where is my parcel?");
    await assist(app);
    const [question, answer] = await messagesOf(key, id);
    const [run] = await activityOf(key, id);
    expect(run).toMatchObject({
      conversationId: id,
      messageId: question!.id,
      agentId: answer!.authorId,
      instructionsVersion: 1,
      outcome: "answered",
      reason: null,
      steps: [
        { type: "retrieve", question: "Where is my parcel?", decision: "answer", messageId: null },
        { type: "send", messageId: answer!.id, question: null, entries: null, decision: null },
      ],
    });
    expect(run!.steps[0]!.entries![0]).toMatchObject({ kbEntryId: ids[0], question: ENTRIES.parcel.question });
    expect(Date.parse(run!.endedAt!)).toBeGreaterThanOrEqual(Date.parse(run!.startedAt!));
  });

  test("is answered by the first active agent that lists the workspace, else by the platform's", async () => {
    const body = {
      name: "Ours",
      role: "assistant",
      status: "active",
      workspaceIds: [workspaceId],
      instructions: "Be kind",
    };
    const agent = (await key.post("/api/agents", body, 201)).body.id;
    const id = await asked("Where is my parcel?");
    await assist(app);
    expect((await messagesOf(key, id))[1]).toMatchObject({ authorId: agent });
    await key.patch(`/api/agents/${agent}`, { status: "paused" }, 200);
    await ask(key, id, "When do I get my refund?");
    await assist(app);
    expect((await messagesOf(key, id))[3]).toMatchObject({ body: ENTRIES.refund.answer });
    expect((await messagesOf(key, id))[3]!.authorId).not.toBe(agent);
  });
});

describe("what no entry answers", () => {
  test("is handed over at once, with a summary and an item, and the contact is told and waits on", async () => {
    const id = await asked("Do you sell bananas on the moon?");
    await assist(app);
    expect(await read(id)).toMatchObject({ handlingMode: "human", assigneeId: null });
    expect((await read(id)).waitingSince).not.toBeNull();
    expect((await read(id)).summary).toBe("Asked: “Do you sell bananas on the moon?”\nNo approved entry answers this.");
    expect(await saidIn(key, id)).toEqual([toldThat("nothingFound")]);
    expect(await itemsOf(key, id)).toMatchObject([{ type: "kb_gap", status: "open", occurrences: 1 }]);
    expect(await outcomesOf(key, id)).toEqual(["handed_off"]);
    await ask(key, id, "Where is my parcel?");
    await assist(app);
    expect(await outcomesOf(key, id), "people handle it now").toEqual(["handed_off"]);
  });

  test("also where it has very many words, or those of another language; signs alone are greeted, but for a thumb up", async () => {
    const SIGNS = ["?", "…", "🤷‍♀️🤷‍♀️", "\u200b"];
    const ODD = [...SIGNS, "a".repeat(100_000), "who are you ".repeat(8_000), "私の荷物はどこですか"];
    const all = await Promise.all(ODD.map((body) => asked(body)));
    await assist(app);
    for (const [n, id] of all.entries()) {
      const expected = n < SIGNS.length ? "small_talk" : "handed_off";
      expect([ODD[n]!.slice(0, 20), await outcomesOf(key, id)]).toEqual([ODD[n]!.slice(0, 20), [expected]]);
    }
    const thumb = await asked("👍🏽");
    await assist(app);
    expect([await outcomesOf(key, thumb), await saidIn(key, thumb)], "nothing is asked yet").toEqual([
      ["discarded"],
      [],
    ]);
    await ask(key, thumb, "Where is my parcel?");
    await assist(app);
    expect(await outcomesOf(key, thumb)).toEqual(["discarded", "answered"]);
  });

  test("is handed over if the contact asks for a person, whatever is known", async () => {
    const id = await asked("Can I speak to a real person please?");
    await assist(app);
    expect(await itemsOf(key, id)).toMatchObject([{ type: "handoff_requested" }]);
    const german = await asked("Ich möchte mit einem Mitarbeiter sprechen");
    await assist(app);
    expect(await itemsOf(key, german)).toMatchObject([{ type: "handoff_requested" }]);
    expect(await saidIn(key, german)).toEqual([
      "system: Natürlich. Ich gebe das an eine Kollegin oder einen Kollegen weiter. Sie erhalten hier eine Antwort.",
    ]);
  });

  test("is left alone where nothing is asked after an answer", async () => {
    const id = await asked("Where is my parcel?");
    await assist(app);
    for (const thanks of ["Thank you very much!", "👍", "Thanks again"]) {
      await ask(key, id, thanks);
      await assist(app);
    }
    expect(await outcomesOf(key, id)).toEqual(["answered", "small_talk", "discarded", "discarded"]);
    expect((await saidIn(key, id)).slice(1)).toEqual(["assistant: You are welcome."]);
    expect(await read(id)).toMatchObject({ handlingMode: "assistant" });
    await ask(key, id, "?");
    await assist(app);
    expect((await outcomesOf(key, id)).at(-1)).toBe("handed_off");
  });
});

describe("what two entries may answer", () => {
  const TWO = [
    { question: "How do I cancel my order?", answer: "Press Cancel in the order." },
    { question: "How do I cancel my visit?", answer: "Press Cancel in your account." },
  ];
  beforeEach(async () => {
    ids = await teach(key, workspaceId, TWO);
  });

  test("is asked back, once, and the choice is answered", async () => {
    const id = await asked("How do I cancel?");
    await assist(app);
    const [question] = await saidIn(key, id);
    expect(question).toMatch(
      /^assistant: Do you mean “How do I cancel my (order|visit)” or “How do I cancel my (order|visit)”\?$/,
    );
    await ask(key, id, "the visit");
    await assist(app);
    expect((await saidIn(key, id))[1]).toBe(`assistant: ${TWO[1]!.answer}`);
    expect(await outcomesOf(key, id)).toEqual(["clarified", "answered"]);
  });

  test("is handed over if that did not help", async () => {
    const id = await asked("How do I cancel?");
    await assist(app);
    await ask(key, id, "How can I cancel?");
    await assist(app);
    expect(await outcomesOf(key, id)).toEqual(["clarified", "handed_off"]);
    expect(await itemsOf(key, id)).toMatchObject([{ type: "low_confidence" }]);
    expect((await read(id)).summary).toContain("The assistant asked back: “Do you mean “How do I cancel my");
  });

  test("may be asked again after a resolution, where a new context begins", async () => {
    const id = await asked("How do I cancel?");
    await assist(app);
    await key.post(`/api/conversations/${id}/resolve`, {}, 200);
    await ask(key, id, "How do I cancel?");
    await assist(app);
    expect(await outcomesOf(key, id)).toEqual(["clarified", "clarified"]);
    const [, second] = (await activityOf(key, id)).map(({ steps }) => steps[0]!.question);
    expect(second).toBe("How do I cancel?");
  });
});

describe("entries with the same answer", () => {
  const cancel = { question: "How do I cancel my order?", answer: "Press Cancel in the order." };

  test.each([
    ["twice, word for word", [cancel, cancel]],
    [
      "three times, with another case and punctuation",
      [cancel, cancel, { ...cancel, answer: "press cancel  in the order!" }],
    ],
    [
      "once more in nearly the same words",
      [cancel, { question: "How do I cancel my order?", answer: "You press Cancel in the order." }],
    ],
  ])("count as one where it stands there %s", async (_, entries) => {
    const added = await teach(key, workspaceId, entries);
    const id = await asked(cancel.question);
    await assist(app);
    expect(await outcomesOf(key, id)).toEqual(["answered"]);
    const [step] = (await activityOf(key, id))[0]!.steps;
    expect(step!.entries!.filter(({ kbEntryId }) => added.includes(kbEntryId)).length).toBe(1);
    expect(step!.entries![0]!.confidence).toBeGreaterThanOrEqual(0.9);
    expect(step!.entries!.reduce((sum, { confidence }) => sum + confidence, 0)).toBeLessThanOrEqual(1.0001);
  });

  test("but not entries that contradict each other, though one is called a duplicate of the other", async () => {
    const [, other] = await teach(key, workspaceId, [cancel, { ...cancel, answer: "You cannot cancel an order." }]);
    expect((await key.get(`/api/kb-entries/${other}`, 200)).body.duplicateOfId).not.toBeNull();
    const id = await asked(cancel.question);
    await assist(app);
    expect(await outcomesOf(key, id)).toEqual(["clarified"]);
  });
});

describe("an integration's own assistant", () => {
  test("is not talked over: what it says before the run is all that is said", async () => {
    const body = { name: "Theirs", workspaceIds: [workspaceId], instructions: "Answer elsewhere", status: "active" };
    const agentId = (await key.post("/api/agents", body, 201)).body.id;
    const id = await asked("Where is my parcel?");
    await key.post(`/api/conversations/${id}/reply`, { body: "It is in Oslo", keepAssistant: true }, 200);
    await assist(app);
    await ask(key, id, "When do I get my refund?");
    await key.post(`/api/conversations/${id}/reply`, { body: "Tomorrow", agentId }, 200);
    await assist(app);
    expect(await saidIn(key, id)).toEqual(["api: It is in Oslo", "assistant: Tomorrow"]);
    expect((await activityOf(key, id)).map(({ outcome, reason }) => `${outcome}: ${reason}`)).toEqual([
      "discarded: Something was said after the message",
      "discarded: Something was said after the message",
    ]);
    expect(await read(id)).toMatchObject({ handlingMode: "assistant" });
  });

  test("has the conversation for itself where the workspace's assistant is off", async () => {
    await key.patch(`/api/workspaces/${workspaceId}`, { assistantEnabled: false }, 200);
    const id = await asked("Where is my parcel?");
    await assist(app);
    expect(await activityOf(key, id)).toEqual([]);
    await key.post(`/api/conversations/${id}/reply`, { body: "It is in Oslo", keepAssistant: true }, 200);
    expect(await read(id)).toMatchObject({ handlingMode: "assistant" });
  });

  test("notices that it is too late, with ifLastSequence", async () => {
    const id = await asked("Where is my parcel?");
    await assist(app);
    const late = await key.post(`/api/conversations/${id}/reply`, {
      body: "It is in Oslo",
      keepAssistant: true,
      ifLastSequence: 1,
    });
    expect(late.status).toBe(409);
    expect(await saidIn(key, id)).toEqual([`assistant: ${ENTRIES.parcel.answer}`]);
  });
});

describe("the language", () => {
  const german = { question: "Wo ist mein Paket?", answer: "Der Link steht in der Mail zum Versand.", language: "de" };

  test("is the contact's own where an approved entry exists in it, and the workspace's otherwise", async () => {
    await teach(key, workspaceId, [german]);
    const own = await asked("Wo ist mein Paket?");
    const theirs = await asked("Where is my parcel?", { contact: { name: "Ada", language: "de" } });
    await assist(app);
    expect(await saidIn(key, own)).toEqual([`assistant: ${german.answer}`]);
    expect(await saidIn(key, theirs)).toEqual([`assistant: ${ENTRIES.parcel.answer}`]);
  });

  test("is never a third one", async () => {
    const french = { question: "Où est mon colis ?", answer: "Le lien est dans le mail.", language: "fr" };
    await teach(key, workspaceId, [french]);
    const id = await asked("Où est mon colis ?", { contact: { name: "Ada", language: "de" } });
    await assist(app);
    expect(await outcomesOf(key, id)).toEqual(["handed_off"]);
  });
});

describe("messages of one burst", () => {
  test("are one question: a newer message supersedes the run that waits", async () => {
    const id = await asked("Where is");
    await ask(key, id, "my parcel?");
    await assist(app);
    expect(await outcomesOf(key, id)).toEqual(["superseded", "answered"]);
    expect(await saidIn(key, id)).toEqual([`assistant: ${ENTRIES.parcel.answer}`]);
    expect((await activityOf(key, id))[0]!.steps[0]!.question).toBe("Where is\nmy parcel?");
  });

  test("make the run due 1.5 s after the last of them", async () => {
    const id = await asked("Where is");
    await ask(key, id, "my parcel?");
    const due = await app.db.query<{ seconds: number }>(
      `select extract(epoch from d.due_at - m.created_at)::float8 as seconds from assistant_due d
       join message m on m.conversation_id = d.conversation_id and m.sequence = 2 where d.conversation_id = $1`,
      [id],
    );
    expect(due[0]!.seconds).toBeCloseTo(1.5, 1);
  });
});

test("a summary quotes what says most at the beginning and at the end, not a greeting or a farewell", async () => {
  const id = await asked("Hello");
  const reply = (body: string) => key.post(`/api/conversations/${id}/reply`, { body }, 200);
  await reply("How can I help?");
  await ask(key, id, "I have a ride booked and need to change it.");
  await reply("Your ride is moved to four o'clock.");
  await ask(key, id, "Great, thank you!");
  await ask(
    key,
    id,
    "One more thing that is longer than everything else: is there a fee for children who ride along with me?",
  );
  await reply("No.");
  await reply("Goodbye!");
  await key.post(`/api/conversations/${id}/resolve`, {}, 200);
  expect((await read(id)).summary).toBe(
    "“I have a ride booked and need to change it.” → “Your ride is moved to four o'clock.”",
  );
});

test("a context begins at the last resolution, and both are summed up", async () => {
  const id = await asked("Where is my parcel?");
  await assist(app);
  await key.post(`/api/conversations/${id}/resolve`, {}, 200);
  expect((await read(id)).summary).toBe(`“Where is my parcel?” → “${ENTRIES.parcel.answer}”`);
  await ask(key, id, "What about the bananas?");
  await assist(app);
  expect((await read(id)).summary).toBe("Asked: “What about the bananas?”\nNo approved entry answers this.");
  await key.patch(`/api/conversations/${id}`, { summary: "Wants bananas" }, 200);
  await key.post(`/api/conversations/${id}/resolve`, {}, 200);
  expect((await read(id)).summary, "what a person wrote stays").toBe("Wants bananas");
});

describe("the assistant is silent", () => {
  test("where it is off, the workspace is inactive, or people handle the conversation", async () => {
    const taken = await asked("Where is my parcel?");
    await key.post(`/api/conversations/${taken}/take-over`, {}, 200);
    const replied = await asked("Where is my parcel?");
    await key.post(`/api/conversations/${replied}/reply`, { body: "Here", keepAssistant: true }, 200);
    await assist(app);
    expect(await outcomesOf(key, taken)).toEqual(["discarded"]);
    expect((await activityOf(key, replied))[0]).toMatchObject({
      outcome: "discarded",
      reason: "Something was said after the message",
    });
    expect(await saidIn(key, replied)).toEqual(["api: Here"]);
    const before = await asked("Where is my parcel?");
    await key.patch(`/api/workspaces/${workspaceId}`, { assistantEnabled: false }, 200);
    const off = await asked("Where is my parcel?");
    await key.patch(`/api/workspaces/${workspaceId}`, { assistantEnabled: true, status: "inactive" }, 200);
    const inactive = await asked("Where is my parcel?");
    await assist(app);
    expect([await outcomesOf(key, before), await outcomesOf(key, off), await outcomesOf(key, inactive)]).toEqual([
      ["discarded"],
      [],
      [],
    ]);
  });

  test("while a circuit breaker pauses its agent in the workspace", async () => {
    const waiting = await asked("Where is my parcel?");
    await app.db.query(
      `insert into circuit_breaker (tenant_id, id, workspace_id, entity_type, entity_id, metric, action, threshold,
         window_days, sample_days, sample_size, observed, low, tripped_at)
       select tenant_id, gen_random_uuid(), $1, 'agent', id::text, 'csat', 'pause_assistant', 0.5, 7, 7, 20, 0.9, 0.8, now()
       from agent where tenant_id = $2 and kind = 'platform' and role = 'assistant'`,
      [workspaceId, tenant.tenantId],
    );
    const id = await asked("Where is my parcel?");
    await assist(app);
    expect(await outcomesOf(key, id)).toEqual([]);
    expect((await activityOf(key, waiting))[0]).toMatchObject({
      outcome: "discarded",
      reason: "The assistant is off or paused",
    });
  });

  test("about what was written long ago and is imported", async () => {
    const id = await asked("Do you sell bananas?");
    await assist(app);
    const occurredAt = "2020-01-01T00:00:00.000Z";
    const imported = (await start(key, workspaceId, { message: { body: "Where is my parcel?", occurredAt } })).id;
    await assist(app);
    expect([await outcomesOf(key, id), await outcomesOf(key, imported)]).toEqual([["handed_off"], []]);
  });
});
