import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { EidJob } from "../../../src/identity/eid/eid.job.js";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { aTime, noticeChange } from "../e2e/support.js";
import { concurrently, tally } from "../../races/support.js";
import { startApp } from "../../support/app.js";
import { type Call, EidWorld } from "./eid-support.js";
import { Browser } from "./oidc-provider.js";

let world: EidWorld;
let workspaceId: string;
beforeAll(async () => {
  world = await EidWorld.start();
  workspaceId = await world.workspace({ promptVersion: "2026-11" });
});
afterAll(() => world.stop());
afterEach(() => {
  delete world.eid.forge;
  delete world.eid.atToken;
  delete world.eid.beforeToken;
});

const GRANTED = ["eid_approval_granted", "factor_added", "assurance_level_reached"];
const eidEvent = (eventType: string, { contactId }: Call) => ({
  eventType,
  factorCategory: "possession",
  factorType: "eid_verified",
  factorBoundToPrincipal: contactId,
  evidenceRef: "eid:bank-id",
  scopeDimension: null,
  scopeValues: null,
  promptVersion: "2026-11",
});

describe("a prompt", () => {
  test("that is approved reaches high-assurance, with each event once", async () => {
    const one = await world.call(workspaceId);
    await world.putOnFile(one, "ada");
    const { body } = await world.request(one, "push", { loginHint: "hint-of-ada" });
    expect(body).toEqual({ ok: true, requestId: expect.stringMatching(/^[\da-f-]{36}$/), expiresAt: aTime });
    expect(Date.parse(body.expiresAt) - Date.now()).toBeGreaterThan(100_000);
    await world.tick();
    expect(await world.types(one)).toEqual(["eid_approval_requested"]);
    await world.eid.approve();
    for (let n = 0; n < 3; n++) await world.tick();
    const events = await world.events(one);
    expect(events.slice(0, 2)).toMatchObject([
      eidEvent("eid_approval_requested", one),
      eidEvent("eid_approval_granted", one),
    ]);
    expect(events[2]).toMatchObject(eidEvent("factor_added", one));
    expect(events[3]).toMatchObject({
      eventType: "assurance_level_reached",
      factorBoundToPrincipal: one.contactId,
      scopeDimension: "assurance_level",
      scopeValues: ["high-assurance"],
    });
    expect(events).toHaveLength(4);
    expect((await world.key.get(`${one.path}/assurance`, 200)).body).toMatchObject({
      level: "high-assurance",
      factors: [{ factorType: "eid_verified", factorCategory: "possession" }],
    });
    await world.key.post(`${one.path}/verification/require`, { level: "high-assurance", purpose: "a test" }, 200);
    expect(await world.app.db.query("select from eid_due")).toEqual([]);
  });

  test("that is declined ends the request as denied", async () => {
    const one = await world.call(workspaceId);
    await world.push(one, "bob");
    await world.eid.decline();
    for (let n = 0; n < 2; n++) await world.tick();
    expect(await world.events(one)).toMatchObject([
      eidEvent("eid_approval_requested", one),
      eidEvent("eid_approval_denied", one),
    ]);
    expect(await world.level(one)).toBe("none");
  });

  test("that is not answered expires, when the provider says so or by the clock", async () => {
    const [one, other] = [await world.call(workspaceId), await world.call(workspaceId)];
    await world.push(one, "carl");
    world.eid.atToken = () => ({ status: 400, body: { error: "expired_token" } });
    await world.tick();
    delete world.eid.atToken;
    await world.push(other, "carl");
    await world.late(other);
    for (let n = 0; n < 2; n++) await world.tick();
    for (const call of [one, other])
      expect(await world.events(call)).toMatchObject([
        eidEvent("eid_approval_requested", call),
        eidEvent("eid_approval_expired", call),
      ]);
    await world.eid.decline();
  });

  test("that is approved too late is expired, once, even if the approval was on its way", async () => {
    const one = await world.call(workspaceId);
    await world.push(one, "dora");
    await world.eid.approve();
    world.eid.beforeToken = () => world.late(one);
    for (let n = 0; n < 2; n++) await world.tick();
    expect(await world.types(one)).toEqual(["eid_approval_requested", "eid_approval_expired"]);
    expect(await world.level(one)).toBe("none");
  });

  test("whose answer was lost with a process is expired", async () => {
    const one = await world.call(workspaceId);
    await world.push(one, "emil");
    await world.eid.approve();
    // Like a process that dies: it got the answer and stored nothing.
    const [id] = [...world.eid.secrets].filter((secret) => !secret.includes(".")).slice(-1);
    const answer = await fetch(`${world.eid.url}/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from("parley:needle-of-the-client-secret").toString("base64")}` },
      body: new URLSearchParams({ grant_type: "urn:openid:params:grant-type:ciba", auth_req_id: id! }),
    });
    expect(answer.status).toBe(200);
    for (let n = 0; n < 2; n++) await world.tick();
    expect(await world.types(one)).toEqual(["eid_approval_requested", "eid_approval_expired"]);
  });

  test("is polled no faster than the provider's interval, and slower after slow_down", async () => {
    const one = await world.call(workspaceId);
    const id = await world.push(one, "finn");
    const due = async () =>
      (
        await world.app.db.query<{ seconds: number; interval: number }>(
          `select extract(epoch from due_at - clock_timestamp())::float as seconds, interval_seconds as interval from eid_due where request_id = $1`,
          [id],
        )
      )[0]!;
    expect(await due()).toMatchObject({ interval: 5 });
    world.eid.atToken = () => ({ status: 400, body: { error: "slow_down" } });
    await world.tick();
    const { seconds, interval } = await due();
    expect(interval).toBe(10);
    expect(seconds).toBeGreaterThan(8);
    // A fault that may be temporary does not end the request.
    world.eid.atToken = () => ({ status: 502, body: {} });
    await world.tick();
    expect(await world.types(one)).toEqual(["eid_approval_requested"]);
    expect(await due()).toMatchObject({ interval: 10 });
    delete world.eid.atToken;
    await world.eid.decline();
    await world.tick();
  });

  test("is the only one that waits for a contact: a second one is refused and not pushed", async () => {
    const one = await world.call(workspaceId);
    await world.push(one, "gina");
    const second = await world.call(workspaceId, { contactId: one.contactId });
    const before = world.eid.asked.length;
    expect(await world.request(second, "push", { loginHint: "hint-of-gina" })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("still waits") },
    });
    expect(world.eid.asked).toHaveLength(before);
    await world.eid.decline();
    await world.tick();
  });

  test("that is retried with the same Idempotency-Key is pushed once", async () => {
    const one = await world.call(workspaceId);
    const send = () =>
      world.key.post(
        `${one.path}/verification/eid-requests`,
        { scheme: "bank-id", mode: "push", loginHint: "hint-of-hugo" },
        200,
        { headers: { "idempotency-key": `push-${one.id}` } },
      );
    const first = await send();
    const before = world.eid.asked.length;
    expect((await send()).text).toBe(first.text);
    expect(world.eid.asked).toHaveLength(before);
    expect(await world.types(one)).toEqual(["eid_approval_requested"]);
    await world.eid.decline();
    await world.tick();
  });

  test("without a loginHint goes to the verified phone, and is refused if there is none or the scheme does not know it", async () => {
    const one = await world.call(workspaceId);
    expect(await world.request(one, "push")).toMatchObject({
      status: 409,
      body: { error: "The eID scheme does not know this person" },
    });
    await world.app.db.query("update contact_point set verified_at = null where contact_id = $1", [one.contactId]);
    expect(await world.request(one, "push")).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining("give loginHint") },
    });
    expect(await world.types(one)).toEqual([]);
  });

  test("is polled by one of two processes at a time, and granted once", async () => {
    const second = await startApp({ OUTBOUND_ALLOW: [world.eid.host], LOG_LEVEL: "debug" }, world.app.db);
    try {
      const calls = await Promise.all(Array.from({ length: 6 }, () => world.call(workspaceId)));
      for (const [n, one] of calls.entries()) await world.push(one, `twice-${n}`);
      await world.eid.approve();
      world.eid.asked.length = 0;
      await world.app.db.query("update eid_due set due_at = clock_timestamp() - interval '1 second'");
      await Promise.all([1, 2].flatMap(() => [world.app, second].map(({ app }) => app.get(EidJob).tick())));
      expect(world.eid.asked.filter((asked) => asked === "POST /token")).toHaveLength(6);
      for (const one of calls) expect(await world.types(one)).toEqual(["eid_approval_requested", ...GRANTED]);
    } finally {
      await second.close();
    }
  });
});

