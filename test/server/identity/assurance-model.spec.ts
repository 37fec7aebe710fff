import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Address,
  type Contact,
  type Conversation,
  type Level,
  LIFETIME,
  Model,
  type Person,
  PROMPT_MINUTES,
  type Request,
} from "./assurance-model.js";
import { runs, SEED } from "../../support/seed.js";
import { EidWorld } from "./eid-support.js";

// Random sequences of everything that raises or lowers an assurance level, with people who try to be somebody else. After
// each step, each conversation must have the level and the factors of the model. And whatever the model says, no
// conversation may be above `none` without a proof that the contact's own person made for that contact. A failure prints
// its seed and path, to run it again alone:
//   SEED=… MODEL_PATH=… npx vitest run --configLoader runner test/server/identity/assurance-model.spec.ts

const RUNS = Number(process.env.MODEL_RUNS ?? runs(6, 60));
const PATH = process.env.MODEL_PATH;
const PEOPLE = 3;
const CONTACTS = 4;

const any = fc.nat(999);
const who = fc.nat(PEOPLE - 1);
const which = fc.nat(CONTACTS - 1);
const weighed = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({ weight, arbitrary });
const steps = fc.oneof(
  weighed(4, fc.record({ do: fc.constant("open" as const), contact: which, matching: fc.boolean() })),
  weighed(4, fc.record({ do: fc.constant("send" as const), on: any, to: any })),
  weighed(2, fc.record({ do: fc.constant("add address" as const), contact: which, by: who })),
  weighed(1, fc.record({ do: fc.constant("remove address" as const), contact: which, pick: any })),
  weighed(4, fc.record({ do: fc.constant("press" as const), pick: any })),
  weighed(3, fc.record({ do: fc.constant("answer" as const), on: any, by: who })),
  weighed(
    6,
    fc.record({
      do: fc.constant("push" as const),
      on: any,
      by: fc.oneof(who, fc.constant("the contact's person" as const)),
      then: fc.constantFrom("approve" as const, "approve" as const, "decline" as const, "wait" as const),
    }),
  ),
  weighed(2, fc.record({ do: fc.constant("settle" as const), approve: fc.boolean() })),
  weighed(5, fc.record({ do: fc.constant("confirm" as const), pick: any })),
  weighed(1, fc.record({ do: fc.constant("unbind" as const), contact: which })),
  weighed(2, fc.record({ do: fc.constant("merge" as const), contact: which, source: which })),
  weighed(1, fc.record({ do: fc.constant("remove" as const), contact: which })),
  weighed(2, fc.record({ do: fc.constant("pass" as const), minutes: fc.constantFrom(1, 6, 11, 31) })),
);
type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never;

let world: EidWorld;
let workspaces: { matching: string; unproven: string };
beforeAll(async () => {
  world = await EidWorld.start();
  world.eid.promptSeconds = PROMPT_MINUTES * 60;
  const settings = {
    requiredCorrectAnswers: 1,
    maxWrongPerConversation: 100,
    maxWrongPerIdentity24h: 100,
    factorLifetimeMinutes: LIFETIME,
  };
  workspaces = {
    matching: await world.workspace(settings),
    unproven: await world.workspace(settings, { binding: {} }),
  };
  const questions = [{ key: "pin", prompt: "PIN?", attribute: "pin" }];
  for (const id of Object.values(workspaces))
    await world.owner.put(
      `/api/workspaces/${id}/verification-sources`,
      { sources: [{ name: "file", type: "contact_attributes", questions }] },
      200,
    );
});
afterAll(() => world.stop());

/** What somebody really did, whatever the application made of it. */
interface Deed {
  by: Person;
  conversation: Conversation;
  contact: Contact;
  kind: "knowledge" | "mailbox" | "eid";
  minute: number;
}

let serial = 0;
/** Half of the life of an access token: 2,000 sequences take longer than one lives. */
const SIGN_IN_EVERY_MS = 450_000;
let signedInAt = Date.now();

class Sequence {
  private readonly model = new Model();
  private readonly deeds: Deed[] = [];
  private readonly name = `m${++serial}`;
  private readonly path = ({ id }: Conversation) => `/api/conversations/${id}` as const;

  async run(all: readonly Step[]): Promise<void> {
    if (Date.now() - signedInAt > SIGN_IN_EVERY_MS) {
      await world.signInAgain();
      signedInAt = Date.now();
    }
    // Two contacts of one person, as an import makes them, and one of each other person.
    for (let n = 0; n < CONTACTS; n++) await this.addContact(this.person(n % PEOPLE), n);
    await this.open(this.model.contacts[0]!, true);
    for (const step of all) {
      await this.take(step);
      for (const conversation of this.model.conversations) await this.check(conversation);
    }
    await this.settleAll(false);
  }

