import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { NOT_FOUND, UNKNOWN_ID } from "../e2e/support.js";
import { PASSWORD } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { type Call, EidWorld } from "./eid-support.js";

// An approval proves who approves. Whether they are the contact is another question: the caller may have named their own eID.
let world: EidWorld;
let unproven: string;
beforeAll(async () => {
  world = await EidWorld.start();
  unproven = await world.workspace({}, { binding: {} });
});
afterAll(() => world.stop());
afterEach(() => {
  delete world.eid.forge;
});

/** The person approves a prompt, and their eID says this of them. */
async function approve(one: Call, person: string, claims: object = {}): Promise<string> {
  const id = await world.pushToStranger(one, person);
  world.eid.forge = { claims: { ...claims } };
  await world.eid.approve();
  await world.tick();
  return id;
}
const confirm = (requestId: string, by: Client = world.owner) =>
  by.post(`/api/eid-requests/${requestId}/confirm`, undefined);
/** An agent of one workspace, signed in on the test side. */
async function agentOf(workspaceId: string): Promise<Client> {
  const email = `agent-${workspaceId}@example.com`;
  await world.owner.post(
    "/api/members",
    { email, name: "Agent", role: "agent", workspaceIds: [workspaceId], password: PASSWORD },
    201,
  );
  return world.owner.as(undefined).login(email, PASSWORD, "test");
}
const unbind = (contactId: string, expected = 200) =>
  world.owner.delete(`/api/contacts/${contactId}/eid-binding`, expected as 200);
const bindings = (contactId: string) =>
  world.app.db.query("select from eid_binding where contact_id = $1", [contactId]);
const GRANTED = ["eid_approval_requested", "eid_approval_granted"];
const REACHED = ["factor_added", "assurance_level_reached"];

