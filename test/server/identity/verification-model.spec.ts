import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FACTOR_TYPES } from "../../../src/identity/events/identity-event.js";
import { takeAttempt } from "../../../src/identity/verification/wrong-answer-caps.js";
import { VerificationContexts } from "../../../src/identity/verification/verification-context.js";
import { newWorkspace } from "../e2e/support.js";
import { startTwo, type TwoNodes } from "../../races/support.js";
import { runs, SEED } from "../../support/seed.js";
import type { TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import {
  type Conversation,
  type Event,
  Model,
  type Outcome,
  type Question,
  type Settings,
  type Source,
  type Workspace,
} from "./verification-model.js";

// Random sequences of everything that can happen to verification by questions, on two nodes of one installation. Each
// answer, and in the end each event, must be the model's. A failure prints its seed and path, to run it again alone:
//   SEED=… MODEL_PATH=… npx vitest run --configLoader runner test/server/identity/verification-model.spec.ts

/** CI tries 2,000. */
const RUNS = Number(process.env.MODEL_RUNS ?? runs(24, 300));
const PATH = process.env.MODEL_PATH;
/** Sequences that run concurrently, each in its own workspaces. */
const LANES = PATH ? 1 : Math.min(12, Math.ceil(RUNS / 6));
const WITHIN_MS = 30 * 60_000;

const PEOPLE = [
  {
    name: "Ada Lovelace",
    attributes: { postcode: "EC1A 1BB", birthday: "1985-04-03", pet: "Señor Whiskers" },
    account: { pin: "9503" },
  },
  {
    name: "Grace Hopper",
    attributes: { postcode: "10115", birthday: "1906-12-09", pet: "Rover" },
    account: { pin: "4471" },
  },
];
/** The right answer of each of the two people to each question. The other's is wrong. */
const SAID: Record<string, [string, string]> = {
  "Postcode?": ["it is ec1a1bb", "10 115"],
  "Born when?": ["3 April 1985", "9 December 1906"],
  "First pet?": ["senor whiskers", "ROVER!"],
  "Name?": ["I am Ada Lovelace", "grace hopper, please"],
  "PIN?": ["my PIN is 9503", "4-4-7-1"],
};
const PROFILE = {
  name: "profile",
  type: "contact_attributes",
  questions: [
    { key: "postcode", prompt: "Postcode?", attribute: "postcode" },
    { key: "birthday", prompt: "Born when?", attribute: "birthday" },
  ],
};
const HISTORY = {
  name: "history",
  type: "contact_attributes",
  questions: [
    { key: "pet", prompt: "First pet?", attribute: "pet" },
    { key: "name", prompt: "Name?", attribute: "name" },
  ],
};
const DEFAULTS: Settings = {
  requiredCorrectAnswers: 2,
  maxWrongPerConversation: 3,
  maxWrongPerIdentity24h: 5,
  maxWrongPerCallerId24h: 10,
  factorLifetimeMinutes: 30,
  allowedFactors: [...FACTOR_TYPES],
  promptVersion: null,
};

const settings: fc.Arbitrary<Settings> = fc.record({
  requiredCorrectAnswers: fc.integer({ min: 1, max: 3 }),
  maxWrongPerConversation: fc.integer({ min: 1, max: 6 }),
  maxWrongPerIdentity24h: fc.integer({ min: 1, max: 4 }),
  maxWrongPerCallerId24h: fc.integer({ min: 1, max: 4 }),
  factorLifetimeMinutes: fc.constantFrom(5, 30, 1_440),
  allowedFactors: fc.oneof(
    { weight: 5, arbitrary: fc.constant<string[]>([...FACTOR_TYPES]) },
    { weight: 1, arbitrary: fc.constant<string[]>(["magic_link"]) },
  ),
  promptVersion: fc.constantFrom(null, "2026-11"),
});
const any = fc.nat(999);
const weighed = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({ weight, arbitrary });
const steps = fc.oneof(
  weighed(
    3,
    fc.record({
      do: fc.constant("open" as const),
      person: fc.nat(1),
      workspace: fc.nat(1),
      caller: fc.nat(2),
      spelling: fc.nat(2),
    }),
  ),
  weighed(3, fc.record({ do: fc.constant("ask" as const), on: any, count: fc.integer({ min: 1, max: 3 }) })),
  weighed(9, fc.record({ do: fc.constant("guess" as const), on: any, right: fc.boolean() })),
  weighed(
    5,
    fc.record({
      do: fc.constant("answer" as const),
      on: any,
      question: fc.constantFrom("open" as const, "open" as const, "old" as const, "foreign" as const, "none" as const),
      pick: any,
      right: fc.boolean(),
    }),
  ),
  weighed(1, fc.record({ do: fc.constant("repeat" as const) })),
  weighed(1, fc.record({ do: fc.constant("crash" as const), on: any })),
  weighed(1, fc.record({ do: fc.constant("unlock" as const), on: any })),
  weighed(
    2,
    fc.record({ do: fc.constant("require" as const), on: any, level: fc.constantFrom("identified", "high-assurance") }),
  ),
  weighed(2, fc.record({ do: fc.constant("settings" as const), workspace: fc.nat(1), settings })),
  weighed(
    1,
    fc.record({ do: fc.constant("sources" as const), workspace: fc.nat(1), attached: fc.subarray([0, 1, 2]) }),
  ),
  weighed(2, fc.record({ do: fc.constant("pass" as const), minutes: fc.constantFrom(1, 6, 31, 600, 1_439, 1_440) })),
  weighed(1, fc.record({ do: fc.constant("look" as const), on: any })),
);
type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never;

let nodes: TwoNodes;
let tenant: TestTenant;
let owner: Client;
let tool: http.Server;
let sources: {
  name: string;
  type: string;
  url?: string;
  questions: { key: string; prompt: string; attribute?: string; path?: string }[];
}[];
beforeAll(async () => {
  tool = http.createServer((request, response) => {
    let text = "";
    request
      .on("data", (chunk) => {
        text += chunk;
      })
      .on("end", () =>
        response
          .setHeader("content-type", "application/json")
          .end(JSON.stringify(PEOPLE.find(({ name }) => name === (JSON.parse(text) as { name: string }).name) ?? {})),
      );
  });
  await new Promise<void>((resolve) => {
    tool.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(tool.address() as AddressInfo).port}`;
  sources = [
    PROFILE,
    HISTORY,
    {
      name: "crm",
      type: "http",
      url: `http://${host}/person`,
      questions: [{ key: "pin", prompt: "PIN?", path: "$.account.pin" }],
    },
  ];
  nodes = await startTwo({ OUTBOUND_ALLOW: [host] });
  tenant = await nodes.a.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await nodes.close();
  tool.closeAllConnections();
  await new Promise((resolve) => {
    tool.close(resolve);
  });
});

