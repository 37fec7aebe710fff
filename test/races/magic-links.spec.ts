import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  captured,
  type Desk,
  eventsOf,
  LINK,
  open,
  pageOf,
  person,
  type Person,
  sendLink,
  testDesk,
  typesOf,
  workspace,
} from "../server/e2e/magic-links-support.js";
import type { TestApp } from "../support/app.js";
import type { Client } from "../support/client.js";
import { concurrently, on, startTwo, tally, type TwoNodes, untilWaiting } from "./support.js";
import { connect } from "../support/database.js";
import { runs } from "../support/seed.js";

let nodes: TwoNodes;
let app: TestApp;
let desk: Desk;
beforeAll(async () => {
  nodes = await startTwo();
  app = nodes.a;
  desk = await testDesk(app, await app.tenant());
});
afterAll(() => nodes.close());

const node = (n: number): TestApp => [nodes.a, nodes.b][n % 2]!;
/** The key on one of the nodes. */
const key = (n: number): Client => on(node(n), desk.key);
const press = (n: number, token: string, body = ""): Promise<Response> =>
  fetch(node(n).baseUrl + pageOf(token), {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body,
  });
async function sendCode({ path }: Person): Promise<{ codeId: string; code: string }> {
  const { codeId } = (await desk.key.post(`${path}/verification/codes`, { channel: "email" }, 200)).body;
  return { codeId, code: /^\d{6}$/m.exec((await captured(desk))[0]!.body)![0] };
}
const wrongOf = (code: string, n: number): string => String((Number(code) + n) % 1_000_000).padStart(6, "0");
const ROUNDS = runs(3, 16);

describe("on two nodes", () => {
  test("thirty concurrent presses of one link, while other clients open it, redeem it once", async () => {
    for (let round = 0; round < runs(1, 3); round++) {
      const one = await person(desk);
      const { token, linkId } = await sendLink(desk, one);
      const [presses] = await Promise.all([
        concurrently(30, (n) => press(n, token)),
        concurrently(10, (n) => open(node(n), token)),
      ]);
      expect(tally(presses.map(({ status }) => status))).toEqual({ 200: 1, 404: 29 });
      expect(await eventsOf(desk, one)).toMatchObject([
        { eventType: "factor_added", evidenceRef: `magic_link:${linkId}` },
        { eventType: "assurance_level_reached" },
      ]);
      expect(await app.db.query("select 1 from verification_factor where conversation_id = $1", [one.id])).toHaveLength(
        1,
      );
    }
  });

  test("only the newest of five links requested concurrently works", async () => {
    const one = await person(desk);
    const answers = await concurrently(5, (n) =>
      key(n).post(`${one.path}/verification/magic-links`, { channel: "email" }, 200),
    );
    const { data } = (await desk.owner.get("/api/captured-messages?limit=5", 200)).body;
    const statuses = [];
    for (const { body } of data) statuses.push((await press(0, LINK.exec(body)![1]!)).status);
    expect(tally(statuses)).toEqual({ 200: 1, 404: 4 });
    expect(new Set(answers.map(({ body }) => body.linkId)).size).toBe(5);
    expect(tally(await typesOf(desk, one))).toEqual({ factor_added: 1, assurance_level_reached: 1, factor_failed: 4 });
  });

  test("a press and a concurrent newer link: either the press counts or the link is replaced, never both", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const one = await person(desk);
      const { token, linkId } = await sendLink(desk, one);
      const [pressed] = await Promise.all([
        press(round, token),
        key(round + 1).post(`${one.path}/verification/magic-links`, { channel: "email" }, 200),
      ]);
      const [link] = await app.db.query<{ redeemed: boolean; replaced: boolean }>(
        "select redeemed_at is not null as redeemed, replaced_at is not null as replaced from magic_link where id = $1",
        [linkId],
      );
      expect([link, await typesOf(desk, one)]).toEqual(
        pressed.status === 200
          ? [{ redeemed: true, replaced: false }, ["factor_added", "assurance_level_reached"]]
          : [{ redeemed: false, replaced: true }, ["factor_failed"]],
      );
    }
  });

  test("a press and a concurrent erasure: either the link is redeemed and then erased, or it is gone", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const one = await person(desk);
      const { token } = await sendLink(desk, one);
      const [pressed] = await Promise.all([
        press(round, token),
        key(round + 1).post(`/api/contacts/${one.contactId}/erasure`, undefined, 200),
      ]);
      expect([200, 404]).toContain(pressed.status);
      expect(await eventsOf(desk, one)).toEqual([]);
      for (const table of ["magic_link", "verification_factor"])
        expect(await app.db.query(`select 1 from ${table} where conversation_id = $1`, [one.id])).toEqual([]);
    }
  });

  test("thirty concurrent guesses: five are compared, each is one event, and the right code is then not compared", async () => {
    const one = await person(desk);
    const { codeId, code } = await sendCode(one);
    const answers = await concurrently(30, (n) =>
      key(n).post(`${one.path}/verification/codes/verify`, { codeId, code: wrongOf(code, n + 1) }),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 5, 409: 25 });
    expect(tally(await typesOf(desk, one))).toEqual({ factor_failed: 5 });
    await desk.key.post(`${one.path}/verification/codes/verify`, { codeId, code }, 409);
  });

  test("thirty concurrent right codes redeem it once", async () => {
    const one = await person(desk);
    const { codeId, code } = await sendCode(one);
    const answers = await concurrently(30, (n) =>
      key(n).post(`${one.path}/verification/codes/verify`, { codeId, code }),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 29 });
    expect(await typesOf(desk, one)).toEqual(["factor_added", "assurance_level_reached"]);
  });

  test("thirty concurrent wrong numbers of a link: three count, and the link is void, with one event", async () => {
    const workspaceId = await workspace(desk, { settings: { requireLinkCode: true } });
    const one = await person({ ...desk, workspaceId });
    const { token, linkId, code } = await sendLink(desk, one);
    const wrong = code === "10" ? "11" : "10";
    const pressed = await concurrently(30, (n) => press(n, token, `code=${wrong}`));
    expect(tally(pressed.map(({ status }) => status))).toEqual({ 422: 2, 404: 28 });
    expect((await press(0, token, `code=${code}`)).status).toBe(404);
    expect(await app.db.query("select wrong_codes from magic_link where id = $1", [linkId])).toEqual([
      { wrong_codes: 3 },
    ]);
    // One for the wrong numbers, and one for pressing a link that is void by then.
    expect(tally(await typesOf(desk, one))).toEqual({ factor_failed: 2 });
  });

  test("a press while its address is removed: either it counts, or the link proves nothing", async () => {
    const seen = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const one = await person(desk);
      const { token } = await sendLink(desk, one);
      const [pressed] = await Promise.all([
        press(round, token),
        key(round + 1).patch(`/api/contacts/${one.contactId}`, { emails: [] }, 200),
      ]);
      seen.add(pressed.status);
      const { emails } = (await desk.key.get(`/api/contacts/${one.contactId}`, 200)).body;
      expect([emails, await typesOf(desk, one)]).toEqual([
        [],
        pressed.status === 200 ? ["factor_added", "assurance_level_reached"] : [],
      ]);
    }
    expect([...seen].every((status) => status === 200 || status === 404)).toBe(true);
  });

  test("a press while its contact is merged: a link that was redeemed after the merge proves nothing", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = [await person(desk), await person(desk)];
      const { token, linkId } = await sendLink(desk, one);
      const [survivor, source] = round % 2 ? [one, other] : [other, one];
      const [pressed] = await Promise.all([
        press(round, token),
        key(round + 1).post(`/api/contacts/${survivor.contactId}/merge`, { sourceContactId: source.contactId }, 200),
      ]);
      const [link] = await app.db.query<{ redeemed: boolean; replaced: boolean }>(
        "select redeemed_at is not null as redeemed, replaced_at is not null as replaced from magic_link where id = $1",
        [linkId],
      );
      expect(link).toEqual({ redeemed: pressed.status === 200, replaced: pressed.status !== 200 });
      const added = (await eventsOf(desk, one)).filter(({ eventType }) => eventType === "factor_added");
      expect(added).toHaveLength(pressed.status === 200 ? 1 : 0);
    }
  });

  test("two contacts that prove one address at the same time: it is verified on one of them, and both calls succeed", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const email = `shared-${round}-${crypto.randomUUID()}@example.com`;
      const people = [
        await person(desk, { contact: { emails: [email] } }),
        await person(desk, { contact: { emails: [email] } }),
      ];
      const links = [await sendLink(desk, people[0]!), await sendLink(desk, people[1]!)];
      const pressed = await concurrently(2, (n) => press(n, links[n]!.token));
      expect(pressed.map(({ status }) => status)).toEqual([200, 200]);
      expect(
        await app.db.query("select 1 from contact_point where value = $1 and verified_at is not null", [email]),
      ).toHaveLength(1);
    }
  });
});