  private person(n: number): Person {
    return `${this.name}-person-${n}`;
  }

  private async addContact(person: Person, n: number): Promise<void> {
    const value = `${person}-${n}@example.com`;
    const { body } = await world.key.post(
      "/api/contacts",
      { name: person, emails: [value], attributes: { pin: `PIN of ${person}`, person } },
      201,
    );
    const addresses = [{ value, person, original: true }];
    this.model.contacts.push({ id: body.id, person, addresses, mergedInto: null, deleted: false });
  }

  private async take(step: Step): Promise<void> {
    const { contacts, conversations, links, requests } = this.model;
    const on = <T>(list: readonly T[], pick: number): T | undefined => list[pick % list.length];
    switch (step.do) {
      case "open":
        return this.open(contacts[step.contact]!, step.matching);
      case "send":
        return this.send(on(conversations, step.on)!, step.to);
      case "add address": {
        // Whoever may change contacts adds an address of their own.
        const contact = contacts[step.contact]!;
        const person = this.person(step.by);
        const added = { value: `${person}-added@example.com`, person };
        const others = contact.addresses.filter(({ value }) => value !== added.value);
        return this.setAddresses(contact, [...others, added]);
      }
      case "remove address": {
        const contact = contacts[step.contact]!;
        const removed = on(contact.addresses, step.pick);
        return this.setAddresses(
          contact,
          contact.addresses.filter((one) => one !== removed),
        );
      }
      case "press": {
        const link = on(links, step.pick);
        if (!link) return;
        const { status } = await fetch(`${world.app.baseUrl}/api/public/verifications/${link.token}`, {
          method: "POST",
        });
        expect(status).toBe(this.model.press(link) ? 200 : 404);
        if (status === 200) this.note(link.address.person, link.conversation, "mailbox");
        return;
      }
      case "answer":
        return this.answer(on(conversations, step.on)!, this.person(step.by));
      case "push": {
        const conversation = on(conversations, step.on)!;
        const by = typeof step.by === "number" ? this.person(step.by) : conversation.contact.person;
        return this.push(conversation, by, step.then);
      }
      case "settle":
        return this.settleAll(step.approve);
      case "confirm":
        return this.confirm(on(requests, step.pick));
      case "unbind": {
        const contact = contacts[step.contact]!;
        const { status } = await world.owner.delete(`/api/contacts/${contact.id}/eid-binding`);
        return expect(status).toBe(this.model.unbind(contact));
      }
      case "merge":
        return this.merge(contacts[step.contact]!, contacts[step.source]!);
      case "remove": {
        const contact = contacts[step.contact]!;
        if (contact.mergedInto) return;
        const { status } = await world.owner.delete(`/api/contacts/${contact.id}`);
        return expect(status).toBe(this.model.remove(contact));
      }
      case "pass":
        return this.pass(step.minutes);
    }
  }

  private async open(contact: Contact, matching: boolean): Promise<void> {
    const { status, body } = await world.key.post("/api/conversations", {
      workspaceId: matching ? workspaces.matching : workspaces.unproven,
      contactId: contact.id,
    });
    expect(status).toBe(this.model.openStatus(contact));
    if (status === 201) this.model.conversations.push({ id: (body as { id: string }).id, contact, matching });
  }

  private async setAddresses(contact: Contact, addresses: readonly Omit<Address, "original">[]): Promise<void> {
    const emails = addresses.map(({ value }) => value);
    const { status } = await world.key.patch(`/api/contacts/${contact.id}`, { emails });
    expect(status).toBe(this.model.setAddresses(contact, addresses));
  }

  private async send(conversation: Conversation, pick: number): Promise<void> {
    const { addresses } = conversation.contact;
    const address = addresses[pick % addresses.length];
    if (!address) return;
    await world.app.db.query("update magic_link set created_at = created_at - interval '1 hour'");
    const { status } = await world.key.post(`${this.path(conversation)}/verification/magic-links`, {
      channel: "email",
      to: address.value,
    });
    if (this.model.isGone(conversation)) return expect(status).toBe(404);
    expect(status).toBe(200);
    const { data } = (await world.owner.get("/api/captured-messages?limit=1", 200)).body;
    this.model.send(conversation, address, /verifications\/([\w-]+)/.exec(data[0]!.body)![1]!);
  }

  private async answer(conversation: Conversation, by: Person): Promise<void> {
    const asked = await world.key.post(`${this.path(conversation)}/verification/questions`, {});
    if (this.model.isGone(conversation)) return expect(asked.status).toBe(404);
    const { questionId } = (asked.body as { questions: { questionId: string }[] }).questions[0]!;
    const { body } = await world.key.post(
      `${this.path(conversation)}/verification/answers`,
      { questionId, answer: `PIN of ${by}` },
      200,
    );
    const right = this.model.answer(conversation, by);
    expect(body.result).toBe(right ? "passed" : "failed");
    if (right) this.note(by, conversation, "knowledge");
  }

