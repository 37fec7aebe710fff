import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calendarFor } from "../calendar/support.js";
import { settled } from "../feed/support.js";
import { startApp, type TestApp } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { document, operations } from "../../support/contract.js";
import { makeFor, pendingAction, rate, send, type Side, signIn, snapshot, upload } from "./fixtures.js";
import { fingerprint, makeWorld, retryKey, type World } from "./probes.js";
import { ROUTES } from "../../support/routes.js";

const A_TIME = { title: "New", startsAt: "2030-05-06T09:00:00Z", endsAt: "2030-05-06T10:00:00Z", force: true };

/** One resource of each kind that an id in a query or body may name. */
interface Things {
  questions: string;
  codes: string;
  workspaces: string;
  brands: string;
  channels: string;
  contacts: string;
  conversations: string;
  messages: string;
  members: string;
  attachments: string;
  keys: string;
  types: string;
  accounts: string;
  entries: string;
  calendars: string;
  agents: string;
  sources: string;
  fileSources: string;
  procedures: string;
  tests: string;
}
/** A source of which a proposal waits. */
async function proposing(side: Side): Promise<string> {
  const id = await makeFor({ name: "things", resource: "sources" }, side);
  const entryId = await makeFor({ name: "things", resource: "kb-entries" }, side);
  const readFrom = { sourceId: id, url: null, section: "", readAt: new Date().toISOString() };
  await app.db.query("update kb_entry set read_from = $1 where id = $2", [JSON.stringify(readFrom), entryId]);
  return id;
}
/** A file that was read. */
async function fileSource(side: Side): Promise<string> {
  const body = { kind: "file", attachmentId: await upload(side) };
  const { id } = (await side.key.post(`/api/workspaces/${side.workspaceId}/sources`, body, 201)).body;
  await app.db.query("update source set status = 'ready' where id = $1", [id]);
  return id;
}
const things = async (side: Side): Promise<Things> => {
  const item = await makeFor({ name: "things", resource: "attention-items" }, side);
  const conversation = (await side.key.get(`/api/attention-items/${item}`, 200)).body.conversationId!;
  const { contactId } = (await side.key.get(`/api/conversations/${conversation}`, 200)).body;
  const { id: messages } = (await side.key.get(`/api/conversations/${conversation}/messages`, 200)).body.data[0]!;
  const agent = await signIn(side, "agent");
  // The member who replies becomes the conversation's assignee.
  await agent.post(`/api/conversations/${conversation}/reply`, { body: "Hello" }, 200);
  const { body: asked } = await side.key.post(`/api/conversations/${conversation}/verification/questions`, {}, 200);
  const { body: sent } = await side.key.post(
    `/api/conversations/${conversation}/verification/codes`,
    { channel: "email" },
    200,
  );
  const agents = await makeFor({ name: "things", resource: "agents" }, side);
  await rate(side, conversation, { memberId: agent.id, agentIds: [agents] });
  const types = await makeFor({ name: "things", resource: "case-types" }, side);
  await makeFor({ name: "things", resource: "circuit-breakers" }, side);
  const entries = await makeFor({ name: "POST /api/kb-entries/{id}/archive", resource: "kb-entries" }, side);
  await side.owner.post(
    "/api/cases",
    {
      workspaceId: side.workspaceId,
      title: "Theirs",
      contactId,
      conversationIds: [conversation],
      assigneeId: agent.id,
    },
    201,
  );
  await makeFor({ name: "things", resource: "canned-replies" }, side);
  await pendingAction(side, conversation);
  const { calendarId: calendars } = await calendarFor(side);
  await side.key.post(
    "/api/calendar/bookings",
    { calendarId: calendars, conversationId: conversation, ...A_TIME },
    201,
  );
  return {
    calendars,
    types,
    accounts: await makeFor({ name: "things", resource: "accounts" }, side),
    entries,
    agents,
    sources: await proposing(side),
    fileSources: await fileSource(side),
    procedures: await makeFor({ name: "things", resource: "procedures" }, side),
    tests: await makeFor({ name: "things", resource: "assistant-tests" }, side),
    questions: asked.questions[0]!.questionId,
    codes: sent.codeId,
    workspaces: side.workspaceId,
    brands: side.brandId,
    channels: side.channelId,
    contacts: contactId,
    conversations: conversation,
    messages,
    members: agent.id,
    attachments: await upload(side),
    keys: (await side.key.get("/api/me", 200)).body.id,
  };
};