describe("a link", () => {
  test("is issued without calling the scheme, and its URL is only in the mail", async () => {
    const one = await world.call(workspaceId);
    const before = world.eid.asked.length;
    const { body, text } = await world.request(one, "link");
    expect(world.eid.asked).toHaveLength(before);
    expect(body).toEqual({ ok: true, requestId: expect.any(String), expiresAt: aTime });
    expect(Math.round((Date.parse(body.expiresAt) - Date.now()) / 60_000)).toBe(10);
    expect(await world.events(one)).toMatchObject([eidEvent("eid_link_issued", one)]);
    const mail = (await world.owner.get("/api/captured-messages", 200)).body.data[0]!;
    const token = /start\/([\w-]+)/.exec(mail.body)![1]!;
    expect(text).not.toContain(token);
    expect(Buffer.from(token, "base64url").length).toBeGreaterThanOrEqual(16 + 16 + 32);
  });

  test("is not used up by opening it; its page works without scripts", async () => {
    const one = await world.call(workspaceId);
    const link = await world.link(one);
    const before = world.eid.asked.length;
    for (const method of ["GET", "HEAD", "GET"]) expect((await fetch(link, { method })).status).toBe(200);
    const page = await fetch(link);
    const text = await page.text();
    expect(text).toMatch(/<html lang="en">[^]*<form method="post"><button>/);
    expect(text).not.toContain("<script");
    expect(page.headers.get("content-security-policy")).toContain(`form-action 'self' https: ${world.eid.url}`);
    expect([page.headers.get("referrer-policy"), page.headers.get("cache-control")]).toEqual([
      "no-referrer",
      "no-store",
    ]);
    expect(world.eid.asked).toHaveLength(before);
    expect(await world.visit(link, "ilse")).toContain("You have confirmed who you are");
    expect(await world.types(one)).toEqual(["eid_link_issued", ...GRANTED]);
    expect(await world.level(one)).toBe("high-assurance");
    expect(await (await fetch(link)).text()).toContain("You have confirmed who you are");
  });

  test("whose person declines at the provider is denied", async () => {
    const one = await world.call(workspaceId);
    expect(await world.visit(await world.link(one), null)).toContain("You declined");
    expect(await world.events(one)).toMatchObject([
      eidEvent("eid_link_issued", one),
      eidEvent("eid_approval_denied", one),
    ]);
  });

  test("expires, and late completions change nothing", async () => {
    const [one, other] = [await world.call(workspaceId), await world.call(workspaceId)];
    const link = await world.link(one);
    await world.late(one);
    for (let n = 0; n < 2; n++) await world.tick();
    expect((await fetch(link)).status).toBe(404);
    expect(await fetch(link, { method: "POST", redirect: "manual" })).toMatchObject({ status: 404 });
    expect(await world.types(one)).toEqual(["eid_link_issued", "eid_approval_expired"]);
    // The person is at the provider at this moment.
    const browser = new Browser();
    world.eid.visitor = { person: "jan" };
    const back = await world.there(browser, await world.link(other));
    await world.late(other);
    expect((await browser.open(back)).text).toContain("not valid");
    await world.tick();
    expect((await browser.open(back)).text).toContain("not valid");
    expect(await world.types(other)).toEqual(["eid_link_issued", "eid_approval_expired"]);
  });

  test("counts once: repeating the callback, concurrently or later, changes nothing", async () => {
    const one = await world.call(workspaceId);
    const browser = new Browser();
    world.eid.visitor = { person: "kim" };
    const back = await world.there(browser, await world.link(one));
    world.eid.asked.length = 0;
    const pages = await concurrently(20, async () => (await browser.open(back)).text);
    expect(world.eid.asked.filter((asked) => asked === "POST /token")).toHaveLength(1);
    const told = tally(
      pages.map((page) =>
        page.includes("You have confirmed") ? "granted" : page.includes("not confirmed yet") ? "waiting" : page,
      ),
    );
    expect(Object.keys(told).sort()).toEqual(expect.arrayContaining(["granted"]));
    expect((told.granted ?? 0) + (told.waiting ?? 0)).toBe(20);
    expect((await browser.open(back)).text).toContain("You have confirmed");
    expect(await world.types(one)).toEqual(["eid_link_issued", ...GRANTED]);
  });

  test("is not completed in another browser or without its cookie, and can be begun again", async () => {
    const one = await world.call(workspaceId);
    const link = await world.link(one);
    const browser = new Browser();
    world.eid.visitor = { person: "lea" };
    const back = await world.there(browser, link);
    expect((await new Browser().open(back)).text).toContain("another browser");
    // Also not with the cookie of another link.
    const stranger = new Browser();
    await world.there(stranger, await world.link(await world.call(workspaceId)));
    expect((await stranger.open(back)).text).toContain("another browser");
    expect(await world.types(one)).toEqual(["eid_link_issued"]);
    const again = await world.there(browser, link);
    // The earlier state is no longer accepted.
    expect((await browser.open(back)).status).toBe(404);
    expect((await browser.open(again)).text).toContain("You have confirmed");
    expect(await world.types(one)).toEqual(["eid_link_issued", ...GRANTED]);
  });

  test("is not completed by a state that is forged, of another link, or missing", async () => {
    const [one, other] = [await world.call(workspaceId), await world.call(workspaceId)];
    const [mine, theirs] = [new Browser(), new Browser()];
    world.eid.visitor = { person: "mia" };
    const [back, foreign] = [
      new URL(await world.there(mine, await world.link(one))),
      new URL(await world.there(theirs, await world.link(other))),
    ];
    const state = back.searchParams.get("state")!;
    const forgery = state.slice(0, -2) + (state.endsWith("AA") ? "BB" : "AA");
    for (const wrong of [forgery, state.slice(1), "x", "", foreign.searchParams.get("state")!]) {
      const forged = new URL(back);
      forged.searchParams.set("state", wrong);
      const { text } = await mine.open(forged.href);
      expect(text).not.toContain("You have confirmed");
    }
    // The other link's code, in the right browser with the right state: PKCE and nonce do not match.
    const mixed = new URL(back);
    mixed.searchParams.set("code", foreign.searchParams.get("code")!);
    expect((await mine.open(mixed.href)).text).not.toContain("You have confirmed");
    for (const call of [one, other]) expect(await world.types(call)).toEqual(["eid_link_issued"]);
    expect((await fetch(`${world.app.baseUrl}/api/public/eid/callback`)).status).toBe(404);
  });

  test("is mailed in the language of the workspace, if the contact has an email", async () => {
    const german = await world.workspace();
    await world.app.db.query(`update workspace set primary_language = 'de' where id = $1`, [german]);
    const one = await world.call(german);
    expect(await (await fetch(await world.link(one))).text()).toMatch(/<html lang="de">[^]*Weiter mit eID/);
    const without = await world.call(workspaceId, { contact: { name: "Ada" } });
    expect((await world.request(without, "link")).status).toBe(409);
    expect((await world.request(one, "link", { loginHint: "x" })).status).toBe(400);
  });
});