  /** The caller names their own eID, or that of somebody else, who approves. */
  private async push(conversation: Conversation, by: Person, then: "approve" | "decline" | "wait"): Promise<void> {
    // The provider answers all prompts at once. One at a time keeps the order.
    if (
      this.model.requests.some((one) => one.status === "pending" && one.conversation.contact !== conversation.contact)
    )
      await this.settleAll(true);
    await world.app.db.query("update eid_request set created_at = created_at - interval '1 hour'");
    const { status, body } = await world.key.post(`${this.path(conversation)}/verification/eid-requests`, {
      scheme: "bank-id",
      mode: "push",
      loginHint: `hint-of-${by}`,
    });
    expect(status).toBe(this.model.pushStatus(conversation));
    if (status !== 200) return;
    this.model.push(conversation, by, (body as { requestId: string }).requestId);
    if (then !== "wait") await this.settleAll(then === "approve");
  }

  private async settleAll(approved: boolean): Promise<void> {
    await (approved ? world.eid.approve() : world.eid.decline());
    await world.tick();
    for (const request of this.model.requests.filter(({ status }) => status === "pending")) {
      this.model.settle(request, approved);
      if (request.status === "granted") this.note(request.person, request.conversation, "eid");
    }
  }

  /** A member who is asked too early is refused. One who is asked in time confirms only the right person. */
  private async confirm(request: Request | undefined): Promise<void> {
    if (!request) return;
    const { conversation, person } = request;
    if (person !== conversation.contact.person && this.model.level(conversation) !== "none") return;
    const { status } = await world.owner.post(`/api/eid-requests/${request.id}/confirm`, undefined);
    expect(status).toBe(this.model.confirm(request));
  }

  /** Anybody may be wrong about two contacts being one person. */
  private async merge(survivor: Contact, source: Contact): Promise<void> {
    if (survivor === source) return;
    const { status } = await world.owner.post(`/api/contacts/${survivor.id}/merge`, { sourceContactId: source.id });
    expect(status).toBe(this.model.merge(survivor, source));
  }

  private async pass(minutes: number): Promise<void> {
    this.model.minute += minutes;
    for (const [table, columns] of Object.entries(CLOCKS))
      await world.app.db.query(
        `update ${table} set ${columns.map((column) => `${column} = ${column} - make_interval(mins => $1)`).join(", ")}`,
        [minutes],
      );
  }

  private note(by: Person, conversation: Conversation, kind: Deed["kind"]): void {
    this.deeds.push({ by, conversation, contact: conversation.contact, kind, minute: this.model.minute });
  }

  private async check(conversation: Conversation): Promise<void> {
    const { level, factors, eid } = (await world.key.get(`${this.path(conversation)}/assurance`, 200)).body;
    this.assertProven(conversation, level);
    expect({
      level,
      factors: factors.map(({ factorType }) => factorType).sort(),
      bound: eid.bound,
      approvals: eid.approvals.map(({ requestId }) => requestId).sort(),
    }).toEqual({
      level: this.model.level(conversation),
      factors: this.model.factorTypes(conversation),
      bound: this.model.isBound(conversation),
      approvals: this.model.approvals(conversation),
    });
  }

  /** What must be true whatever the rules are. */
  private assertProven(conversation: Conversation, level: Level): void {
    const own = this.deeds.filter(
      (deed) =>
        deed.conversation === conversation &&
        deed.contact === conversation.contact &&
        deed.by === conversation.contact.person &&
        this.model.minute - deed.minute < LIFETIME,
    );
    const kinds = new Set(own.map(({ kind }) => kind));
    const most: Level = kinds.has("eid") || kinds.size > 1 ? "high-assurance" : kinds.size ? "identified" : "none";
    const order: Level[] = ["none", "identified", "high-assurance"];
    expect(order.indexOf(level), `${level}, though its person proved ${most}`).toBeLessThanOrEqual(order.indexOf(most));
  }
}

/** The times that the rules look at. */
const CLOCKS: Record<string, string[]> = {
  verification_factor: ["added_at", "expires_at"],
  verification_question: ["asked_at", "answered_at"],
  magic_link: ["created_at", "expires_at"],
  eid_request: ["expires_at", "confirmable_until"],
  eid_due: ["ends_at"],
};

test(
  `${RUNS} random sequences: nobody reaches a level but by proofs of their own, for themselves`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 25, size: "max" }), (all) => new Sequence().run(all)),
      { numRuns: RUNS, seed: SEED, path: PATH, endOnFailure: PATH !== undefined, interruptAfterTimeLimit: undefined },
    );
  },
  30 * 60_000,
);
