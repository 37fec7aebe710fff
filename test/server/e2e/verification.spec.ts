import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AssuranceJob } from "../../../src/identity/verification/assurance.job.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { aTime, newAgent, newWorkspace } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let tool: http.Server;
/** The requests that the customer's look-up tool received, and its responses. */
let asked: { authorization?: string; body: unknown }[];
let known: unknown;
beforeAll(async () => {
  tool = http.createServer((request, response) => {
    let text = "";
    request
      .on("data", (chunk) => {
        text += chunk;
      })
      .on("end", () => {
        asked.push({ authorization: request.headers.authorization, body: JSON.parse(text) });
        response.setHeader("content-type", "application/json").end(JSON.stringify(known));
      });
  });
  await new Promise<void>((resolve) => {
    tool.listen(0, "127.0.0.1", resolve);
  });
  asked = [];
  app = await startApp({ OUTBOUND_ALLOW: [`127.0.0.1:${(tool.address() as AddressInfo).port}`] });
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await app.close();
  await new Promise((resolve) => {
    tool.close(resolve);
  });
});

const QUESTIONS = [
  { key: "postcode", prompt: "What is your postcode?", attribute: "postcode" },
  { key: "birthday", prompt: "When were you born?", attribute: "birthday" },
  { key: "pet", prompt: "What was your first pet called?", attribute: "pet" },
  { key: "name", prompt: "What is your name?", attribute: "name" },
];
const PERSON = {
  name: "Ada Lovelace",
  attributes: { postcode: "EC1A 1BB", birthday: "1985-04-03", pet: "Señor Whiskers" },
};
const RIGHT: Record<string, string> = {
  "What is your postcode?": "it is ec1a1bb",
  "When were you born?": "3 April 1985",
  "What was your first pet called?": "senor whiskers",
  "What is your name?": "ADA LOVELACE",
};

/** A new workspace for each test, so that tests do not share settings and sources. */
async function workspace(
  settings: object = {},
  sources: object[] | null = [{ name: "contact_attributes", type: "contact_attributes", questions: QUESTIONS }],
): Promise<string> {
  const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
  await owner.put(`/api/workspaces/${id}/identity-settings`, settings, 200);
  if (sources) await owner.put(`/api/workspaces/${id}/verification-sources`, { sources }, 200);
  return id;
}
interface Call {
  id: string;
  contactId: string;
  path: `/api/conversations/${string}`;
  workspaceId: string;
}
async function call(workspaceId: string, body: object = { contact: PERSON }): Promise<Call> {
  const { id, contactId } = (await tenant.live.post("/api/conversations", { workspaceId, ...body }, 201)).body;
  return { id, contactId, workspaceId, path: `/api/conversations/${id}` };
}
const ask = async ({ path }: Call, count = 1) =>
  (await tenant.live.post(`${path}/verification/questions`, { count }, 200)).body.questions;
const answer = ({ path }: Call, questionId: string, text: string, options?: { headers: Record<string, string> }) =>
  tenant.live.post(`${path}/verification/answers`, { questionId, answer: text }, undefined, options);
const guess = async (one: Call, text: string) => answer(one, (await ask(one))[0]!.questionId, text);
const right = async (one: Call) => {
  const { questionId, prompt } = (await ask(one))[0]!;
  return answer(one, questionId, RIGHT[prompt]!);
};
const events = async ({ path }: Call) => (await tenant.live.get(`${path}/identity-events`, 200)).body.events;
const types = async (one: Call): Promise<string[]> => (await events(one)).map(({ eventType }) => eventType);
const assurance = async ({ path }: Call) => (await tenant.live.get(`${path}/assurance`, 200)).body;