describe("a token that does not verify", () => {
  const WRONG: [string, NonNullable<EidWorld["eid"]["forge"]>, ("push" | "link")[]][] = [
    ["a signature of another key", { otherKey: true }, ["push", "link"]],
    ["another issuer", { claims: { iss: "https://other.example.com" } }, ["push", "link"]],
    ["another audience", { claims: { aud: "somebody-else" } }, ["push", "link"]],
    ["a time that is over", { claims: { exp: Math.floor(Date.now() / 1_000) - 3_600 } }, ["push", "link"]],
    ["a lower level than asked for", { claims: { acr: "urn:example:loa:low" } }, ["push", "link"]],
    ["nobody", { claims: { sub: undefined } }, ["push", "link"]],
    ["another nonce", { claims: { nonce: "another" } }, ["link"]],
  ];
  test.each(WRONG)("because of %s is a failed factor and ends the request", async (_, forge, modes) => {
    for (const mode of modes) {
      const one = await world.call(workspaceId);
      if (mode === "push") {
        await world.push(one, "nora");
        await world.eid.approve();
        world.eid.forge = forge;
        for (let n = 0; n < 2; n++) await world.tick();
      } else {
        const link = await world.link(one);
        world.eid.forge = forge;
        expect(await world.visit(link, "nora")).toContain("could not confirm");
        expect(await (await fetch(link)).text()).toContain("could not confirm");
      }
      delete world.eid.forge;
      expect((await world.events(one)).slice(1)).toMatchObject([eidEvent("factor_failed", one)]);
      expect([await world.status(one), await world.level(one)]).toEqual([["failed"], "none"]);
    }
  });

  test("or an answer that names another issuer is a failed factor", async () => {
    const one = await world.call(workspaceId);
    const browser = new Browser();
    world.eid.visitor = { person: "otto" };
    const back = new URL(await world.there(browser, await world.link(one)));
    back.searchParams.set("iss", "https://other.example.com");
    expect((await browser.open(back.href)).text).toContain("could not confirm");
    expect(await world.types(one)).toEqual(["eid_link_issued", "factor_failed"]);
  });
});