describe("a press that finds its address in another transaction's hands", () => {
  test("waits for a removal, and then proves nothing", async () => {
    const one = await person(desk);
    const { token } = await sendLink(desk, one);
    const other = await connect(app.db.url);
    try {
      await other.query("begin");
      await other.query("delete from contact_point where contact_id = $1", [one.contactId]);
      const pressing = press(1, token);
      await untilWaiting(app.db, 1);
      await other.query("commit");
      expect([(await pressing).status, await typesOf(desk, one)]).toEqual([404, []]);
    } finally {
      await other.end();
    }
  });

  test("waits for another contact's proof of the address, and leaves it the address", async () => {
    const email = `shared-${crypto.randomUUID()}@example.com`;
    const [one, first] = [
      await person(desk, { contact: { emails: [email] } }),
      await person(desk, { contact: { emails: [email] } }),
    ];
    const { token } = await sendLink(desk, one);
    const other = await connect(app.db.url);
    try {
      await other.query("begin");
      await other.query(
        `select pg_advisory_xact_lock(hashtextextended('address ' || p.tenant_id || ' ' || p.kind || ' ' || p.value, 0))
        from contact_point p where p.contact_id = $1`,
        [first.contactId],
      );
      await other.query("update contact_point set verified_at = now() where contact_id = $1", [first.contactId]);
      const pressing = press(1, token);
      await untilWaiting(app.db, 1);
      await other.query("commit");
      expect([(await pressing).status, await typesOf(desk, one)]).toEqual([
        200,
        ["factor_added", "assurance_level_reached"],
      ]);
      expect(
        await app.db.query<{ id: string }>(
          "select contact_id as id from contact_point where value = $1 and verified_at is not null",
          [email],
        ),
      ).toEqual([{ id: first.contactId }]);
    } finally {
      await other.end();
    }
  });
});