/** Two workspaces that sequences use one after the other. Each sequence resets them to their defaults. */
class Lane {
  readonly workspaces: Workspace[] = [];

  static async open(): Promise<Lane> {
    const lane = new Lane();
    for (let n = 0; n < 2; n++) {
      const workspace: Workspace = {
        id: (await newWorkspace(tenant.live, tenant.defaults.brandId)).id,
        settings: { ...DEFAULTS },
        sources: [],
      };
      lane.workspaces.push(workspace);
      await lane.attach(workspace, [0, 1, 2]);
    }
    return lane;
  }

  async reset(): Promise<void> {
    for (const workspace of this.workspaces) {
      if (workspace.settings !== DEFAULTS) await this.set(workspace, DEFAULTS);
      if (workspace.sources.length < sources.length) await this.attach(workspace, [0, 1, 2]);
    }
  }

  async set(workspace: Workspace, settings: Settings): Promise<void> {
    await owner.put(`/api/workspaces/${workspace.id}/identity-settings`, settings, 200);
    workspace.settings = settings;
  }

  async attach(workspace: Workspace, which: number[]): Promise<void> {
    const attached = which.map((n) => sources[n]!);
    await owner.put(`/api/workspaces/${workspace.id}/verification-sources`, { sources: attached }, 200);
    workspace.sources = attached.map(({ name, type, questions }) => ({
      name,
      type: type as Source["type"],
      prompts: questions.map(({ key, prompt }) => ({ key, prompt })),
    }));
  }
}

let numbers = 0;

/** Runs one sequence on the model and on the application. */
class Sequence {
  private readonly model = new Model();
  private readonly contacts: (string | undefined)[] = [];
  private readonly number = String(1_000_000 + numbers++);
  private last: { path: string; body: object; key: string; again: () => Outcome; text: string | null } | undefined;
  private turn = 0;

  constructor(private readonly lane: Lane) {}

  async run(all: readonly Step[]): Promise<void> {
    await this.lane.reset();
    await this.open(0, this.lane.workspaces[0]!, 1, 0);
    for (const step of all) await this.take(step);
    for (const conversation of this.model.conversations) await this.look(conversation);
    await this.compare();
  }

  private take(step: Step): Promise<void> {
    switch (step.do) {
      case "open":
        return this.open(step.person, this.lane.workspaces[step.workspace]!, step.caller, step.spelling);
      case "pass":
        return this.pass(step.minutes);
      case "settings":
        return this.lane.set(this.lane.workspaces[step.workspace]!, step.settings);
      case "sources":
        return this.lane.attach(this.lane.workspaces[step.workspace]!, step.attached);
      case "repeat":
        return this.repeat();
      default:
        return this.takeIn(step);
    }
  }