describe("a person", () => {
  test("is bound to the contact by the first approval; another person is a failed factor", async () => {
    const one = await world.call(workspaceId);
    await world.push(one, "paul");
    await world.eid.approve();
    await world.tick();
    const elsewhere = await world.workspace();
    const again = await world.call(elsewhere, { contactId: one.contactId });
    await world.push(again, "quentin");
    await world.eid.approve();
    await world.tick();
    expect(await world.types(again)).toEqual(["eid_approval_requested", "factor_failed"]);
    expect([await world.status(again), await world.level(again)]).toEqual([["failed"], "none"]);
    await world.push(again, "paul");
    await world.eid.approve();
    await world.tick();
    expect((await world.types(again)).slice(2)).toEqual(["eid_approval_requested", ...GRANTED]);
  });

  test("is bound to one contact of the tenant, also under concurrency", async () => {
    const [one, other] = [await world.call(workspaceId), await world.call(workspaceId)];
    await Promise.all([world.push(one, "rosa"), world.push(other, "rosa")]);
    await world.eid.approve();
    await world.tick();
    expect((await Promise.all([one, other].map((call) => world.level(call)))).sort()).toEqual([
      "high-assurance",
      "none",
    ]);
    const refused = (await world.level(one)) === "none" ? one : other;
    expect(await world.types(refused)).toEqual(["eid_approval_requested", "factor_failed"]);
  });

  test("and the secrets of the flow are in no row, answer, event or log; an erasure removes the binding", async () => {
    const one = await world.call(workspaceId);
    const requestId = await world.pushToStranger(one, "needle-of-the-person");
    world.eid.forge = { claims: { name: "needle-of-the-name", birthdate: "needle-of-the-birthdate" } };
    await world.eid.approve();
    await world.tick();
    delete world.eid.forge;
    expect((await world.assurance(one)).eid.approvals).toMatchObject([{ requestId }]);
    await world.identify(one);
    await world.owner.post(`/api/eid-requests/${requestId}/confirm`, undefined, 200);
    const link = await world.link(one);
    await world.visit(link, "needle-of-the-person");
    const waiting = await world.call(workspaceId);
    await world.pushToStranger(waiting, "needle-of-another-person");
    const answers = JSON.stringify([
      await world.events(one),
      (await world.key.get(`${one.path}/assurance`, 200)).body,
      (await world.owner.get(`/api/workspaces/${workspaceId}/eid-schemes`, 200)).body,
    ]);
    const token = link.slice(link.lastIndexOf("/") + 1);
    const needles = ["needle-of", token, ...world.eid.secrets];
    expect(needles.length).toBeGreaterThan(8);
    const tables = await world.app.db.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await world.app.db.query<{ needle: string }>(
        `select distinct needle from "${name}" t, unnest($1::text[]) needle where position(needle in t::text) > 0 or position(encode(convert_to(needle, 'UTF8'), 'hex') in t::text) > 0`,
        [needles],
      );
      found.push(...rows.map(({ needle }) => `${needle.slice(0, 20)} in ${name}`));
    }
    expect(found).toEqual([]);
    expect(world.output).toContain("/api/public/eid/callback");
    for (const text of [answers, world.output]) expect(needles.filter((needle) => text.includes(needle))).toEqual([]);
    await world.owner.post(`/api/contacts/${one.contactId}/erasure`, undefined, 200);
    for (const table of ["eid_request", "eid_binding"])
      expect(await world.app.db.query(`select from ${table} where contact_id = $1`, [one.contactId])).toEqual([]);
    // The person can be bound to another contact again.
    await world.eid.decline();
    await world.tick();
  });

  test("who is erased while they approve leaves nothing behind", async () => {
    const one = await world.call(workspaceId);
    await world.push(one, "sven");
    await world.eid.approve();
    world.eid.beforeToken = async () => {
      await world.owner.post(`/api/contacts/${one.contactId}/erasure`, undefined, 200);
    };
    await world.tick();
    expect(await world.events(one)).toEqual([]);
    expect(
      await world.app.db.query(
        "select from eid_binding b join contact k on k.id = b.contact_id where k.erased_at is not null",
      ),
    ).toEqual([]);
    expect(await world.status(one)).toEqual([]);
  });
});