describe("a first approval", () => {
  test("raises no level and binds nobody, because the caller may have named their own eID", async () => {
    const one = await world.call(unproven);
    const requestId = await approve(one, "stranger-1");
    expect(await world.types(one)).toEqual(GRANTED);
    expect([await world.level(one), await bindings(one.contactId)]).toEqual(["none", []]);
    expect(await world.assurance(one)).toMatchObject({
      level: "none",
      factors: [],
      eid: { bound: false, approvals: [{ requestId, scheme: "bank-id" }] },
    });
    const { approvedAt, expiresAt } = (await world.assurance(one)).eid.approvals[0]!;
    expect(Math.round((Date.parse(expiresAt) - Date.parse(approvedAt)) / 60_000)).toBe(30);
    await world.key.post(`${one.path}/verification/require`, { level: "identified", purpose: "a test" }, 409);
    // The person is not the one of the contact the next time either.
    await approve(one, "stranger-1");
    expect(await world.level(one)).toBe("none");
  });

  test.each([
    [
      "in another order, with accents and a comma",
      "Müller, Anna-Lena",
      { given_name: "Anna Lena", family_name: "Mueller" },
    ],
    ["from the claim name", "Ada Lovelace", { name: "ADA LOVELACE" }],
  ])("binds a person whose name and date of birth are on file: %s", async (_, name, claims) => {
    const workspace = await world.workspace(
      {},
      { binding: { match: "name_and_birthdate", birthdateAttribute: "born" } },
    );
    const one = await world.call(workspace, { contact: { name, attributes: { born: "3 April 1985" } } });
    await approve(one, `born-${name}`, { ...claims, birthdate: "1985-04-03" });
    expect(await world.types(one)).toEqual([...GRANTED, ...REACHED]);
    expect(await world.assurance(one)).toMatchObject({ level: "high-assurance", eid: { bound: true, approvals: [] } });
  });

  test.each([
    ["the name alone, which a visitor may have typed", { name: "Ada Lovelace" }, "Ada Lovelace", undefined],
    ["a date of birth that is not on file", {}, "Ada Lovelace", "1985-04-03"],
    ["another date of birth", { born: "1985-03-04" }, "Ada Lovelace", "1985-04-03"],
    ["a date of birth of which the century is not on file", { born: "03.04.85" }, "Ada Lovelace", "1985-04-03"],
    ["a year alone", { born: "1985" }, "Ada Lovelace", "1985"],
    ["an unknown year", { born: "0000-04-03" }, "Ada Lovelace", "0000-04-03"],
    ["another name", { born: "1985-04-03" }, "Ada Byron", "1985-04-03"],
    ["a name with one more word", { born: "1985-04-03" }, "Ada Augusta Lovelace", "1985-04-03"],
    ["a single name", { born: "1985-04-03" }, "Ada", "1985-04-03"],
    ["no name", { born: "1985-04-03" }, undefined, "1985-04-03"],
  ])("does not bind by %s", async (what, attributes, name, birthdate) => {
    const workspace = await world.workspace(
      {},
      { binding: { match: "name_and_birthdate", birthdateAttribute: "born" } },
    );
    const one = await world.call(workspace, {
      contact: { name: what === "a single name" ? "Ada" : "Ada Lovelace", attributes },
    });
    await approve(one, `not-${what}`, { name, birthdate });
    expect([await world.types(one), await world.level(one), await bindings(one.contactId)]).toEqual([
      GRANTED,
      "none",
      [],
    ]);
  });

  test("binds a person by an identifier: the contact's externalId or an attribute, and nothing else", async () => {
    const byId = await world.workspace({}, { binding: { match: "identifier", identifierClaim: "customer" } });
    const byNumber = await world.workspace(
      {},
      { binding: { match: "identifier", identifierClaim: "customer", identifierAttribute: "number" } },
    );
    const cases: [string, object, unknown, string][] = [
      [byId, { externalId: "crm-1" }, "crm-1", "high-assurance"],
      [byId, { externalId: "crm-2" }, "crm-1", "none"],
      [byId, { externalId: "crm-3" }, undefined, "none"],
      [byId, {}, "", "none"],
      [byId, {}, null, "none"],
      [byNumber, { attributes: { number: 4711 } }, "4711", "high-assurance"],
      [byNumber, { attributes: { number: "4711" } }, "4712", "none"],
      [byNumber, { externalId: "4713" }, "4713", "none"],
      [byNumber, { attributes: { number: "" } }, "", "none"],
    ];
    for (const [n, [workspace, contact, customer, level]] of cases.entries()) {
      const one = await world.call(workspace, { contact });
      await approve(one, `identifier-${n}`, { customer });
      expect([n, await world.level(one)]).toEqual([n, level]);
    }
  });

  test("is refused if the person is bound to another contact, and raises the level if they are bound to this one", async () => {
    const workspace = await world.workspace();
    const one = await world.call(workspace);
    await world.push(one, "known");
    await world.eid.approve();
    await world.tick();
    const other = await world.call(unproven);
    await approve(other, "known");
    expect(await world.types(other)).toEqual(["eid_approval_requested", "factor_failed"]);
    expect((await world.assurance(other)).eid.approvals).toEqual([]);
    const again = await world.call(unproven, { contactId: one.contactId });
    await approve(again, "known");
    expect(await world.level(again)).toBe("high-assurance");
  });
});