/**
 * The expected result of a foreign id, for each query parameter that accepts an id. `shared`: both sides share the members,
 * so an id of the other side is not foreign.
 */
const IN_QUERY: Record<
  string,
  { of: keyof Things; answer: 404 | "empty" | "uncounted"; shared?: true; in?: keyof Things }
> = {
  "GET /api/conversations workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/conversation-counts workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/conversations contactId": { of: "contacts", answer: "empty" },
  "GET /api/conversations assigneeId": { of: "members", answer: "empty" },
  "GET /api/conversations/{id}/messages id": { of: "messages", answer: "empty", in: "conversations" },
  "GET /api/contacts ids": { of: "contacts", answer: "empty" },
  "GET /api/contacts workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/contacts accountId": { of: "accounts", answer: "empty" },
  "GET /api/audit-log actorId": { of: "keys", answer: "empty" },
  "GET /api/security-log actorId": { of: "members", answer: "empty", shared: true },
  "GET /api/security-log memberId": { of: "members", answer: "empty", shared: true },
  "GET /api/audit-log resourceId": { of: "conversations", answer: "empty" },
  "GET /api/calendar/connections workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/workspaces/{workspaceId}/kb-entries/pending sourceId": {
    of: "sources",
    answer: "empty",
    in: "workspaces",
  },
  "GET /api/calendar/bookings workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/calendar/bookings calendarId": { of: "calendars", answer: "empty" },
  "GET /api/calendar/bookings conversationId": { of: "conversations", answer: "empty" },
  "GET /api/calendar/bookings contactId": { of: "contacts", answer: "empty" },
  "GET /api/calendar/free-busy calendarId": { of: "calendars", answer: 404 },
  "GET /api/calendar/free-busy workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/canned-replies workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/cases workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/cases assigneeId": { of: "members", answer: "empty" },
  "GET /api/cases contactId": { of: "contacts", answer: "empty" },
  "GET /api/cases conversationId": { of: "conversations", answer: "empty" },
  "GET /api/changes workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/consumption workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/quality/scores workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/quality/circuit-breakers workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/quality/csat workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/quality/csat channelId": { of: "channels", answer: "uncounted" },
  "GET /api/quality/csat memberId": { of: "members", answer: "uncounted" },
  "GET /api/quality/csat agentId": { of: "agents", answer: "uncounted" },
  "GET /api/quality/csat/ratings workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/quality/csat/ratings conversationId": { of: "conversations", answer: "empty" },
  "GET /api/reports/{name} workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/reports/conversations workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/pending-actions workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/pending-actions conversationId": { of: "conversations", answer: "empty" },
  "GET /api/attention-items workspaceId": { of: "workspaces", answer: 404 },
  "GET /api/attention-items conversationId": { of: "conversations", answer: "empty" },
};
/** A body that is valid except for the id in question, for each body field that accepts one. `in` is the resource in the path that contains the id. */
const IN_BODY: Record<string, { of: keyof Things; body: (id: string, own: Things) => object; in?: keyof Things }> = {
  "POST /api/workspaces brandId": { of: "brands", body: (brandId) => ({ name: "New", brandId }) },
  "POST /api/conversations workspaceId": {
    of: "workspaces",
    body: (workspaceId) => ({ workspaceId, contact: { name: "New" } }),
  },
  "POST /api/conversations/search workspaceId": {
    of: "workspaces",
    body: (workspaceId) => ({ query: "hello", workspaceId }),
  },
  "POST /api/bulk-actions filter.workspaceId": {
    of: "workspaces",
    body: (workspaceId) => ({ filter: { workspaceId }, action: { type: "read" } }),
  },
  "POST /api/bulk-actions filter.contactId": {
    of: "contacts",
    body: (contactId) => ({ filter: { contactId }, action: { type: "read" } }),
  },
  "POST /api/bulk-actions filter.assigneeId": {
    of: "members",
    body: (assigneeId) => ({ filter: { assigneeId }, action: { type: "read" } }),
  },
  "POST /api/bulk-actions filter.ids[]": {
    of: "conversations",
    body: (id) => ({ filter: { ids: [id] }, action: { type: "read" } }),
  },
  "POST /api/bulk-actions action.memberId": {
    of: "members",
    body: (memberId, { contacts: contactId }) => ({ filter: { contactId }, action: { type: "assign", memberId } }),
  },
  "POST /api/conversations channelId": {
    of: "channels",
    body: (channelId, { workspaces }) => ({
      workspaceId: workspaces,
      channelId,
      contact: { name: "New", emails: ["new@example.com"] },
    }),
  },
  "POST /api/conversations contactId": {
    of: "contacts",
    body: (contactId, { workspaces }) => ({ workspaceId: workspaces, contactId, message: { body: "Hello" } }),
  },
  "POST /api/conversations/compose workspaceId": {
    of: "workspaces",
    body: (workspaceId, { contacts }) => ({ workspaceId, contactId: contacts, body: "Hello" }),
  },
  "POST /api/conversations/compose contactId": {
    of: "contacts",
    body: (contactId, { workspaces }) => ({ workspaceId: workspaces, contactId, body: "Hello" }),
  },
  "POST /api/conversations/compose channelId": {
    of: "channels",
    body: (channelId, { workspaces, contacts }) => ({
      workspaceId: workspaces,
      channelId,
      contactId: contacts,
      body: "Hello",
    }),
  },
  "POST /api/conversations/compose attachmentIds[]": {
    of: "attachments",
    body: (id, { workspaces, contacts }) => ({
      workspaceId: workspaces,
      contactId: contacts,
      body: "Hello",
      attachmentIds: [id],
    }),
  },
  "PUT /api/conversations/{id}/draft attachmentIds[]": {
    of: "attachments",
    body: (id) => ({ body: "Hello", attachmentIds: [id] }),
  },
  "POST /api/canned-replies workspaceId": {
    of: "workspaces",
    body: (workspaceId) => ({ workspaceId, shortcut: `s${uuid()}`, title: "New", body: "Hello" }),
  },
  "POST /api/canned-replies/{id}/render conversationId": {
    of: "conversations",
    body: (conversationId) => ({ conversationId }),
  },
  "POST /api/workspaces/{workspaceId}/sources attachmentId": {
    of: "attachments",
    body: (attachmentId) => ({ kind: "file", attachmentId }),
  },
  "PATCH /api/sources/{id} attachmentId": {
    of: "attachments",
    in: "fileSources",
    body: (attachmentId) => ({ attachmentId }),
  },
  "POST /api/views filter.workspaceId": {
    of: "workspaces",
    body: (workspaceId) => ({ name: "New", filter: { workspaceId } }),
  },
  "PATCH /api/views/{id} filter.workspaceId": {
    of: "workspaces",
    body: (workspaceId) => ({ name: "Renamed", filter: { workspaceId } }),
  },
  "POST /api/conversations/{id}/assign memberId": { of: "members", body: (memberId) => ({ memberId }) },
  "POST /api/conversations/{id}/take-over memberId": { of: "members", body: (memberId) => ({ memberId }) },
  "POST /api/conversations message.attachmentIds[]": {
    of: "attachments",
    body: (id, { workspaces }) => ({
      workspaceId: workspaces,
      contact: { name: "New" },
      message: { body: "Hello", attachmentIds: [id] },
    }),
  },
  "POST /api/conversations/{id}/messages attachmentIds[]": {
    of: "attachments",
    body: (id) => ({ body: "Hello", attachmentIds: [id] }),
  },
  "POST /api/conversations/{id}/reply attachmentIds[]": {
    of: "attachments",
    body: (id) => ({ body: "Hello", attachmentIds: [id] }),
  },
  "POST /api/conversations/{id}/reply agentId": { of: "agents", body: (agentId) => ({ body: "Hello", agentId }) },
  "POST /api/workspaces/{workspaceId}/policy-entries/evaluate agentId": {
    of: "agents",
    body: (agentId) => ({ tool: "refund", agentId }),
  },
  "POST /api/conversations/{id}/reply citations[].kbEntryId": {
    of: "entries",
    body: (kbEntryId) => ({ body: "Hello", citations: [{ kbEntryId, score: 1 }] }),
  },
  "POST /api/conversations/{id}/notes attachmentIds[]": {
    of: "attachments",
    body: (id) => ({ body: "Hello", attachmentIds: [id] }),
  },
  "POST /api/conversations/{id}/notes mentions[]": {
    of: "members",
    body: (memberId) => ({ body: "Hello", mentions: [memberId] }),
  },
  "POST /api/contacts/{id}/merge sourceContactId": {
    of: "contacts",
    body: (sourceContactId) => ({ sourceContactId, dryRun: true }),
  },
  "POST /api/contacts/bulk-actions ids[]": { of: "contacts", body: (id) => ({ ids: [id], type: "unblock" }) },
  "POST /api/contacts/bulk-actions accountId": {
    of: "accounts",
    body: (accountId, { contacts }) => ({ ids: [contacts], type: "link", accountId }),
  },
  "POST /api/accounts/bulk-actions ids[]": { of: "accounts", body: (id) => ({ ids: [id], type: "set", plan: "gold" }) },
  "PUT /api/contacts/{id}/account accountId": { of: "accounts", body: (accountId) => ({ accountId }) },
  "POST /api/api-keys dataScope.brandId": {
    of: "brands",
    body: (brandId) => ({ name: "New", scopes: ["kb:read"], dataScope: { level: "brand", brandId } }),
  },
  "POST /api/api-keys dataScope.workspaceId": {
    of: "workspaces",
    body: (workspaceId) => ({ name: "New", scopes: ["kb:read"], dataScope: { level: "workspace", workspaceId } }),
  },
  "POST /api/members workspaceIds[]": {
    of: "workspaces",
    body: (id, { workspaces }) => ({
      email: `${uuid()}@example.com`,
      name: "New",
      role: "agent",
      workspaceIds: [...new Set([workspaces, id])],
    }),
  },
  "PATCH /api/members/{id} workspaceIds[]": {
    of: "workspaces",
    body: (id, { workspaces }) => ({ name: "Renamed", workspaceIds: [...new Set([workspaces, id])] }),
  },
  "POST /api/agents workspaceIds[]": {
    of: "workspaces",
    body: (id, { workspaces }) => ({ name: "New", instructions: "Help", workspaceIds: [...new Set([workspaces, id])] }),
  },
  "PATCH /api/agents/{id} workspaceIds[]": {
    of: "workspaces",
    body: (id, { workspaces }) => ({ name: "Renamed", workspaceIds: [...new Set([workspaces, id])] }),
  },
  "POST /api/calendar/connections workspaceId": {
    of: "workspaces",
    body: (workspaceId) => ({
      workspaceId,
      serverUrl: "https://calendar.invalid/",
      username: "desk",
      password: "secret",
    }),
  },
  "POST /api/calendar/bookings calendarId": { of: "calendars", body: (calendarId) => ({ calendarId, ...A_TIME }) },
  "POST /api/calendar/bookings conversationId": {
    of: "conversations",
    body: (conversationId, { calendars }) => ({ calendarId: calendars, conversationId, ...A_TIME }),
  },
  "POST /api/calendar/bookings contactId": {
    of: "contacts",
    body: (contactId, { calendars }) => ({ calendarId: calendars, contactId, ...A_TIME }),
  },
  "PATCH /api/calendar/bookings/{id} conversationId": {
    of: "conversations",
    body: (conversationId) => ({ title: "Renamed", conversationId }),
  },
  "PATCH /api/calendar/bookings/{id} contactId": {
    of: "contacts",
    body: (contactId) => ({ title: "Renamed", contactId }),
  },
  "POST /api/cases workspaceId": { of: "workspaces", body: (workspaceId) => ({ workspaceId, title: "New" }) },
  "POST /api/cases typeId": {
    of: "types",
    body: (typeId, { workspaces }) => ({ workspaceId: workspaces, title: "New", typeId }),
  },
  "POST /api/cases contactId": {
    of: "contacts",
    body: (contactId, { workspaces }) => ({ workspaceId: workspaces, title: "New", contactId }),
  },
  "POST /api/cases assigneeId": {
    of: "members",
    body: (assigneeId, { workspaces }) => ({ workspaceId: workspaces, title: "New", assigneeId }),
  },
  "POST /api/cases conversationIds[]": {
    of: "conversations",
    body: (id, { workspaces }) => ({ workspaceId: workspaces, title: "New", conversationIds: [id] }),
  },
  "PATCH /api/cases/{id} contactId": { of: "contacts", body: (contactId) => ({ title: "Renamed", contactId }) },
  "PATCH /api/cases/{id} assigneeId": { of: "members", body: (assigneeId) => ({ title: "Renamed", assigneeId }) },
  "PATCH /api/cases/{id} conversationIds[]": {
    of: "conversations",
    body: (id) => ({ title: "Renamed", conversationIds: [id] }),
  },
  "POST /api/conversations/{id}/verification/codes/verify codeId": {
    of: "codes",
    in: "conversations",
    body: (codeId) => ({ codeId, code: "123456" }),
  },
  "POST /api/conversations/{id}/verification/answers questionId": {
    of: "questions",
    in: "conversations",
    body: (questionId) => ({ questionId, answer: "Ada" }),
  },
  "POST /api/workspaces/{workspaceId}/kb-entries evidence[].conversationId": {
    of: "conversations",
    body: (conversationId, { messages }) => ({
      question: "Q",
      answer: "A",
      evidence: [{ conversationId, messageId: messages }],
    }),
  },
  "POST /api/workspaces/{workspaceId}/policy-entries evidence[].conversationId": {
    of: "conversations",
    body: (conversationId, { messages }) => ({
      title: "T",
      rule: "R",
      effect: "deny",
      evidence: [{ conversationId, messageId: messages }],
    }),
  },
  "POST /api/workspaces/{workspaceId}/policy-entries evidence[].messageId": {
    of: "messages",
    body: (messageId, { conversations }) => ({
      title: "T",
      rule: "R",
      effect: "deny",
      evidence: [{ conversationId: conversations, messageId }],
    }),
  },
  "POST /api/workspaces/{workspaceId}/kb-entries evidence[].messageId": {
    of: "messages",
    body: (messageId, { conversations }) => ({
      question: "Q",
      answer: "A",
      evidence: [{ conversationId: conversations, messageId }],
    }),
  },
};