describe("an approval", () => {
  test("is refused if it is not allowed, not configured, out of reach, or requested too often", async () => {
    const one = await world.call(await world.workspace({ allowedFactors: ["kba_dynamic"] }));
    expect((await world.request(one, "link")).status).toBe(409);
    const other = await world.call(workspaceId);
    expect(
      (await world.key.post(`${other.path}/verification/eid-requests`, { scheme: "none", mode: "link" })).status,
    ).toBe(409);
    expect(
      (await world.tenant.live.post(`${other.path}/verification/eid-requests`, { scheme: "bank-id", mode: "link" }))
        .status,
    ).toBe(404);
    for (let n = 0; n < 5; n++) expect((await world.request(other, "link")).status).toBe(200);
    const { status, headers } = await world.request(other, "link");
    expect([status, Number(headers.get("retry-after")) > 500]).toEqual([429, true]);
  });

  test("is deleted a day after it ended; its events and pending requests stay", async () => {
    const [one, waiting] = [await world.call(workspaceId), await world.call(workspaceId)];
    await world.visit(await world.link(one), null);
    await world.request(waiting, "link");
    const events = await world.events(one);
    await world.app.db.query(`update eid_request set finished_at = finished_at - interval '25 hours'`);
    expect((await world.app.app.get(DailyService).runNow())!.eidRequests).toBeGreaterThan(0);
    expect([await world.status(one), await world.status(waiting)]).toEqual([[], ["pending"]]);
    expect(await world.events(one)).toEqual(events);
  });

  test("works while questions are locked", async () => {
    const locked = await world.workspace({ maxWrongPerConversation: 1 });
    await world.owner.put(
      `/api/workspaces/${locked}/verification-sources`,
      {
        sources: [
          {
            name: "contact",
            type: "contact_attributes",
            questions: [{ key: "name", prompt: "Name?", attribute: "name" }],
          },
        ],
      },
      200,
    );
    const one = await world.call(locked);
    const { questionId } = (await world.key.post(`${one.path}/verification/questions`, {}, 200)).body.questions[0]!;
    await world.key.post(`${one.path}/verification/answers`, { questionId, answer: "wrong" }, 200);
    expect((await world.key.post(`${one.path}/verification/questions`, {})).status).toBe(409);
    await world.push(one, "tara");
    await world.eid.approve();
    await world.tick();
    expect(await world.level(one)).toBe("high-assurance");
  });

  test("makes a workspace with a scheme and without a source configured", async () => {
    const one = await world.call(workspaceId);
    const gate = () => world.key.post(`${one.path}/verification/require`, { level: "identified", purpose: "a test" });
    expect(await gate()).toMatchObject({ status: 409, body: { error: expect.stringContaining("identified") } });
    expect(await world.types(one)).toEqual([]);
    await world.push(one, "uwe");
    await world.eid.approve();
    await world.tick();
    expect((await gate()).status).toBe(200);
    // A level that was reached counts, although nothing is configured now.
    const bare = await world.workspace();
    const proven = await world.call(bare);
    await world.push(proven, "vera");
    await world.eid.approve();
    await world.tick();
    await world.owner.put(`/api/workspaces/${bare}/eid-schemes`, { schemes: [] }, 200);
    await world.key.post(`${proven.path}/verification/require`, { level: "high-assurance", purpose: "a test" }, 200);
    const unproven = await world.call(bare);
    expect(
      (await world.key.post(`${unproven.path}/verification/require`, { level: "identified", purpose: "a test" }))
        .status,
    ).toBe(409);
    expect(await world.types(unproven)).toEqual(["verification_not_configured"]);
  });

  test("ends as expired if its scheme was removed or has another issuer now", async () => {
    const changing = await world.workspace();
    const [one, other] = [await world.call(changing), await world.call(changing)];
    await world.push(one, "walt");
    const link = await world.link(other);
    await world.eid.approve();
    await world.owner.put(
      `/api/workspaces/${changing}/eid-schemes`,
      { schemes: [{ name: "bank-id", issuer: `${world.eid.url}/other`, clientId: "parley" }] },
      200,
    );
    await world.tick();
    expect(await world.types(one)).toEqual(["eid_approval_requested", "eid_approval_expired"]);
    expect((await fetch(link, { method: "POST", redirect: "manual" })).status).toBe(404);
  });

  test("returns 503 while the scheme cannot be reached, and writes nothing", async () => {
    const away = await world.workspace({}, { issuer: `${world.eid.url}/nowhere` });
    const one = await world.call(away);
    expect(await world.request(one, "push", { loginHint: "hint-of-x" })).toMatchObject({ status: 503 });
    const link = await world.link(one);
    expect(await (await fetch(link, { method: "POST", redirect: "manual" })).text()).toContain("not confirmed yet");
    expect(await world.types(one)).toEqual(["eid_link_issued"]);
  });
});