describe("questions", () => {
  test("come from the sources, least-asked first, with one event each", async () => {
    const one = await call(await workspace({ promptVersion: "2026-11" }));
    const first = await ask(one, 3);
    const next = await ask(one, 5);
    expect([...first, ...next.slice(0, 1)].map(({ prompt }) => prompt).sort()).toEqual(
      QUESTIONS.map(({ prompt }) => prompt).sort(),
    );
    expect(next).toHaveLength(4);
    const all = await events(one);
    expect(all).toHaveLength(7);
    for (const event of all) {
      expect(event).toMatchObject({
        eventType: "kbv_question_asked",
        factorCategory: "knowledge",
        factorType: null,
        factorBoundToPrincipal: one.contactId,
        evidenceRef: "tool:contact_attributes",
        promptVersion: "2026-11",
      });
    }
  });

  test("are the same for a person without data, and every answer to them is wrong", async () => {
    const workspaceId = await workspace();
    const [known, unknown] = [await call(workspaceId), await call(workspaceId, { contact: {} })];
    expect((await ask(known, 4)).map(({ prompt }) => prompt)).toEqual(
      (await ask(unknown, 4)).map(({ prompt }) => prompt),
    );
    for (const text of ["null", "undefined", "[object Object]"])
      expect((await guess(unknown, text)).body.result).toBe("failed");
  });

  test("return 409 if no source is attached, with one event each time and one attention item that counts them", async () => {
    const one = await call(await workspace({}, null));
    for (let n = 0; n < 2; n++)
      expect((await tenant.live.post(`${one.path}/verification/questions`, {})).status).toBe(409);
    expect(await events(one)).toMatchObject(
      [1, 2].map(() => ({
        eventType: "verification_not_configured",
        scopeDimension: "workspace_id",
        scopeValues: [one.workspaceId],
      })),
    );
    expect((await tenant.live.get(`/api/attention-items?conversationId=${one.id}`, 200)).body.data).toMatchObject([
      { type: "verification_not_configured", occurrences: 2 },
    ]);
  });

  test("are not asked if the workspace does not allow this kind of proof", async () => {
    const one = await call(await workspace({ allowedFactors: ["magic_link"] }));
    expect((await tenant.live.post(`${one.path}/verification/questions`, {})).status).toBe(409);
    expect(await events(one)).toEqual([]);
  });
});