/** Steps that say this entry. */
const saying = (entryId: string) => ({ steps: [{ id: "told", type: "say", entryId }] });
const procedure = (more: object) => ({
  name: `Steps ${uuid()}`,
  startsWith: { entries: [], phrases: [] },
  steps: [{ id: "told", type: "say", text: "Hello" }],
  ...more,
});
const startingWith = (entry: string) => ({ startsWith: { entries: [entry], phrases: [] } });
const TESTS = "/api/workspaces/{workspaceId}/assistant-tests";
const testing = (expect: object) => ({ name: `A test ${uuid()}`, turns: [{ says: "Hello", expect }] });
const drafts = Object.fromEntries(
  [`${TESTS}/run`, "/api/workspaces/{workspaceId}/assistant-rehearsal"].flatMap((path) => [
    [
      `POST ${path} draft.entries[].kbEntryId`,
      { of: "entries", body: (kbEntryId: string) => ({ draft: { entries: [{ kbEntryId, ends: true }] } }) },
    ],
    [
      `POST ${path} draft.procedures[].procedureId`,
      {
        of: "procedures",
        body: (procedureId: string) => ({ draft: { procedures: [{ procedureId, status: "paused" }] } }),
      },
    ],
    [
      `POST ${path} draft.procedures[].startsWith.entries[]`,
      { of: "entries", body: (entry: string) => ({ draft: { procedures: [startingWith(entry)] } }) },
    ],
    [
      `POST ${path} draft.procedures[].steps[].entryId`,
      { of: "entries", body: (entry: string) => ({ draft: { procedures: [saying(entry)] } }) },
    ],
  ]),
) as typeof IN_BODY;
Object.assign(IN_BODY, {
  ...drafts,
  [`POST ${TESTS} conversationId`]: {
    of: "conversations",
    body: (conversationId) => ({ name: `A test ${uuid()}`, conversationId }),
  },
  [`POST ${TESTS} turns[].expect.kbEntryIds[]`]: { of: "entries", body: (entry) => testing({ kbEntryIds: [entry] }) },
  [`PATCH /api/assistant-tests/{id} turns[].expect.kbEntryIds[]`]: {
    of: "entries",
    body: (entry) => ({ turns: [{ says: "Hello", expect: { kbEntryIds: [entry] } }] }),
  },
  [`POST ${TESTS}/run testIds[]`]: { of: "tests", body: (id) => ({ testIds: [id] }) },
} satisfies typeof IN_BODY);
Object.assign(IN_BODY, {
  "POST /api/workspaces/{workspaceId}/procedures agentId": { of: "agents", body: (agentId) => procedure({ agentId }) },
  "POST /api/workspaces/{workspaceId}/procedures startsWith.entries[]": {
    of: "entries",
    body: (entry) => procedure(startingWith(entry)),
  },
  "POST /api/workspaces/{workspaceId}/procedures steps[].entryId": {
    of: "entries",
    body: (entry) => procedure(saying(entry)),
  },
  "PATCH /api/procedures/{id} startsWith.entries[]": { of: "entries", body: startingWith },
  "PATCH /api/procedures/{id} steps[].entryId": { of: "entries", body: saying },
  "POST /api/procedures/{id}/try steps[].entryId": {
    of: "entries",
    body: (entry) => ({ messages: ["Hello"], ...saying(entry) }),
  },
} satisfies typeof IN_BODY);