describe("a caller ID", () => {
  const started = async (callerId: string | null, body: object): Promise<Call> =>
    world.call(workspaceId, { callerId, ...body });
  const matched = (contactId: string) => ({
    eventType: "factor_added",
    factorCategory: "possession",
    factorType: "ani_match",
    factorBoundToPrincipal: contactId,
    evidenceRef: "tool:caller_id",
    promptVersion: "2026-11",
  });

  test("that is a verified phone of the contact adds a factor, and raises no level", async () => {
    const known = await world.call(workspaceId);
    const one = await started(known.phone, { contactId: known.contactId });
    expect(await world.events(one)).toMatchObject([matched(known.contactId)]);
    expect((await world.key.get(`${one.path}/assurance`, 200)).body).toMatchObject({
      level: "none",
      factors: [{ factorType: "ani_match" }],
    });
    expect(
      (await world.key.post(`${one.path}/verification/require`, { level: "identified", purpose: "a test" })).status,
    ).toBe(409);
    await world.push(one, "xena");
    await world.eid.approve();
    await world.tick();
    expect((await world.types(one)).filter((type) => type === "assurance_level_reached")).toHaveLength(1);
  });

  test("that is withheld, unverified, of another contact, or not allowed adds nothing", async () => {
    const [known, other] = [await world.call(workspaceId), await world.call(workspaceId)];
    const unverified = await world.call(workspaceId);
    await world.app.db.query("update contact_point set verified_at = null where contact_id = $1", [
      unverified.contactId,
    ]);
    const strict = await world.workspace({ allowedFactors: ["kba_dynamic"] });
    await noticeChange(world.app, world.tenant.testTenantId);
    for (const one of [
      await started(null, { contactId: known.contactId }),
      await started(other.phone, { contactId: known.contactId }),
      await started(unverified.phone, { contactId: unverified.contactId }),
      await world.call(strict, { contactId: known.contactId, callerId: known.phone }),
    ])
      expect(await world.events(one)).toEqual([]);
  });
});