describe("an answer", () => {
  test("that completes the required number adds the factor and the level, with the events of each step", async () => {
    const one = await call(await workspace());
    expect((await right(one)).body).toEqual({ result: "passed", remainingAttempts: 3, assuranceLevel: "none" });
    expect((await right(one)).body).toEqual({ result: "passed", remainingAttempts: 3, assuranceLevel: "identified" });
    expect(await types(one)).toEqual([
      "kbv_question_asked",
      "kbv_question_passed",
      "kbv_question_asked",
      "kbv_question_passed",
      "factor_added",
      "assurance_level_reached",
    ]);
    const [, , , , factor, level] = await events(one);
    expect(factor).toMatchObject({
      factorCategory: "knowledge",
      factorType: "kba_dynamic",
      factorBoundToPrincipal: one.contactId,
      evidenceRef: "kbv:contact_attributes",
    });
    expect(level).toMatchObject({
      factorBoundToPrincipal: one.contactId,
      scopeDimension: "assurance_level",
      scopeValues: ["identified"],
    });
    expect((await tenant.live.get(one.path, 200)).body.assuranceLevel).toBe("identified");
    expect(await assurance(one)).toEqual({
      level: "identified",
      factors: [{ factorType: "kba_dynamic", factorCategory: "knowledge", addedAt: aTime, expiresAt: aTime }],
      locks: { conversation: null, identity: null, callerId: null },
      eid: { bound: false, approvals: [] },
      pendingLink: null,
    });
  });

  test("that is right twice to the same question counts once", async () => {
    const one = await call(
      await workspace({}, [{ name: "one", type: "contact_attributes", questions: QUESTIONS.slice(0, 1) }]),
    );
    for (let n = 0; n < 3; n++)
      expect((await right(one)).body).toMatchObject({ result: "passed", assuranceLevel: "none" });
    expect(await types(one)).not.toContain("factor_added");
  });

  test("that is right, however often, never reaches high-assurance alone", async () => {
    const one = await call(await workspace({ requiredCorrectAnswers: 1 }));
    for (let n = 0; n < 4; n++) expect((await right(one)).body.assuranceLevel).toBe("identified");
    expect((await types(one)).filter((type) => type === "assurance_level_reached")).toHaveLength(1);
  });

  test("that is wrong records a failed question and a failed factor, and takes an attempt", async () => {
    const one = await call(await workspace());
    expect((await guess(one, "no idea")).body).toEqual({
      result: "failed",
      remainingAttempts: 2,
      assuranceLevel: "none",
    });
    expect(await types(one)).toEqual(["kbv_question_asked", "kbv_question_failed", "factor_failed"]);
    expect((await events(one))[2]).toMatchObject({
      factorCategory: "knowledge",
      factorType: "kba_dynamic",
      factorBoundToPrincipal: one.contactId,
      evidenceRef: "kbv:contact_attributes",
    });
  });

  test("is accepted once; a retry with the same Idempotency-Key returns the same result and changes nothing", async () => {
    const one = await call(await workspace());
    const { questionId, prompt } = (await ask(one))[0]!;
    const headers = { "idempotency-key": `answer-${questionId}` };
    const first = await answer(one, questionId, RIGHT[prompt]!, { headers });
    const again = await answer(one, questionId, RIGHT[prompt]!, { headers });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await answer(one, questionId, "something else")).status).toBe(409);
    expect(await types(one)).toEqual(["kbv_question_asked", "kbv_question_passed"]);
  });

  test("to a question of another conversation, or an unknown one, returns 404", async () => {
    const workspaceId = await workspace();
    const [one, other] = [await call(workspaceId), await call(workspaceId)];
    const { questionId } = (await ask(other))[0]!;
    for (const id of [questionId, one.id]) expect((await answer(one, id, "x")).status).toBe(404);
  });

  test("is not stored, and neither is the right answer", async () => {
    const one = await call(await workspace());
    await guess(one, "needle-in-the-answer");
    const tables = await app.db.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    for (const { name } of tables) {
      const [{ found }] = (await app.db.query<{ found: number }>(
        `select count(*)::int as found from "${name}" t where to_jsonb(t)::text like '%needle-in-the-answer%'`,
      )) as [{ found: number }];
      expect([name, found]).toEqual([name, 0]);
    }
    expect(JSON.stringify(await events(one))).not.toMatch(/EC1A|1985|Whiskers|needle/);
  });
});

describe("the customer's look-up tool", () => {
  const source = (url: string) => ({
    name: "crm",
    type: "http",
    url,
    credentials: { authorization: "Bearer secret-of-the-tool" },
    questions: [{ key: "postcode", prompt: "Postcode?", path: "$.account.postcode" }],
  });
  const url = (scheme = "http"): string => `${scheme}://127.0.0.1:${(tool.address() as AddressInfo).port}/person`;

  test("is called with its credentials when an answer is compared, with an event of its own", async () => {
    const one = await call(await workspace({ requiredCorrectAnswers: 1 }, [source(url())]), {
      contact: { ...PERSON, externalId: `crm-${Date.now()}`, emails: ["ada@example.com"] },
    });
    known = { account: { postcode: "EC1A 1BB" } };
    asked = [];
    const { questionId } = (await ask(one))[0]!;
    expect(asked).toEqual([]);
    expect((await answer(one, questionId, "ec1a 1bb")).body).toMatchObject({
      result: "passed",
      assuranceLevel: "identified",
    });
    expect(asked).toEqual([
      {
        authorization: "Bearer secret-of-the-tool",
        body: {
          contactId: one.contactId,
          externalId: expect.stringMatching(/^crm-/),
          name: "Ada Lovelace",
          emails: ["ada@example.com"],
          phones: [],
        },
      },
    ]);
    expect(await types(one)).toEqual([
      "kbv_question_asked",
      "verification_agent_context_used",
      "kbv_question_passed",
      "factor_added",
      "assurance_level_reached",
    ]);
    expect((await events(one))[3]).toMatchObject({ eventType: "factor_added", evidenceRef: "kbv:crm" });
    known = { account: {} };
    expect((await guess(one, "null")).body.result).toBe("failed");
  });

  test("gets its credentials only on the host for which they were given", async () => {
    const workspaceId = await workspace({}, [source(url())]);
    const { credentials: _, ...without } = source("https://collector.example.com/");
    const { body } = await owner.put(
      `/api/workspaces/${workspaceId}/verification-sources`,
      { sources: [without] },
      200,
    );
    expect(body.sources[0]!.hasCredentials).toBe(false);
  });

  test("that cannot be reached makes the answer wrong, and the attempt counts", async () => {
    // TLS to a server that supports only plain HTTP.
    const one = await call(await workspace({ requiredCorrectAnswers: 1 }, [source(url("https"))]));
    expect((await guess(one, "EC1A 1BB")).body).toMatchObject({ result: "failed", remainingAttempts: 2 });
    expect(await types(one)).toEqual([
      "kbv_question_asked",
      "verification_agent_context_used",
      "kbv_question_failed",
      "factor_failed",
    ]);
    expect((await events(one))[1]).toMatchObject({ factorBoundToPrincipal: one.contactId, evidenceRef: "tool:crm" });
  });
});