describe("a member's confirmation", () => {
  test("binds the person once another proof has identified the caller, with one audit entry", async () => {
    const one = await world.call(unproven);
    const requestId = await approve(one, "confirmed");
    const refused = await confirm(requestId);
    expect([refused.status, (refused.body as { error: string }).error]).toEqual([
      409,
      expect.stringContaining("Another proof must identify the caller"),
    ]);
    await world.identify(one);
    expect((await confirm(requestId)).status).toBe(200);
    expect((await world.types(one)).slice(2)).toEqual(REACHED);
    const { level, factors, eid } = await world.assurance(one);
    expect([level, eid]).toEqual(["high-assurance", { bound: true, approvals: [] }]);
    // It counts from the approval on, not from the confirmation.
    expect(Date.parse(factors[0]!.expiresAt) - Date.now()).toBeLessThanOrEqual(30 * 60_000);
    const { data } = (await world.owner.get(`/api/audit-log?resourceId=${one.contactId}`, 200)).body;
    expect(data[0]).toMatchObject({ resourceType: "contact", fields: ["eidBinding"], actor: { kind: "member" } });
    expect((await confirm(requestId)).status).toBe(409);
    const again = await world.call(unproven, { contactId: one.contactId });
    await approve(again, "confirmed");
    expect(await world.level(again)).toBe("high-assurance");
  });

  test("is for members with access to the workspace, not for API keys", async () => {
    const one = await world.call(unproven);
    const requestId = await approve(one, "by-whom");
    await world.identify(one);
    expect((await confirm(requestId, world.key)).status).toBe(403);
    expect(await confirm(requestId, await agentOf(await world.workspace()))).toMatchObject({
      status: 404,
      body: NOT_FOUND,
    });
    expect(await world.level(one)).not.toBe("high-assurance");
    expect((await confirm(requestId, await agentOf(unproven))).status).toBe(200);
  });

  test("is refused after the approval's time, and for a request that was not granted", async () => {
    const [one, other] = [await world.call(unproven), await world.call(unproven)];
    const requestId = await approve(one, "too-late");
    await Promise.all([world.identify(one), world.identify(other)]);
    expect((await confirm(UNKNOWN_ID)).status).toBe(404);
    const waiting = await world.pushToStranger(other, "never");
    expect((await confirm(waiting)).status).toBe(409);
    await world.eid.decline();
    await world.tick();
    expect((await confirm(waiting)).status).toBe(409);
    await world.app.db.query(
      "update eid_request set confirmable_until = clock_timestamp() - interval '1 second' where id = $1",
      [requestId],
    );
    expect((await confirm(requestId)).status).toBe(409);
    expect(await bindings(one.contactId)).toEqual([]);
  });

  test("is refused if the contact or the person was bound meanwhile", async () => {
    const one = await world.call(unproven);
    const [first, second] = [await approve(one, "first"), await approve(one, "second")];
    const other = await world.call(unproven);
    const theirs = await approve(other, "first");
    await Promise.all([world.identify(one), world.identify(other)]);
    expect((await confirm(first)).status).toBe(200);
    expect((await confirm(second)).status).toBe(409);
    expect((await confirm(theirs)).status).toBe(409);
    expect(await world.level(other)).not.toBe("high-assurance");
  });
});

describe("unbinding an eID", () => {
  test("ends its factors in all conversations of the contact, and keeps the events; the next approval is a first one", async () => {
    const workspace = await world.workspace();
    const one = await world.call(workspace);
    await world.push(one, "unbound");
    await world.eid.approve();
    await world.tick();
    const also = await world.call(unproven, { contactId: one.contactId });
    await approve(also, "unbound");
    await world.identify(also);
    const events = await world.events(one);
    expect((await unbind(one.contactId)).body).toEqual({ ok: true });
    expect([await world.level(one), await world.level(also)]).toEqual(["none", "identified"]);
    expect((await world.assurance(one)).eid.bound).toBe(false);
    expect(await world.events(one)).toEqual(events);
    const { data } = (await world.owner.get(`/api/audit-log?resourceId=${one.contactId}`, 200)).body;
    expect(data[0]).toMatchObject({ resourceType: "contact", fields: ["eidBinding"], counts: { eidBindings: 1 } });
    expect((await unbind(one.contactId)).body).toEqual({ ok: true });
    expect((await world.owner.get(`/api/audit-log?resourceId=${one.contactId}`, 200)).body.data).toHaveLength(
      data.length,
    );
    const next = await world.call(unproven, { contactId: one.contactId });
    await approve(next, "unbound");
    expect(await world.level(next)).toBe("none");
    await unbind(UNKNOWN_ID, 404);
  });

  test("makes approvals that wait for a confirmation void", async () => {
    const one = await world.call(unproven);
    const requestId = await approve(one, "void");
    await world.identify(one);
    await unbind(one.contactId);
    expect((await confirm(requestId)).status).toBe(409);
  });
});