let app: TestApp;
let world: World;
let mine: Things;
let foreign: Record<string, Things>;
beforeAll(async () => {
  app = await startApp();
  world = await makeWorld(app);
  mine = await things(world.live);
  foreign = { "another tenant": await things(world.other), "the other side": await things(world.test) };
  await settled(app.db);
});
afterAll(() => app.close());

test("every query parameter and body field that accepts an id has a case here", () => {
  expect(
    operations
      .flatMap((operation) =>
        (operation.parameters ?? [])
          .filter((parameter) => parameter.in === "query" && holdsUuid(parameter.schema))
          .map(({ name }) => `${operation.method} ${operation.path} ${name}`),
      )
      // Participants have no path of their own; test/server/channels/mail-people.spec.ts covers it.
      .filter((name) => name !== "DELETE /api/conversations/{id}/participants participantId")
      .sort(),
  ).toEqual(Object.keys(IN_QUERY).sort());
  // test/server/webchat covers visitors' uploads.
  expect(
    operations
      .filter((operation) => operation["x-access"] !== "public")
      .flatMap((operation) =>
        uuidsOf(operation.requestBody?.content["application/json"]?.schema).map(
          (place) => `${operation.method} ${operation.path} ${place}`,
        ),
      )
      .sort(),
  ).toEqual(Object.keys(IN_BODY).sort());
});