describe("a lock", () => {
  test("of the conversation: at the cap no answer is compared, not even a right one, with one event and one attention item", async () => {
    const one = await call(await workspace());
    const open = await ask(one, 5);
    for (let n = 0; n < 3; n++)
      expect((await answer(one, open[n]!.questionId, "wrong")).body).toMatchObject({
        result: "failed",
        remainingAttempts: 2 - n,
      });
    expect((await answer(one, open[3]!.questionId, RIGHT[open[3]!.prompt]!)).status).toBe(409);
    expect((await tenant.live.post(`${one.path}/verification/questions`, {})).status).toBe(409);
    expect((await types(one)).filter((type) => type.includes("locked"))).toEqual(["identity_locked_per_call"]);
    expect((await events(one)).at(-1)).toMatchObject({
      factorBoundToPrincipal: one.contactId,
      evidenceRef: "lockout:per_call:cap=3",
    });
    expect((await assurance(one)).locks).toEqual({ conversation: { until: null }, identity: null, callerId: null });
    expect((await tenant.live.get(`/api/attention-items?conversationId=${one.id}`, 200)).body.data).toMatchObject([
      { type: "identity_locked", status: "open" },
    ]);
  });

  test("of the identity applies in every conversation and workspace, until 24 hours after the attempts", async () => {
    const [here, there] = [await workspace(), await workspace()];
    const first = await call(here);
    for (let n = 0; n < 3; n++) await guess(first, "wrong");
    const second = await call(there, { contactId: first.contactId });
    await guess(second, "wrong");
    expect((await guess(second, "wrong")).body.remainingAttempts).toBe(0);
    expect((await events(second)).at(-1)).toMatchObject({
      eventType: "identity_locked_per_24h",
      evidenceRef: "per_24h:cap=5",
    });
    const third = await call(here, { contactId: first.contactId });
    expect((await tenant.live.post(`${third.path}/verification/questions`, {})).status).toBe(409);
    const { locks } = await assurance(third);
    expect(locks).toEqual({ conversation: null, identity: { until: aTime }, callerId: null });
    expect(Date.parse(locks.identity!.until!) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    await app.db.query(`update verification_attempt set at = at - interval '24 hours' where contact_id = $1`, [
      first.contactId,
    ]);
    expect((await assurance(third)).locks.identity).toBeNull();
    expect((await guess(third, "wrong")).status).toBe(200);
  });

  test("of a caller ID applies to all callers from it, in any notation; a withheld number is never locked", async () => {
    const workspaceId = await workspace({ maxWrongPerCallerId24h: 2 });
    const numbers = ["+49 30 901820", "+4930901820", "+49 (30) 90 18 20"];
    for (let n = 0; n < 2; n++) await guess(await call(workspaceId, { contact: {}, callerId: numbers[n] }), "wrong");
    const third = await call(workspaceId, { contact: {}, callerId: numbers[2] });
    expect((await tenant.live.post(`${third.path}/verification/questions`, {})).status).toBe(409);
    expect((await assurance(third)).locks.callerId).toEqual({ until: aTime });
    const [{ scopeValues }] = (await app.db.query<{ scopeValues: string[] }>(
      `select scope_values as "scopeValues" from identity_event where event_type = 'ani_blocked' and workspace_id = $1`,
      [workspaceId],
    )) as [{ scopeValues: string[] }];
    expect(scopeValues).toEqual(["+4930901820"]);
    for (let n = 0; n < 4; n++)
      expect((await guess(await call(workspaceId, { contact: {}, callerId: null }), "wrong")).status).toBe(200);
  });

  test("can be lifted only by an owner or admin, who is recorded", async () => {
    const one = await call(await workspace());
    for (let n = 0; n < 3; n++) await guess(one, "wrong");
    const agent = await newAgent(owner, [one.workspaceId]);
    for (const client of [agent, tenant.live])
      expect((await client.post(`${one.path}/verification/unlock`)).status).toBe(403);
    await owner.post(`${one.path}/verification/unlock`, undefined, 200);
    expect((await assurance(one)).locks.conversation).toBeNull();
    expect((await right(one)).body.result).toBe("passed");
    // Each forgiven attempt keeps its conversation, person and caller, and records who forgave it and when.
    const rows = await app.db.query(
      "select forgiven_by as by, contact_id as person, forgiven_at between now() - interval '1 minute' and now() as now from verification_attempt where conversation_id = $1 and forgiven_at is not null",
      [one.id],
    );
    const { id: by } = (await owner.get("/api/me", 200)).body;
    expect(rows).toEqual([1, 2, 3].map(() => ({ by, person: one.contactId, now: true })));
  });
});

describe("a gate", () => {
  test("returns 200 if the level is reached, and otherwise says what is missing", async () => {
    const one = await call(await workspace({ requiredCorrectAnswers: 1 }));
    const gate = (level: string) =>
      tenant.live.post(`${one.path}/verification/require`, { level, purpose: "change the payout account" });
    expect([(await gate("identified")).status, (await gate("identified")).body.error]).toEqual([
      409,
      expect.stringMatching(/identified.*none/),
    ]);
    await right(one);
    expect((await gate("identified")).body).toEqual({ ok: true });
    expect((await gate("high-assurance")).status).toBe(409);
  });

  test("does not accept an expired level; the job lowers it, and reaching it again is a new event", async () => {
    const one = await call(await workspace({ requiredCorrectAnswers: 1, factorLifetimeMinutes: 1 }));
    await right(one);
    await app.db.query(
      `update verification_factor set expires_at = clock_timestamp() - interval '1 millisecond' where conversation_id = $1`,
      [one.id],
    );
    expect((await assurance(one)).level).toBe("none");
    await app.db.query(
      `update assurance_due set due_at = clock_timestamp() - interval '1 second' where conversation_id = $1`,
      [one.id],
    );
    await app.app.get(AssuranceJob).tick();
    expect((await tenant.live.get(one.path, 200)).body.assuranceLevel).toBe("none");
    expect(await app.db.query("select from assurance_due where conversation_id = $1", [one.id])).toEqual([]);
    expect((await right(one)).body.assuranceLevel).toBe("identified");
    expect((await types(one)).filter((type) => type === "assurance_level_reached")).toHaveLength(2);
  });

  test("needs a conversation within the caller's reach", async () => {
    const one = await call(await workspace());
    const elsewhere = await keyFor(owner, {
      dataScope: { level: "workspace", workspaceId: tenant.defaults.workspaceId },
    });
    for (const [path, body] of [
      ["questions", {}],
      ["answers", { questionId: one.id, answer: "x" }],
      ["require", { level: "identified", purpose: "x" }],
    ] as const) {
      expect([path, (await elsewhere.post(`${one.path}/verification/${path}`, body)).status]).toEqual([path, 404]);
    }
    expect((await elsewhere.get(`${one.path}/assurance`)).status).toBe(404);
  });
});