  /** A step in one of the conversations. */
  private takeIn(step: Extract<Step, { on: number }>): Promise<void> {
    const conversation = this.model.conversations[step.on % this.model.conversations.length]!;
    switch (step.do) {
      case "ask":
        return this.ask(conversation, step.count).then(() => undefined);
      case "guess":
        return this.ask(conversation, 1).then((asked) =>
          asked[0] ? this.answer(conversation, asked[0], step.right) : undefined,
        );
      case "answer":
        return this.answer(conversation, this.pick(conversation, step.question, step.pick), step.right);
      case "crash":
        return this.crash(this.pick(conversation, "open", 0));
      case "unlock":
        return this.post(
          owner,
          `${path(conversation)}/verification/unlock`,
          undefined,
          this.model.unlock(conversation),
        ).then(() => undefined);
      case "require":
        return this.post(
          this.client,
          `${path(conversation)}/verification/require`,
          { level: step.level, purpose: "a test" },
          this.model.require(conversation, step.level),
        ).then(() => undefined);
      case "look":
        return this.look(conversation);
    }
  }

  /** Alternates between the nodes, because no state may be in memory. */
  private get client(): Client {
    return (this.turn++ % 2 ? nodes.a : nodes.b).client(tenant.live.token);
  }

  private async post(
    client: Client,
    path: string,
    body: object | undefined,
    { status, body: expected }: Outcome,
    key?: string,
  ): Promise<string> {
    const answer = await client.post(path, body, undefined, key ? { headers: { "idempotency-key": key } } : undefined);
    expect([path, body, answer.status]).toEqual([path, body, status]);
    if (expected) expect(answer.body).toEqual(expected);
    return answer.text;
  }

  private async open(person: number, workspace: Workspace, caller: number, spelling: number): Promise<void> {
    const { name, attributes } = PEOPLE[person]!;
    const digits = `${caller}${this.number}`;
    const callerId = caller
      ? [`+4930${digits}`, `+49 (30) ${digits.slice(0, 4)}-${digits.slice(4)}`, `+49 30 / ${digits}`][spelling]!
      : null;
    const contactId = this.contacts[person];
    const { body } = await this.client.post(
      "/api/conversations",
      { workspaceId: workspace.id, callerId, ...(contactId ? { contactId } : { contact: { name, attributes } }) },
      201,
    );
    this.contacts[person] ??= body.contactId;
    this.model.conversations.push({
      id: body.id,
      workspace,
      contactId: body.contactId,
      callerId: caller ? `+4930${digits}` : null,
    });
  }

  private async ask(conversation: Conversation, count: number): Promise<Question[]> {
    const { status, questions } = this.model.ask(conversation, count);
    const answer = await this.client.post(`${path(conversation)}/verification/questions`, { count });
    expect([conversation.id, answer.status]).toEqual([conversation.id, status]);
    if (status !== 200) return [];
    expect(answer.body.questions.map(({ prompt }) => prompt)).toEqual(questions.map(({ prompt }) => prompt));
    questions.forEach((question, n) => {
      question.id = answer.body.questions[n]!.questionId;
    });
    return questions;
  }

  private pick(conversation: Conversation, kind: "open" | "old" | "foreign" | "none", n: number): Question | undefined {
    const here = this.model.questions.filter(
      (question) => (question.conversation === conversation) === (kind !== "foreign"),
    );
    const fitting =
      kind === "none"
        ? []
        : kind === "foreign"
          ? here
          : here.filter(({ answered }) => (answered === null) === (kind === "open"));
    return fitting[n % fitting.length];
  }

  private async answer(conversation: Conversation, question: Question | undefined, right: boolean): Promise<void> {
    const person = this.contacts.indexOf(question?.conversation.contactId);
    const said = SAID[question?.prompt ?? "PIN?"]!;
    const body = {
      questionId: question?.id ?? randomUUID(),
      answer: right ? said[person === 1 ? 1 : 0] : said[person === 1 ? 0 : 1],
    };
    const again = (): Outcome => this.model.answer(conversation, question, right);
    const outcome = again();
    const key = randomUUID();
    const text = await this.post(this.client, `${path(conversation)}/verification/answers`, body, outcome, key);
    this.last = {
      path: `${path(conversation)}/verification/answers`,
      body,
      key,
      again,
      text: outcome.status === 200 ? text : null,
    };
  }

  /** Sends the last answer again: a stored result is repeated, a refusal is decided anew. */
  private async repeat(): Promise<void> {
    if (!this.last) return;
    const { path, body, key, again, text } = this.last;
    const outcome = text === null ? again() : { status: 200 };
    const now = await this.post(this.client, path, body, outcome, key);
    if (text !== null) expect(now).toBe(text);
    else if (outcome.status === 200) this.last.text = now;
  }

