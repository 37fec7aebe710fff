import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Call, EidWorld } from "../server/identity/eid-support.js";
import { Browser } from "../server/identity/oidc-provider.js";
import type { Client } from "../support/client.js";
import { startApp, type TestApp } from "../support/app.js";
import { concurrently, on, tally } from "./support.js";
import { runs } from "../support/seed.js";

const BIRTHDATE = "1985-04-03";
const NAMED = { name: "Ada Lovelace", attributes: { birthdate: BIRTHDATE } };
const ROUNDS = runs(2, 8);

let world: EidWorld;
let second: TestApp;
let unproven: string;
let matching: string;
let serial = 0;
beforeAll(async () => {
  world = await EidWorld.start();
  second = await startApp({ OUTBOUND_ALLOW: [world.eid.host], LOG_LEVEL: "debug" }, world.app.db);
  unproven = await world.workspace({ requiredCorrectAnswers: 1 }, { binding: {} });
  matching = await world.workspace({}, { binding: { match: "name_and_birthdate" } });
  await world.owner.put(
    `/api/workspaces/${unproven}/verification-sources`,
    {
      sources: [
        {
          name: "file",
          type: "contact_attributes",
          questions: [{ key: "pin", prompt: "PIN?", attribute: "pin" }],
        },
      ],
    },
    200,
  );
});
afterAll(async () => {
  await second.close();
  await world.stop();
});
afterEach(() => {
  delete world.eid.forge;
});

const node = (n: number, client: Client = world.owner): Client => (n % 2 ? on(second, client) : client);
const confirm = (n: number, requestId: string) => node(n).post(`/api/eid-requests/${requestId}/confirm`, undefined);
const bindings = (contactId: string) =>
  world.app.db.query("select from eid_binding where contact_id = $1", [contactId]);

/** An approval that waits for a confirmation, in a conversation that another proof has identified. */
async function approved(person: string, forSeconds?: number): Promise<{ one: Call; requestId: string }> {
  const one = await world.call(unproven);
  const requestId = await world.pushToStranger(one, person);
  await world.eid.approve();
  await world.tick();
  await world.identify(one, forSeconds);
  return { one, requestId };
}

test("of two people who match the same file and approve concurrently, one is bound and the other is refused", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const one = await world.call(matching, { contact: { ...NAMED, emails: [`twins-${round}@example.com`] } });
    const other = await world.call(matching, { contactId: one.contactId });
    other.email = one.email = `twins-${round}@example.com`;
    const backs: [Browser, string][] = [];
    for (const [n, call] of [one, other].entries()) {
      world.eid.visitor = { person: `twin-${round}-${n}` };
      const browser = new Browser();
      backs.push([browser, await world.there(browser, await world.link(call))]);
    }
    world.eid.forge = { claims: { name: "Ada Lovelace", birthdate: BIRTHDATE } };
    await Promise.all(backs.map(([browser, back]) => browser.open(back)));
    const levels = [await world.level(one), await world.level(other)];
    expect([levels.toSorted(), await bindings(one.contactId)]).toEqual([
      ["high-assurance", "none"],
      [expect.anything()],
    ]);
    const refused = levels[0] === "none" ? one : other;
    expect(await world.types(refused)).toEqual(["eid_link_issued", "factor_failed"]);
  }
});