describe("a merge", () => {
  test("ends what the merged contact has proven, and leaves the survivor what it has proven itself", async () => {
    const workspace = await world.workspace();
    const [survivor, source] = [await world.call(workspace), await world.call(workspace)];
    await world.push(source, "merged");
    await world.eid.approve();
    await world.tick();
    const more = await world.call(workspace, { contactId: source.contactId });
    await world.identify(more);
    await world.identify(survivor);
    await world.key.post(`${more.path}/verification/require`, { level: "identified", purpose: "a test" }, 200);
    await world.key.post(`${survivor.path}/verification/require`, { level: "identified", purpose: "a test" }, 200);
    const events = await world.events(source);
    const merge = (dryRun: boolean) =>
      world.key.post(`/api/contacts/${survivor.contactId}/merge`, { sourceContactId: source.contactId, dryRun }, 200);
    expect((await merge(true)).body).toMatchObject({ conversations: 2, assuranceLevelsLost: 2 });
    expect(await world.level(source)).toBe("high-assurance");
    await merge(false);
    for (const one of [source, more]) {
      expect(await world.assurance(one)).toMatchObject({ level: "none", factors: [] });
      expect(await world.level(one)).toBe("none");
      await world.key.post(`${one.path}/verification/require`, { level: "identified", purpose: "a test" }, 409);
    }
    expect(await world.level(survivor)).toBe("identified");
    expect(await world.events(source)).toEqual(
      events.map((event) => ({ ...event, factorBoundToPrincipal: survivor.contactId })),
    );
    // The eID is no proof of the survivor.
    expect(
      await world.app.db.query("select from eid_binding where contact_id = any ($1)", [
        [survivor.contactId, source.contactId],
      ]),
    ).toEqual([]);
    const next = await world.call(unproven, { contactId: survivor.contactId });
    await approve(next, "merged");
    expect(await world.level(next)).toBe("none");
  });

  test("makes links, eID requests, approvals and right answers of the merged contact void", async () => {
    const workspace = await world.workspace({ requiredCorrectAnswers: 2 }, { binding: {} });
    await world.owner.put(
      `/api/workspaces/${workspace}/verification-sources`,
      {
        sources: [
          {
            name: "file",
            type: "contact_attributes",
            questions: ["pin", "city", "pet"].map((key) => ({ key, prompt: `${key}?`, attribute: key })),
          },
        ],
      },
      200,
    );
    const attributes = { pin: "9503", city: "London", pet: "Rover" };
    const survivor = await world.call(workspace, { contact: { name: "Grace", emails: ["grace@example.com"] } });
    const source = await world.call(workspace, { contact: { name: "Ada", emails: ["ada@example.com"], attributes } });
    const ask = async () =>
      (await world.key.post(`${source.path}/verification/questions`, { count: 1 }, 200)).body.questions[0]!;
    const answer = async ({ questionId, prompt }: { questionId: string; prompt: string }) =>
      world.key.post(`${source.path}/verification/answers`, {
        questionId,
        answer: attributes[prompt.slice(0, -1) as keyof typeof attributes],
      });
    expect((await answer(await ask())).body).toMatchObject({ result: "passed", assuranceLevel: "none" });
    const open = await ask();
    await world.key.post(`${source.path}/verification/magic-links`, { channel: "email" }, 200);
    const { data } = (await world.owner.get("/api/captured-messages", 200)).body;
    const link = /http:\S+/.exec(data[0]!.body)![0];
    const approval = await approve(source, "void-approval");
    await world.identify(source);
    const waiting = await world.pushToStranger(source, "void-request");
    await world.pushToStranger(survivor, "own-request");
    await world.key.post(`/api/contacts/${survivor.contactId}/merge`, { sourceContactId: source.contactId }, 200);
    expect((await fetch(link, { method: "POST" })).status).toBe(404);
    expect((await answer(open)).status).toBe(404);
    expect((await answer(await ask())).body).toMatchObject({ result: "passed", assuranceLevel: "none" });
    await world.eid.approve();
    await world.tick();
    expect(await world.status(source)).toEqual(["granted", "expired"]);
    expect((await world.types(source)).filter((type) => type === "eid_approval_expired")).toHaveLength(1);
    expect(await world.status(survivor)).toEqual(["granted"]);
    await world.identify(source);
    for (const id of [approval, waiting]) expect((await confirm(id)).status).toBe(409);
    expect(await world.level(source)).not.toBe("high-assurance");
  });
});