  /** What a process leaves behind that is killed between counting and comparing. */
  private async crash(question: Question | undefined): Promise<void> {
    if (!question || this.model.remaining(question.conversation) < 1) return;
    this.model.crash(question);
    const {
      conversation: { id: conversationId },
      id,
    } = question;
    const taken = await nodes.a.transaction(tenant.tenantId, async (tx) => {
      const context = await new VerificationContexts(nodes.a.config.secretKeys).find(tx, conversationId, "shared");
      return takeAttempt(tx, id, context, context.settings);
    });
    expect(taken).toBe("taken");
  }

  /** Moves every stored time into the past. */
  private async pass(minutes: number): Promise<void> {
    this.model.pass(minutes);
    const columns = {
      verification_attempt: ["at"],
      verification_question: ["asked_at", "answered_at"],
      verification_factor: ["added_at", "expires_at"],
      assurance_due: ["due_at"],
    };
    const ids = this.model.conversations.map(({ id }) => id);
    await Promise.all(
      Object.entries(columns).map(([table, names]) =>
        nodes.a.db.query(
          `update ${table} set ${names.map((name) => `${name} = ${name} - make_interval(mins => $2)`).join(", ")} where conversation_id = any($1)`,
          [ids, minutes],
        ),
      ),
    );
  }

  private async look(conversation: Conversation): Promise<void> {
    const { level, factors, locks } = this.model.assurance(conversation);
    const { body } = await this.client.get(`${path(conversation)}/assurance`, 200);
    const inMinutes = (lock: { until: string | null } | null): object | null =>
      lock && { minutes: lock.until && Math.ceil((Date.parse(lock.until) - Date.now()) / 60_000) };
    expect({
      level: body.level,
      factors: body.factors.length,
      locks: Object.fromEntries(Object.entries(body.locks).map(([axis, lock]) => [axis, inMinutes(lock)])),
    }).toEqual({ level, factors, locks });
  }

  private async compare(): Promise<void> {
    const ids = this.model.conversations.map(({ id }) => id);
    const events = await nodes.a.db.query<Event>(
      `select conversation_id as conversation, event_type as type, factor_category as category, factor_type as factor, factor_bound_to_principal as principal,
        scope_dimension as dimension, scope_values as "values", evidence_ref as evidence, prompt_version as prompt
      from identity_event where conversation_id = any($1) order by occurred_at, written`,
      [ids],
    );
    for (const id of ids)
      expect(events.filter(({ conversation }) => conversation === id)).toEqual(
        this.model.events.filter(({ conversation }) => conversation === id),
      );
    const items = await nodes.a.db.query<{ id: string; type: string; occurrences: number }>(
      "select conversation_id as id, type, occurrences from attention_item where conversation_id = any($1)",
      [ids],
    );
    const attention = Object.fromEntries(items.map(({ id, type, occurrences }) => [`${id} ${type}`, occurrences]));
    const expected: Record<string, number> = {};
    for (const { conversation, type } of this.model.events) {
      const item = {
        identity_locked_per_call: "identity_locked",
        identity_locked_per_24h: "identity_locked",
        ani_blocked: "identity_locked",
        verification_not_configured: "verification_not_configured",
      }[type];
      if (item) expected[`${conversation} ${item}`] = (expected[`${conversation} ${item}`] ?? 0) + 1;
    }
    expect(attention).toEqual(expected);
    for (const { type } of events) seen.set(type, (seen.get(type) ?? 0) + 1);
  }
}

const path = ({ id }: Conversation) => `/api/conversations/${id}` as const;
const seen = new Map<string, number>();

test(
  `whatever happens in whatever order, ${RUNS} times: each answer and each event is the model's`,
  { timeout: WITHIN_MS },
  async () => {
    const lanes = await Promise.all(Array.from({ length: LANES }, () => Lane.open()));
    const ends = await Promise.allSettled(
      lanes.map((lane, n) =>
        fc.assert(
          fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 15 }), (all) => new Sequence(lane).run(all)),
          {
            numRuns: Math.ceil(RUNS / LANES),
            seed: SEED + (PATH ? 0 : n),
            path: PATH,
            endOnFailure: PATH !== undefined,
          },
        ),
      ),
    );
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    // The sequences must have reached each case, or they prove nothing. A short run need not reach all of them.
    if (RUNS < 300 || PATH) return;
    for (const type of [
      "kbv_question_asked",
      "kbv_question_passed",
      "kbv_question_failed",
      "factor_added",
      "factor_failed",
      "assurance_level_reached",
      "identity_locked_per_call",
      "identity_locked_per_24h",
      "ani_blocked",
      "verification_not_configured",
      "verification_agent_context_used",
    ]) {
      expect([type, seen.get(type) ?? 0]).toEqual([type, expect.toSatisfy((count: number) => count > 0)]);
    }
  },
);