describe("a confirmation", () => {
  test("that is sent many times at once counts once", async () => {
    const { one, requestId } = await approved("confirmed-often");
    const answers = await concurrently(12, (n) => confirm(n, requestId));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 11 });
    expect((await world.types(one)).filter((type) => type === "factor_added")).toHaveLength(1);
    expect(await bindings(one.contactId)).toHaveLength(1);
  });

  test("of two approvals for one contact, or of one person for two contacts, counts once", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { one, requestId } = await approved(`first-${round}`);
      const also = await world.pushToStranger(one, `second-${round}`);
      await world.eid.approve();
      await world.tick();
      const { one: other, requestId: theirs } = await approved(`first-${round}`);
      const answers = await Promise.all([confirm(0, requestId), confirm(1, also), confirm(round, theirs)]);
      // The first excludes both others, which do not exclude each other.
      const [first, ...others] = answers.map(({ status }) => status);
      expect(others.map((status) => status === 200)).toEqual([first !== 200, first !== 200]);
      expect(await bindings(one.contactId)).toHaveLength(1);
      expect(await bindings(other.contactId)).toHaveLength(first === 200 ? 0 : 1);
    }
  });

  test("and a concurrent unbinding leave nothing bound", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { one, requestId } = await approved(`unbound-${round}`);
      const [confirmed] = await Promise.all([
        confirm(round, requestId),
        node(round + 1).delete(`/api/contacts/${one.contactId}/eid-binding`, 200),
      ]);
      expect([200, 409]).toContain(confirmed.status);
      expect([await bindings(one.contactId), (await world.assurance(one)).level]).toEqual([[], "identified"]);
    }
  });

  test("counts only while the other proof does", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { one, requestId } = await approved(`expires-${round}`, 0.15);
      let status = 0;
      for (let n = 0; n < 12 && status !== 200; n++) {
        if (round % 2) await new Promise((resolve) => setTimeout(resolve, 30 * n));
        ({ status } = await confirm(n, requestId));
      }
      const late = await world.app.db.query(
        `select from eid_binding b join verification_factor f on f.contact_id = b.contact_id
        where b.contact_id = $1 and f.factor_type = 'magic_link' and b.bound_at > f.expires_at`,
        [one.contactId],
      );
      expect(late).toEqual([]);
      expect(await bindings(one.contactId)).toHaveLength(status === 200 ? 1 : 0);
    }
  });
});

/** Proofs of the merged contact that are under way while it is merged. Each resolves to what it needs to be sent. */
const PROOFS: [string, (source: Call, n: number) => Promise<() => Promise<unknown>>][] = [
  [
    "a press of a link",
    async (source, n) => {
      await world.key.post(`${source.path}/verification/magic-links`, { channel: "email" }, 200);
      const { data } = (await world.owner.get("/api/captured-messages?limit=1", 200)).body;
      const page = new URL(/http:\S+/.exec(data[0]!.body)![0]).pathname;
      return () => fetch((n % 2 ? second : world.app).baseUrl + page, { method: "POST" });
    },
  ],
  [
    "a right answer",
    async (source, n) => {
      const { body } = await world.key.post(`${source.path}/verification/questions`, {}, 200);
      const { questionId } = body.questions[0]!;
      return () => node(n, world.key).post(`${source.path}/verification/answers`, { questionId, answer: "9503" });
    },
  ],
  [
    "an approval by a bound eID",
    async (source, n) => {
      await world.push(source, `merging-${n}`);
      await world.app.db.query(`update eid_due set due_at = clock_timestamp() + interval '1 minute'`);
      await world.eid.approve();
      return () => world.tick();
    },
  ],
  [
    "a confirmation",
    async (source, n) => {
      const requestId = await world.pushToStranger(source, `confirming-${n}`);
      await world.eid.approve();
      await world.tick();
      await world.identify(source);
      return () => confirm(n, requestId);
    },
  ],
];

test.each(PROOFS)(
  "%s that races with a merge never gives the merged contact's conversation a level",
  async (_, prepare) => {
    for (let round = 0; round < ROUNDS; round++) {
      const survivor = await world.call(unproven);
      const source = await world.call(unproven, {
        contact: { name: "Ada", emails: [`merged-${++serial}@example.com`], attributes: { pin: "9503" } },
      });
      const send = await prepare(source, round);
      const [merged] = await Promise.all([
        node(round + 1).post(`/api/contacts/${survivor.contactId}/merge`, { sourceContactId: source.contactId }),
        new Promise((resolve) => setTimeout(resolve, (round % 4) * 3)).then(send),
      ]);
      expect(merged.status, merged.text).toBe(200);
      expect(await world.assurance(source)).toMatchObject({ level: "none", factors: [], eid: { bound: false } });
      expect(await world.level(source)).toBe("none");
      expect(await bindings(survivor.contactId)).toEqual([]);
    }
  },
);