const callerOf = (route: { access: string }): Client => (route.access === "scope" ? world.live.key : world.live.owner);
const split = (place: string) => {
  const [method, path, field] = place.split(" ") as [string, string, string];
  return { route: ROUTES.find(({ name }) => name === `${method} ${path}`)!, field };
};

const AS_ABSENT = {
  404: /^404 \{"error":"[^"]+"\}$/,
  empty: /^200 (?:\{"data":\[\]\}|\[\])$/,
  uncounted: /^200 \{.*"total":\{"asked":0,"answered":0,.*"groups":\[\]\}$/,
};
describe.each(Object.entries(IN_QUERY))("in the query, %s", (place, { of, answer, shared, in: within }) => {
  test(`an id of another tenant or side is treated like an absent one: ${answer}`, async () => {
    const { route, field } = split(place);
    const ask = (client: Client, id: string) =>
      send(client, route, { id: within && mine[within], query: `?${field}=${id}` });
    const absent = await ask(callerOf(route), uuid());
    expect(`${absent.status} ${absent.text}`).toMatch(AS_ABSENT[answer]);
    for (const [whose, ids] of Object.entries(foreign)) {
      if (shared && whose === "the other side") continue;
      expect(fingerprint(await ask(callerOf(route), ids[of])), whose).toBe(fingerprint(absent));
      expect(fingerprint(await ask(world.live.owner, ids[of])), whose).toBe(fingerprint(absent));
    }
    if (route.access === "scope")
      for (const [name, client] of Object.entries(world.restricted)) {
        expect(fingerprint(await ask(client, mine[of])), name).toBe(fingerprint(await ask(client, uuid())));
      }
    const body = (await ask(callerOf(route), mine[of])).body as unknown[] | { data?: unknown[]; groups?: unknown[] };
    const found = Array.isArray(body) ? body : answer === "uncounted" ? body.groups : body.data;
    expect(found, "an id of one's own").not.toEqual([]);
  });
});

describe.each(Object.entries(IN_BODY))("in the body, %s", (place, { of, body, in: within }) => {
  const { route } = split(place);
  /** Creates new path ids each time, so that only the id in question can cause a 404. */
  const pathId = async (): Promise<string | undefined> =>
    within
      ? mine[within]
      : route.resource === "workspaces"
        ? world.live.workspaceId
        : route.resource === undefined
          ? undefined
          : makeFor(route, world.live);

  test("an id of another tenant or side returns 404 like an absent one, and nothing is written", async () => {
    const id = await pathId();
    const ask = (named: string, headers = {}) => send(callerOf(route), route, { id, body: body(named, mine), headers });
    const before = await snapshot(app.db);
    const absent = fingerprint(await ask(uuid()));
    expect(absent).toMatch(/^404 \{"error":"[^"]+"\}\n/);
    for (const [whose, ids] of Object.entries(foreign)) {
      // Both sides have the same members. test/server/e2e/actions.spec.ts covers members who work on the other side only.
      if (of === "members" && whose === "the other side") continue;
      expect(fingerprint(await ask(ids[of])), whose).toBe(absent);
      if (route.method === "POST")
        expect(fingerprint(await ask(ids[of], retryKey())), `${whose}, with an Idempotency-Key`).toBe(absent);
    }
    expect(await snapshot(app.db)).toEqual(before);
    // An attached file cannot be attached again.
    expect(
      (await ask(of === "attachments" ? await upload({ ...world.live, key: callerOf(route) }) : mine[of])).status,
      "an id of one's own",
    ).toBeLessThan(300);
  });

  if (route.access !== "scope") return;
  test("an id out of the caller's reach returns 404 like an absent one, and nothing is written", async () => {
    const own = {
      ...mine,
      workspaces: world.elsewhere.workspaceId,
      brands: world.elsewhere.brandId,
      channels: world.elsewhere.channelId,
    };
    const id = route.resource === "workspaces" ? world.elsewhere.workspaceId : await pathId();
    const before = await snapshot(app.db);
    for (const [name, client] of Object.entries(world.restricted)) {
      if (client.role && !route.roles.includes(client.role)) continue;
      const ask = async (named: string) => fingerprint(await send(client, route, { id, body: body(named, own) }));
      const absent = await ask(uuid());
      expect(absent, name).toMatch(/^404 /);
      expect(await ask(mine[of]), name).toBe(absent);
    }
    expect(await snapshot(app.db)).toEqual(before);
  });
});

test("a conversation cannot start on a channel of another workspace of the same tenant", async () => {
  const start = (workspaceId: string, channelId: string) =>
    world.live.key.post("/api/conversations", { workspaceId, channelId, contact: { name: "New" } });
  expect((await start(world.elsewhere.workspaceId, world.live.channelId)).status).toBe(404);
  expect((await start(world.elsewhere.workspaceId, world.elsewhere.channelId)).status).toBe(201);
});

/** The places of a schema that hold ids: `workspaceIds[]`, `dataScope.brandId`. */
function uuidsOf(schema: object | undefined): string[] {
  const {
    $ref,
    format,
    pattern = "",
    properties,
    items,
    allOf,
  } = (schema ?? {}) as {
    $ref?: string;
    format?: string;
    pattern?: string;
    properties?: Record<string, object>;
    items?: object;
    allOf?: object[];
  };
  if ($ref) return uuidsOf(document.components.schemas[$ref.split("/").pop()!]);
  const join = (head: string, rest: string): string =>
    rest === "" || rest.startsWith("[") ? head + rest : `${head}.${rest}`;
  return [
    ...new Set([
      // An id or another word, such as `none`, has a pattern.
      ...(format === "uuid" || pattern.includes("-[0-9a-fA-F]{12}") ? [""] : []),
      ...Object.entries(properties ?? {}).flatMap(([name, inner]) => uuidsOf(inner).map((rest) => join(name, rest))),
      ...(items ? uuidsOf(items).map((rest) => join("[]", rest)) : []),
      ...(allOf ?? []).flatMap(uuidsOf),
    ]),
  ];
}
function holdsUuid(schema: object): boolean {
  return uuidsOf(schema).length > 0;
}
