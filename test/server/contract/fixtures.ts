import { randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { v7 as uuid } from "uuid";
import { TOTP_SEAL, totpSealContext } from "../../../src/auth/second-factors/totp.js";
import { SuggestionEntity } from "../../../src/assistant/suggestions/suggestion.entity.js";
import { raise, raiseAbout } from "../../../src/conversations/attention/raise.js";
import type { Environment } from "../../../src/platform/caller/caller.js";
import type { Role } from "../../../src/platform/caller/scope.js";
import { Sealer } from "../../../src/platform/database/seal.js";
import type { Tx } from "../../../src/platform/database/transaction.js";
import { PUSH_SEAL } from "../../../src/notices/push.service.js";
import { ratedEntities } from "../../../src/quality/csat/rated-entities.js";
import { recordOutcomes } from "../../../src/platform/outcomes/record-outcomes.js";
import { keyFor, PASSWORD, SECRET_KEY, type TestTenant } from "../../support/app.js";
import { type Answer, type Client, fileForm } from "../../support/client.js";
import { mailOf } from "../../support/formatted-mail.js";
import type { TestDatabase } from "../../support/database.js";
import { calendarFor } from "../calendar/support.js";
import { type Route, withName } from "../../support/routes.js";
import { run } from "../../support/sql.js";

/** One side of a tenant. The fixtures create everything in its default workspace. */
export interface Side {
  environment: Environment;
  tenantId: string;
  brandId: string;
  workspaceId: string;
  channelId: string;
  ownerId: string;
  /** A contact with a conversation in the default workspace. */
  contactId: string;
  /** A client with a key of all scopes. */
  key: Client;
  owner: Client;
  /** Runs work as the system, for states that no route creates. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

let changes = 0;
/** A number that no body had before. What is set to the value that it has leaves no audit entry. */
const another = (): number => ++changes;

const ASKS_FOR_NAMES = {
  name: "contact_attributes",
  type: "contact_attributes",
  questions: [{ key: "name", prompt: "Your name?", attribute: "name" }],
};
/** One pixel. */
const A_LOGO = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const A_SCHEME = { name: "bank-id", issuer: "https://eid.example.com", clientId: "parley" };
/** One right answer is enough for identification: the name of the contacts that the fixtures create. */
export async function askForNames(owner: Client, workspaceId: string): Promise<void> {
  await owner.put(`/api/workspaces/${workspaceId}/identity-settings`, { requiredCorrectAnswers: 1 }, 200);
  await owner.put(`/api/workspaces/${workspaceId}/verification-sources`, { sources: [ASKS_FOR_NAMES] }, 200);
  await owner.put(`/api/workspaces/${workspaceId}/eid-schemes`, { schemes: [A_SCHEME] }, 200);
}

export async function sideOf(tenant: TestTenant, environment: Environment = "live"): Promise<Side> {
  const live = environment === "live";
  const key = live ? tenant.live : tenant.test;
  const { brandId, workspaceId } = live ? tenant.defaults : tenant.testDefaults;
  const { body: channels } = await key.get(`/api/workspaces/${workspaceId}/channels`, 200);
  const tenantId = live ? tenant.tenantId : tenant.testTenantId;
  const owner = await tenant.owner(environment);
  await askForNames(owner, workspaceId);
  await owner.patch("/api/tenant", { webhooksPreview: true }, 200);
  calendars.set(
    workspaceId,
    (await calendarFor({ owner, workspaceId, transaction: (work) => tenant.transaction(tenantId, work) })).calendarId,
  );
  accounts.set(workspaceId, await account({ key, workspaceId }));
  const { body: me } = await owner.get("/api/me", 200);
  return {
    environment,
    tenantId,
    brandId,
    workspaceId,
    channelId: channels[0]!.id,
    ownerId: me.id,
    contactId: (await conversation({ key, workspaceId })).contactId,
    key,
    owner,
    transaction: (work) => tenant.transaction(tenantId, work),
  };
}

/** A member with the role, signed in on the side, assigned to the workspaces (default: the side's). */
export async function signIn(
  { owner, environment, workspaceId }: Side,
  role: Role,
  workspaceIds = [workspaceId],
): Promise<Client & { id: string; email: string }> {
  const email = `${role}-${randomUUID()}@example.com`;
  const { body } = await owner.post("/api/members", { email, name: role, role, workspaceIds, password: PASSWORD }, 201);
  return Object.assign(await owner.as(undefined).login(email, PASSWORD, environment), { id: body.id, email });
}

/** A browser whose push service cannot be reached. */
const pushSubscription = () => ({
  endpoint: `https://nobody.invalid/${randomUUID()}`,
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
});

/** Routes about the caller's own sign-in. They end sessions and change what a sign-in asks for. */
export const isOwn = ({ path }: Pick<Route, "path">): boolean => /^\/api\/(me|auth)\//.test(path);

/** A member with a second factor for one route about their own sign-in, so that it takes nothing from other routes, and the side as theirs. */
export async function ownMember(side: Side, role: Role): Promise<{ client: Client & { email: string }; side: Side }> {
  const client = await signIn(side, role);
  const own = { ...side, ownerId: client.id };
  await authenticatorApp(own, "now()");
  return { client, side: own };
}

const create = async (client: Client, path: string, body: object): Promise<{ id: string }> =>
  (await client.post<{ id: string }>(path, body, 201)).body;
const conversation = async ({ key, workspaceId }: Pick<Side, "key" | "workspaceId">) =>
  (
    await key.post(
      "/api/conversations",
      {
        workspaceId,
        contact: { name: "Ada", emails: [`${randomUUID()}@example.com`] },
        message: { body: "Hello, my order has not arrived." },
      },
      201,
    )
  ).body;

const TOTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
/** A browser of the owner's. */
export async function browser(side: Side): Promise<string> {
  const id = uuid();
  await side.transaction(async (tx) => {
    const [tenant] = await run<{ organisationId: string }>(
      tx,
      `select t.organisation_id as "organisationId" from tenant t where t.id = :tenant`,
    );
    const { organisationId } = tenant!;
    const { endpoint, ...keys } = pushSubscription();
    const sealed = new Sealer([SECRET_KEY], PUSH_SEAL).seal({ endpoint, keys }, organisationId + id);
    await run(
      tx,
      `insert into push_subscription (organisation_id, id, member_id, device, language, endpoint_hash, keys_hash, sealed)
      values (:organisationId, :id, :ownerId, 'Firefox on Linux', 'en', :key::bytea, :key::bytea, :sealed)`,
      { organisationId, ownerId: side.ownerId, id, key: Buffer.from(id), sealed },
    );
  });
  return id;
}

/** An authenticator app of the side's owner, in place of the one before. */
async function authenticatorApp(side: Side, confirmedAt: "now()" | "null"): Promise<string> {
  const id = uuid();
  await side.transaction(async (tx) => {
    const [tenant] = await run<{ organisationId: string }>(
      tx,
      `select t.organisation_id as "organisationId" from tenant t where t.id = :tenant`,
    );
    const { organisationId } = tenant!;
    const sealed = new Sealer([SECRET_KEY], TOTP_SEAL).seal(TOTP_SECRET, totpSealContext(organisationId, id));
    const owned = { organisationId, ownerId: side.ownerId };
    await run(
      tx,
      "delete from second_factor where organisation_id = :organisationId and member_id = :ownerId and type = 'totp'",
      owned,
    );
    await run(
      tx,
      `insert into second_factor (organisation_id, id, member_id, type, name, sealed, confirmed_at)
      values (:organisationId, :id, :ownerId, 'totp', 'Phone', :sealed, ${confirmedAt})`,
      { ...owned, id, sealed },
    );
  });
  return id;
}

const MAILBOX = {
  type: "email",
  name: "Mailbox",
  address: "support@example.com",
  settings: { smtp: { host: "smtp.invalid", port: 465 } },
  credentials: { username: "support", password: "secret" },
};
const mailbox = async ({ owner, workspaceId }: Side): Promise<string> =>
  (await create(owner, `/api/workspaces/${workspaceId}/channels`, MAILBOX)).id;

const mailedConversation = async (side: Side): Promise<string> =>
  (
    await create(side.key, "/api/conversations", {
      workspaceId: side.workspaceId,
      channelId: await mailbox(side),
      contact: { name: "Ada", emails: [`${randomUUID()}@example.com`] },
      message: { body: "Hello, my order has not arrived." },
    })
  ).id;

/** A conversation by mail with somebody in copy. */
async function inCopy(side: Side): Promise<string> {
  const id = await mailedConversation(side);
  await create(side.key, `/api/conversations/${id}/participants`, { address: "grace@example.com" });
  return id;
}

/** A reply that is held, and can be cancelled for a minute. */
async function heldReply(side: Side): Promise<string> {
  const id = await mailedConversation(side);
  const reply = { body: "It is on its way.", holdSeconds: 60 };
  return (await side.key.post(`/api/conversations/${id}/reply`, reply, 200)).body.messageId;
}

const cannedReply = (): object => ({
  shortcut: `s${randomUUID()}`,
  title: "On its way",
  body: "Hello {{contact.firstName | there}}, it is on its way.",
});
/** A view of the owner's own. Older ones make room: a member has fifty at most. */
async function view(side: Side): Promise<string> {
  await side.transaction((tx) =>
    run(
      tx,
      `delete from saved_view where tenant_id = :tenant and id in (
        select id from saved_view where tenant_id = :tenant order by created_at desc, id desc offset 20)`,
    ),
  );
  return (await create(side.owner, "/api/views", { name: "Open", filter: { status: ["open"] } })).id;
}

const aSource = (): object => ({ kind: "website", url: `https://docs.example.com/${randomUUID()}/` });
/** A source that was read, with a page and a section. Older ones make room: a workspace has a hundred at most. */
async function source(side: Side): Promise<string> {
  const { workspaceId } = side;
  await side.transaction((tx) =>
    run(
      tx,
      `delete from source where tenant_id = :tenant and id in (
        select id from source where tenant_id = :tenant order by created_at desc, id desc offset 20)`,
    ),
  );
  const { id } = await create(side.key, `/api/workspaces/${workspaceId}/sources`, aSource());
  await side.transaction(async (tx) => {
    await run(tx, "update source set status = 'ready' where tenant_id = :tenant and id = :id", { id });
    await run(
      tx,
      "insert into source_page (tenant_id, source_id, url) values (:tenant, :id, 'https://docs.example.com/')",
      {
        id,
      },
    );
    await run(tx, "insert into source_section (tenant_id, source_id, key, url) values (:tenant, :id, 'key', '')", {
      id,
    });
  });
  return id;
}

const AN_ENTRY = {
  question: "How do I return an order?",
  answer: "Send it back within 30 days. Use the label in the parcel.",
};
const A_POLICY = { title: "Large refunds", rule: "Refunds over 100 euros need approval.", effect: "deny" };

/** A booking in its own new calendar. */
const booking = async (side: Side): Promise<object> => ({
  calendarId: (await calendarFor(side)).calendarId,
  contactId: side.contactId,
  ...A_TIME,
});
const A_TIME = { title: "Fitting", startsAt: "2030-05-06T09:00:00Z", endsAt: "2030-05-06T10:00:00Z" };

const WEBHOOK = { url: "https://hooks.example.com/parley", events: ["message.received"] };
/** An endpoint with a delivery. Older ones make room: a side has twenty at most. */
async function webhookEndpoint(side: Side): Promise<string> {
  await side.transaction((tx) =>
    run(
      tx,
      `delete from webhook_endpoint where tenant_id = :tenant and id in (
        select id from webhook_endpoint where tenant_id = :tenant order by created_at desc, id desc offset 8)`,
    ),
  );
  const { id } = await create(side.owner, "/api/webhook-endpoints", WEBHOOK);
  await create(side.owner, `/api/webhook-endpoints/${id}/test`, {});
  return id;
}
/** A delivery that was given up; on the test side one that was captured. */
async function failedDelivery(side: Side): Promise<string> {
  const endpointId = await webhookEndpoint(side);
  const { id } = await create(side.owner, `/api/webhook-endpoints/${endpointId}/test`, {});
  if (side.environment === "live")
    await side.transaction((tx) =>
      run(tx, "update webhook_delivery set status = 'failed' where tenant_id = :tenant and id = :id", { id }),
    );
  return id;
}

/** An account with a contact in the side's workspace. */
async function account(side: Pick<Side, "key" | "workspaceId">): Promise<string> {
  const { contactId } = await conversation(side);
  const { id: accountId } = await create(side.key, "/api/accounts", { name: "Analytical Engines" });
  await side.key.put(`/api/contacts/${contactId}/account`, { accountId }, 200);
  return accountId;
}

/** A file uploaded by the side's key and not attached to a message. */
export const upload = async ({ key }: Side): Promise<string> =>
  (await create(key, "/api/attachments", fileForm("Hello"))).id;
/** A file attached to a note in the conversation. */
export async function attach(side: Side, conversationId: string): Promise<string> {
  const id = await upload(side);
  await side.key.post(`/api/conversations/${conversationId}/notes`, { body: "See there", attachmentIds: [id] }, 201);
  return id;
}

/** A conversation whose contact received a survey and answered it. */
export async function rate(
  side: Side,
  conversationId: string,
  { memberId = side.ownerId, agentIds = [] }: { memberId?: string; agentIds?: string[] } = {},
): Promise<string> {
  const id = uuid();
  await side.transaction(async (tx) => {
    await run(
      tx,
      `insert into csat_survey (tenant_id, id, workspace_id, conversation_id, contact_id, channel_id, member_id, agent_ids, kb_entry_ids, scale, low_score_threshold, question, question_language, language, expires_at, score, rated_at)
      select c.tenant_id, :id, c.workspace_id, c.id, c.contact_id, c.channel_id, :memberId, :agentIds, '{}', 5, 2, 'How did we do?', 'en', 'en', now() + interval '30 days', 4, clock_timestamp() from conversation c where c.tenant_id = :tenant and c.id = :conversationId`,
      { id, conversationId, memberId, agentIds },
    );
    const whom = ratedEntities({ workspaceId: side.workspaceId, channelId: side.channelId, memberId, agentIds });
    await recordOutcomes(
      tx,
      whom.flatMap(
        (one) =>
          [
            { ...one, metric: "csat_asked", scale: 5, value: 0, bad: false },
            { ...one, metric: "csat", scale: 5, value: 4, bad: false },
          ] as const,
      ),
    );
  });
  return id;
}

const A_TOOL = {
  description: "Refunds an order of the customer",
  parameters: { type: "object", properties: { amount: { type: "number", exclusiveMinimum: 0 } }, required: ["amount"] },
  effect: "write",
  url: "https://shop.example.com/tools/refund",
};
const STEPS = [
  { id: "order", type: "ask", text: "Which order?", slot: { kind: "pattern", pattern: "#W0000000" } },
  { id: "done", type: "say", text: "It is about {order}." },
];
const aProcedure = (): object => ({
  name: `Steps ${randomUUID()}`,
  startsWith: { entries: [], phrases: ["about my order"] },
  steps: STEPS,
});
/** The hash of the newest action of each workspace, which an approval names. */
const hashes = new Map<string, string>();
const withLeave = new Set<string>();
/** An action that the policies allow, whatever other policies the workspace has. */
export async function pendingAction(side: Side, of?: string): Promise<string> {
  const { owner, workspaceId } = side;
  if (!withLeave.has(workspaceId))
    await create(owner, `/api/workspaces/${workspaceId}/policy-entries`, {
      title: "Notes are allowed",
      rule: "Anybody writes notes.",
      effect: "allow",
      tools: ["add_note"],
      priority: 1_000,
    });
  withLeave.add(workspaceId);
  const conversationId = of ?? (await conversation(side)).id;
  const agent = { name: "Notes", instructions: "Write notes.", workspaceIds: [workspaceId], tools: ["add_note"] };
  const { id: agentId } = await create(owner, "/api/agents", agent);
  const id = uuid();
  await side.transaction((tx) =>
    run(
      tx,
      `with added as (
        insert into pending_action (tenant_id, id, workspace_id, conversation_id, agent_id, run_id, tool, arguments,
          arguments_hash, tainted, guardrail, policy_entry_ids, expires_at)
        values (:tenant, :id, :workspaceId, :conversationId, :agentId, gen_random_uuid(), 'add_note', '{"body": "Call back"}',
          repeat('0', 64), true, 'An argument may come out of a tool''s answer', '{}',
          now() + interval '1 day')
        returning conversation_id
      ), due as (
        insert into pending_action_due (tenant_id, action_id, due_at) values (:tenant, :id, now() + interval '1 day')
      )
      update conversation c set pending_action_count = c.pending_action_count + 1
      from added where c.tenant_id = :tenant and c.id = added.conversation_id`,
      { id, workspaceId, conversationId, agentId },
    ),
  );
  // It has no hash of the present yet: the first approval finds that out, and gives it one.
  await owner.post(`/api/pending-actions/${id}/approve`, { argumentsHash: "0".repeat(64) }, 409);
  // Not by its id: an answer is shared for a moment, and the test that reads the action by its id would send no statement.
  const { data } = (await owner.get(`/api/conversations/${conversationId}/pending-actions`, 200)).body;
  hashes.set(workspaceId, data[0]!.argumentsHash);
  return id;
}

/** Creates the resource that an id in a path names: a new one each time, so that actions find it unchanged. */
const MAKE: Record<string, (side: Side) => Promise<string>> = {
  workspaces: async ({ key, brandId }) => (await create(key, "/api/workspaces", { name: "Sales", brandId })).id,
  conversations: async (side) => (await conversation(side)).id,
  messages: heldReply,
  "canned-replies": async ({ owner, workspaceId }) =>
    (await create(owner, "/api/canned-replies", { workspaceId, ...cannedReply() })).id,
  views: view,
  contacts: async (side) => (await conversation(side)).contactId,
  accounts: account,
  // Granted, in a conversation that another proof has identified, so that it can be confirmed.
  "eid-requests": async (side) => {
    const { id } = await conversation(side);
    const { body } = await side.key.post(
      `/api/conversations/${id}/verification/eid-requests`,
      { scheme: A_SCHEME.name, mode: "link" },
      200,
    );
    await side.transaction((tx) =>
      run(
        tx,
        `with identified as (
        insert into verification_factor (tenant_id, id, conversation_id, contact_id, factor_type, factor_category, expires_at)
        select c.tenant_id, gen_random_uuid(), c.id, c.contact_id, 'magic_link', 'possession', clock_timestamp() + interval '30 minutes'
        from conversation c where c.tenant_id = :tenant and c.id = :id
      )
      update eid_request set status = 'granted', finished_at = clock_timestamp(), person = sha256(id::text::bytea),
        confirmable_until = clock_timestamp() + interval '30 minutes'
      where tenant_id = :tenant and id = :requestId`,
        { id, requestId: body.requestId },
      ),
    );
    return body.requestId;
  },
  attachments: async (side) => attach(side, (await conversation(side)).id),
  "attention-items": async (side) => {
    const { id } = await conversation(side);
    await side.transaction((tx) =>
      raise(tx, {
        conversationId: id,
        type: "handoff_requested",
        severity: "high",
        reason: "The contact asks for a person",
      }),
    );
    return (await side.key.get(`/api/attention-items?conversationId=${id}`, 200)).body.data[0]!.id;
  },
  tools: async ({ owner, workspaceId }) =>
    (await create(owner, `/api/workspaces/${workspaceId}/tools`, { ...A_TOOL, name: `tool-${randomUUID()}` })).id,
  procedures: async ({ owner, workspaceId }) =>
    (await create(owner, `/api/workspaces/${workspaceId}/procedures`, aProcedure())).id,
  "assistant-tests": async ({ owner, workspaceId }) =>
    (await create(owner, `/api/workspaces/${workspaceId}/assistant-tests`, anAssistantTest())).id,
  runs: (side) => rehearsal(side),
  "pending-actions": (side) => pendingAction(side),
  suggestions: async (side) => {
    const [id, kbEntryId] = [uuid(), await makeFor({ name: "suggested", resource: "kb-entries" }, side)];
    const { id: conversationId } = await conversation(side);
    await side.transaction((tx) =>
      tx.insert(SuggestionEntity, { id, conversationId, sequence: 1, kbEntryId, version: 1, confidence: 0.5 }),
    );
    return id;
  },
  // Has a channel outcome, so that the quality routes return data.
  "circuit-breakers": async (side) => {
    const id = uuid();
    await side.transaction(async (tx) => {
      await recordOutcomes(tx, [
        {
          workspaceId: side.workspaceId,
          metric: "delivery",
          entityType: "channel",
          entityId: side.channelId,
          scale: 1,
          value: 0,
          bad: false,
        },
      ]);
      await run(
        tx,
        `insert into circuit_breaker (tenant_id, id, workspace_id, entity_type, entity_id, metric, action, threshold, window_days, sample_days, sample_size, observed, low, tripped_at)
        values (:tenant, :id, :workspaceId, 'tool', :id::uuid::text, 'tool', 'notify', 0.2, 7, 1, 40, 0.75, 0.4, clock_timestamp())`,
        { id, workspaceId: side.workspaceId },
      );
      await raiseAbout(
        tx,
        { circuitBreakerId: id },
        { type: "circuit_breaker_tripped", severity: "high", reason: "30 of 40 calls fail" },
      );
    });
    return id;
  },
  "csat-ratings": async (side) => rate(side, (await conversation(side)).id),
  "erasure-requests": async (side) =>
    (await side.key.post(`/api/contacts/${(await conversation(side)).contactId}/erasure`, undefined, 200)).body.id,
  "kb-entries": async ({ key, workspaceId }) =>
    (await create(key, `/api/workspaces/${workspaceId}/kb-entries`, { ...AN_ENTRY, status: "pending" })).id,
  sources: source,
  channels: async ({ owner, workspaceId }) =>
    (await create(owner, `/api/workspaces/${workspaceId}/channels`, { type: "contact_form", name: "Form" })).id,
  "kb-widgets": async ({ owner, workspaceId }) =>
    (await create(owner, `/api/workspaces/${workspaceId}/kb-widgets`, { name: "Search" })).id,
  "contact-form-widgets": async ({ owner, workspaceId }) =>
    (await create(owner, `/api/workspaces/${workspaceId}/contact-form-widgets`, { name: "Form" })).id,
  outbox: async (side) => {
    await create(side.owner, "/api/members", {
      email: `${randomUUID()}@example.com`,
      name: "Grace Hopper",
      role: "agent",
    });
    const [dead] = await side.transaction((tx) =>
      run<{ id: string }>(
        tx,
        `with dead as (
        update outbox_message set status = 'dead' where tenant_id = :tenant and id = (select id from outbox_message where tenant_id = :tenant order by created_at desc, id desc limit 1) returning id
      ), gone as (delete from outbox_queue q using dead where q.tenant_id = :tenant and q.id = dead.id) select id from dead`,
      ),
    );
    return dead!.id;
  },
  "webhook-endpoints": (side) => webhookEndpoint(side),
  "webhook-deliveries": (side) => failedDelivery(side),
  connections: async (side) => (await calendarFor(side)).connectionId,
  bookings: async (side) => (await create(side.key, "/api/calendar/bookings", await booking(side))).id,
  "policy-entries": async ({ key, workspaceId }) =>
    (
      await create(key, `/api/workspaces/${workspaceId}/policy-entries`, {
        ...A_POLICY,
        status: "pending",
      })
    ).id,
  agents: async ({ key, workspaceId }) =>
    (
      await create(key, "/api/agents", {
        name: "Order assistant",
        instructions: "Help with orders.",
        workspaceIds: [workspaceId],
      })
    ).id,
  brands: async ({ owner }) => (await create(owner, "/api/brands", { name: "Difference Engines" })).id,
  "bulk-actions": async ({ key, contactId }) =>
    (await create(key, "/api/bulk-actions", { filter: { contactId }, action: { type: "read" } })).id,
  labels: async ({ owner }) => (await create(owner, "/api/labels", { name: `Label ${randomUUID()}` })).id,
  "case-types": async ({ owner }) =>
    (await create(owner, "/api/case-types", { key: `k${randomUUID()}`, name: "Refund" })).id,
  cases: async ({ owner, workspaceId }) =>
    (await create(owner, "/api/cases", { workspaceId, title: "A parcel is lost" })).id,
  "api-keys": async ({ owner }) => (await keyFor(owner)).id,
  // Not confirmed, so that the owner's next sign-in does not ask for it.
  "second-factors": (side) => authenticatorApp(side, "null"),
  "push-subscriptions": browser,
  sessions: async (side) => {
    const id = uuid();
    await side.transaction((tx) =>
      run(
        tx,
        `insert into member_session (organisation_id, id, member_id, environment, device, address, network, expires_at)
        select t.organisation_id, :id, :ownerId, t.environment, 'Firefox on Linux', '127.0.0.1', '127.0.0.0/24', now() + interval '1 day'
        from tenant t where t.id = :tenant`,
        { id, ownerId: side.ownerId },
      ),
    );
    return id;
  },
  members: async ({ owner, workspaceId }) =>
    (
      await create(owner, "/api/members", {
        email: `${randomUUID()}@example.com`,
        name: "Grace Hopper",
        role: "agent",
        workspaceIds: [workspaceId],
      })
    ).id,
};

/** A message that came as a mail with HTML. Its bytes are an upload, because no mailbox is read here. */
async function formattedMail(side: Side): Promise<string> {
  const { id: conversationId } = await conversation(side);
  const form = fileForm(mailOf("<p>Where is my <b>parcel</b>?</p>"), "original.eml", "message/rfc822");
  const { body: file } = await side.key.post("/api/attachments", form, 201);
  const path = `/api/conversations/${conversationId}/messages` as const;
  const { body } = await side.key.post(path, { body: "Where is my parcel?", attachmentIds: [file.id] }, 201);
  await side.transaction((tx) =>
    run(tx, "update attachment set original = 'html' where tenant_id = :tenant and id = :id", { id: file.id }),
  );
  return body.id;
}

const INVITATION = `BEGIN:VCALENDAR
VERSION:2.0
METHOD:REQUEST
BEGIN:VEVENT
UID:visit@example.org
DTSTAMP:20260301T080000Z
DTSTART;TZID=Europe/Vienna:20260310T120000
DTEND;TZID=Europe/Vienna:20260310T130000
SUMMARY:A visit
LOCATION:Harbour Street 1
ORGANIZER;CN=Ada Lovelace:mailto:ada@example.org
ATTENDEE;RSVP=TRUE:mailto:support@example.com
END:VEVENT
END:VCALENDAR
`.replaceAll("\n", "\r\n");

/** A message that came by mail, with an invitation. */
async function invitedByMail(side: Side): Promise<string> {
  const conversationId = await mailedConversation(side);
  const { body: file } = await side.key.post(
    "/api/attachments",
    fileForm(INVITATION, "invite.ics", "text/calendar"),
    201,
  );
  const path = `/api/conversations/${conversationId}/messages` as const;
  return (await side.key.post(path, { body: "You are invited.", attachmentIds: [file.id] }, 201)).body.id;
}

const anAssistantTest = (): object => ({
  name: `A parcel ${randomUUID()}`,
  turns: [{ says: "Where is my parcel?", expect: { outcome: "answered", contains: "link" } }],
  toolAnswers: [{ tool: "get_order", answer: { status: "shipped" } }],
});

/** A rehearsal that is done, with a conversation that changes. */
async function rehearsal(side: Side): Promise<string> {
  const [id, conversationId] = [uuid(), (await conversation(side)).id];
  const turn = { entries: [], says: null, reason: null, procedureId: null, tools: [] };
  await side.transaction((tx) =>
    run(
      tx,
      `with made as (
        insert into assistant_test_run (tenant_id, id, workspace_id, kind, status, result, ended_at)
        values (:tenant, :id, :workspaceId, 'rehearsal', 'done', :result, now())
      )
      insert into assistant_test_change (tenant_id, run_id, position, conversation_id, message_id, turn, before, after)
      values (:tenant, :id, 0, :conversationId, :id, 1, :before, :after)`,
      {
        id,
        conversationId,
        workspaceId: side.workspaceId,
        result: JSON.stringify({
          tests: [],
          conversations: {
            since: `${new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`,
            found: 1,
            played: 1,
            changed: 1,
            changes: [{ from: "handed_off", to: "answered", count: 1 }],
          },
        }),
        before: JSON.stringify({ ...turn, outcome: "handed_off" }),
        after: JSON.stringify({ ...turn, outcome: "answered" }),
      },
    ),
  );
  return id;
}

/** Extra preparation of the resource, for single routes. */
const MAKE_FOR: Record<string, (side: Side) => Promise<string>> = {
  "DELETE /api/workspaces/{workspaceId}/logo": async ({ key, brandId }) => {
    const { id } = await create(key, "/api/workspaces", { name: "Sales", brandId });
    await key.put(`/api/workspaces/${id}/logo`, { image: A_LOGO }, 200);
    return id;
  },
  "POST /api/webhook-endpoints/{id}/redeliver": async (side) => {
    const deliveryId = await failedDelivery(side);
    const [of] = await side.transaction((tx) =>
      run<{ id: string }>(
        tx,
        "select endpoint_id as id from webhook_delivery where tenant_id = :tenant and id = :deliveryId",
        { deliveryId },
      ),
    );
    return of!.id;
  },
  "POST /api/canned-replies/{id}/render": async (side) => {
    rendered.set(side.workspaceId, (await conversation(side)).id);
    return makeFor({ name: "rendered", resource: "canned-replies" }, side);
  },
  "PUT /api/channels/{id}/credentials": (side) => mailbox(side),
  "GET /api/channels/{id}/sign-in": async ({ owner, workspaceId }) => {
    const signIn = { provider: "microsoft", clientId: "parley" };
    const settings = { ...MAILBOX.settings, signIn };
    const body = { ...MAILBOX, settings, credentials: { clientSecret: "secret" } };
    return (await create(owner, `/api/workspaces/${workspaceId}/channels`, body)).id;
  },
  "GET /api/channels/{id}/signature": (side) => mailbox(side),
  "PUT /api/channels/{id}/signature": (side) => mailbox(side),
  "GET /api/messages/{id}/html": formattedMail,
  "GET /api/messages/{id}/original": formattedMail,
  "GET /api/messages/{id}/invitation": invitedByMail,
  "POST /api/messages/{id}/invitation": invitedByMail,
  "GET /api/conversations/{id}/participants": inCopy,
  "POST /api/conversations/{id}/participants": mailedConversation,
  "DELETE /api/conversations/{id}/participants": inCopy,
  "POST /api/channels/{id}/retry-provisioning": (side) => mailbox(side),
  "POST /api/conversations/{id}/verification/answers": async (side) => {
    const { id } = await conversation(side);
    const { body } = await side.key.post(`/api/conversations/${id}/verification/questions`, {}, 200);
    openQuestions.set(side.tenantId, body.questions[0]!.questionId);
    return id;
  },
  "POST /api/conversations/{id}/verification/codes/verify": async (side) => {
    const { id } = await conversation(side);
    const { body } = await side.key.post(`/api/conversations/${id}/verification/codes`, { channel: "email" }, 200);
    sentCodes.set(side.tenantId, body.codeId);
    return id;
  },
  "POST /api/conversations/{id}/verification/require": async (side) => {
    const { id } = await conversation(side);
    const { body } = await side.key.post(`/api/conversations/${id}/verification/questions`, {}, 200);
    await side.key.post(
      `/api/conversations/${id}/verification/answers`,
      { questionId: body.questions[0]!.questionId, answer: "Ada" },
      200,
    );
    return id;
  },
  "DELETE /api/members/{id}/second-factors": async (side) => {
    const { id } = await signIn(side, "agent", []);
    await authenticatorApp({ ...side, ownerId: id }, "now()");
    return id;
  },
  "DELETE /api/members/{id}/sessions": async (side) => (await signIn(side, "agent", [])).id,
  "DELETE /api/contacts/{id}/eid-binding": async (side) => {
    const { contactId } = await conversation(side);
    await side.transaction((tx) =>
      run(
        tx,
        `insert into eid_binding (tenant_id, contact_id, issuer, person) select k.tenant_id, k.id, 'https://eid.example.com', sha256(k.id::text::bytea) from contact k where k.tenant_id = :tenant and k.id = :contactId`,
        { contactId },
      ),
    );
    return contactId;
  },
  "POST /api/contacts/{id}/merge": async (side) => {
    sources.set(side.workspaceId, (await conversation(side)).contactId);
    return (await conversation(side)).contactId;
  },
  "PUT /api/contacts/{id}/account": async (side) => {
    accounts.set(side.workspaceId, await account(side));
    return (await conversation(side)).contactId;
  },
  "DELETE /api/contacts/{id}/account": async (side) => {
    const { contactId } = await conversation(side);
    await side.key.put(
      `/api/contacts/${contactId}/account`,
      { accountId: (await create(side.key, "/api/accounts", { name: "Analytical Engines" })).id },
      200,
    );
    return contactId;
  },
  "POST /api/kb-entries/{id}/archive": async ({ key, workspaceId }) =>
    (await create(key, `/api/workspaces/${workspaceId}/kb-entries`, AN_ENTRY)).id,
  "POST /api/policy-entries/{id}/archive": async ({ key, workspaceId }) =>
    (await create(key, `/api/workspaces/${workspaceId}/policy-entries`, A_POLICY)).id,
};
/** For each side, the newest question that waits for an answer. */
const openQuestions = new Map<string, string>();
const sentCodes = new Map<string, string>();
/** For each workspace, the newest contact to merge and the newest account to link. */
const sources = new Map<string, string>();
const accounts = new Map<string, string>();
/** For each workspace, the newest conversation to fill in a canned reply for. */
const rendered = new Map<string, string>();
/** A calendar of each workspace. */
const calendars = new Map<string, string>();

/** A valid body for each route that accepts one, or undefined if the body is empty. */
const BODIES: Record<string, (side: Side) => object | undefined> = {
  "POST /api/auth/logout": () => undefined,
  "POST /api/me/second-factors": () => ({ type: "passkey", name: "Security key" }),
  "POST /api/me/second-factors/recovery-codes": () => undefined,
  "POST /api/me/second-factors/{id}/confirm": () => ({
    code: new TOTP({ secret: Secret.fromBase32(TOTP_SECRET) }).generate(),
  }),
  "PUT /api/me/password": () => ({ currentPassword: PASSWORD, newPassword: "another good password" }),
  "POST /api/me/email-proof": () => undefined,
  "POST /api/auth/reauthenticate": () => ({ password: PASSWORD }),
  "PUT /api/conversations/{id}/viewing": () => ({ state: "viewing" }),
  "PUT /api/conversations/{id}/draft": () => ({ body: "It left our warehouse", basedOnSequence: 1 }),
  "POST /api/messages/{id}/cancel": () => undefined,
  "POST /api/messages/{id}/invitation": () => ({ answer: "accepted" }),
  "POST /api/messages/{id}/forward": () => ({ to: ["grace@example.com"], body: "Can you help?", attachments: true }),
  "POST /api/conversations/{id}/participants": () => ({ address: `${randomUUID()}@example.com`, name: "Grace Hopper" }),
  "POST /api/messages/{id}/retry": () => undefined,
  "POST /api/messages/{id}/translation": () => ({ language: "de" }),
  "POST /api/canned-replies": ({ workspaceId }) => ({ workspaceId, ...cannedReply() }),
  "PATCH /api/canned-replies/{id}": () => ({ title: `On its way ${randomUUID()}` }),
  "POST /api/canned-replies/{id}/render": ({ workspaceId }) => ({
    conversationId: rendered.get(workspaceId) ?? randomUUID(),
  }),
  "POST /api/views": () => ({ name: "Open", filter: { status: ["open"] } }),
  "PATCH /api/views/{id}": () => ({ name: "Open and mine", filter: { status: ["open"], assigneeId: "me" } }),
  "PUT /api/me/preferences": () => ({ theme: "dark", sound: true }),
  "POST /api/me/push-subscriptions": () => pushSubscription(),
  "PUT /api/me/signature": () => ({ body: "Kind regards" }),
  "PUT /api/me/presence": () => ({ presence: "away" }),
  "PATCH /api/tenant": () => ({ name: "Analytical Engines" }),
  "POST /api/members": () => ({ email: `${randomUUID()}@example.com`, name: "Grace Hopper", role: "agent" }),
  "PATCH /api/members/{id}": () => ({ name: "Rear Admiral Hopper" }),
  "POST /api/members/{id}/invite": () => undefined,
  "POST /api/api-keys": () => ({ name: "Search on our site", scopes: ["kb:read"] }),
  "PATCH /api/api-keys/{id}": () => ({ name: "Search on our site" }),
  "POST /api/api-keys/{id}/rotate": () => ({ overlapHours: 1 }),
  "POST /api/api-keys/{id}/revoke": () => undefined,
  "POST /api/brands": () => ({ name: "Difference Engines" }),
  "PATCH /api/brands/{id}": () => ({ name: "Analytical Engines" }),
  "POST /api/workspaces": ({ brandId }) => ({ name: "Sales", brandId }),
  "PATCH /api/workspaces/{workspaceId}": () => ({ name: `Support ${randomUUID()}`, timezone: "Europe/Berlin" }),
  "POST /api/contacts": () => ({ name: "Charles Babbage", emails: ["charles@example.com"] }),
  "PATCH /api/contacts/{id}": () => ({ name: "Ada King", emails: ["ada@example.com"], blocked: true }),
  "POST /api/contacts/bulk-actions": ({ contactId }) => ({
    ids: [contactId],
    type: "label",
    add: [`Label ${randomUUID()}`],
  }),
  "POST /api/contacts/import": () =>
    new Blob(["name,emails\nMary Somerville,mary@example.com\nCharles Babbage,nobody"], { type: "text/csv" }),
  "POST /api/contacts/{id}/merge": ({ workspaceId }) => ({ sourceContactId: sources.get(workspaceId) ?? randomUUID() }),
  "PUT /api/contacts/{id}/account": ({ workspaceId }) => ({ accountId: accounts.get(workspaceId) ?? randomUUID() }),
  "POST /api/contacts/{id}/erasure": () => undefined,
  "POST /api/accounts": () => ({ name: "Analytical Engines", domains: ["example.com"] }),
  "POST /api/accounts/bulk-actions": ({ workspaceId }) => ({
    ids: [accounts.get(workspaceId) ?? randomUUID()],
    type: "set",
    plan: `Plan ${another()}`,
  }),
  "PATCH /api/accounts/{id}": () => ({ name: "Difference Engines", plan: "gold" }),
  "POST /api/conversations": ({ workspaceId }) => ({
    workspaceId,
    contact: { name: "Ada Lovelace" },
    message: { body: "Hello, my order has not arrived." },
  }),
  "POST /api/conversations/compose": ({ workspaceId, contactId }) => ({
    workspaceId,
    contactId,
    body: "Hello Ada, your order is on its way.",
  }),
  "PATCH /api/conversations/{id}": () => ({ subject: "Order 1815", priority: "high", labels: ["vip"] }),
  "POST /api/conversations/{id}/resolve": () => ({ resolution: "answered" }),
  "POST /api/conversations/{id}/wait": () => undefined,
  "POST /api/conversations/{id}/reopen": () => undefined,
  "POST /api/conversations/{id}/snooze": () => ({ until: "2099-01-01T00:00:00Z" }),
  "POST /api/conversations/{id}/take-over": () => ({ force: true }),
  "POST /api/conversations/{id}/release": () => undefined,
  "POST /api/conversations/{id}/assign": ({ ownerId }) => ({ memberId: ownerId }),
  "POST /api/conversations/{id}/unassign": () => undefined,
  "POST /api/conversations/{id}/read": () => undefined,
  "POST /api/conversations/{id}/unread": () => undefined,
  "POST /api/conversations/{id}/labels": () => ({ add: ["urgent"] }),
  "POST /api/bulk-actions": ({ contactId }) => ({ filter: { contactId }, action: { type: "label", add: ["vip"] } }),
  "POST /api/labels": () => ({ name: `Label ${randomUUID()}`, colour: "blue" }),
  "PATCH /api/labels/{id}": () => ({ colour: "green" }),
  "POST /api/conversations/search": () => ({ query: "order" }),
  "POST /api/conversations/{id}/messages": () => ({ body: "Hello, my order has not arrived." }),
  "POST /api/conversations/{id}/reply": () => ({ body: "It is on its way and arrives tomorrow." }),
  "POST /api/conversations/{id}/notes": () => ({ body: "The carrier confirmed the delay." }),
  "POST /api/attachments": () => fileForm("Hello"),
  "POST /api/case-types": () => ({
    key: `k${randomUUID()}`,
    name: "Complaint",
    fields: [{ key: "order", label: "Order number", type: "text" }],
  }),
  "PATCH /api/case-types/{id}": () => ({ name: "Return" }),
  "POST /api/calendar/connections": ({ workspaceId }) => ({
    workspaceId,
    serverUrl: "https://calendar.invalid/",
    username: "desk@example.com",
    password: "secret",
  }),
  "PATCH /api/calendar/connections/{id}": () => ({ password: "another", accountEmail: "desk@example.com" }),
  "POST /api/calendar/bookings": ({ workspaceId }) => ({
    calendarId: calendars.get(workspaceId) ?? randomUUID(),
    force: true,
    ...A_TIME,
  }),
  "PATCH /api/calendar/bookings/{id}": () => ({ title: "Second fitting", status: "completed" }),
  "POST /api/cases": ({ workspaceId }) => ({ workspaceId, title: "A parcel is lost" }),
  "PATCH /api/cases/{id}": () => ({ title: "A parcel was lost in Hamburg", status: "in_progress" }),
  "POST /api/attention-items/{id}/resolve": () => undefined,
  "POST /api/workspaces/{workspaceId}/tools": () => ({ ...A_TOOL, name: `tool-${randomUUID()}` }),
  "POST /api/workspaces/{workspaceId}/procedures": aProcedure,
  "PATCH /api/procedures/{id}": () => ({ name: `Renamed ${randomUUID()}`, status: "paused" }),
  "POST /api/workspaces/{workspaceId}/assistant-tests": anAssistantTest,
  "POST /api/workspaces/{workspaceId}/assistant-tests/run": () => ({}),
  "PATCH /api/assistant-tests/{id}": () => ({ name: `Renamed ${randomUUID()}`, assuranceLevel: "identified" }),
  "POST /api/workspaces/{workspaceId}/assistant-rehearsal": () => ({
    draft: { entries: [{ question: "Do you deliver to Iceland?", answer: "Within 9 days." }] },
  }),
  "POST /api/procedures/{id}/try": () => ({ messages: ["about my order", "#W1234567"] }),
  "PATCH /api/tools/{id}": () => ({ description: "Pays an order back", timeoutSeconds: 5 }),
  "POST /api/pending-actions/{id}/approve": ({ workspaceId }) => ({
    argumentsHash: hashes.get(workspaceId) ?? "0".repeat(64),
  }),
  "POST /api/suggestions/{id}/outcome": () => ({ outcome: "used" }),
  "POST /api/conversations/{id}/rewrite": () => ({ text: "We will see to it.", as: "friendlier" }),
  "POST /api/conversations/{id}/summary": () => ({ language: "de" }),
  "POST /api/pending-actions/{id}/reject": () => ({ reason: "The order was delivered" }),
  "POST /api/workspaces/{workspaceId}/channels": () => MAILBOX,
  "PATCH /api/channels/{id}": () => ({ name: "Contact form" }),
  "PUT /api/channels/{id}/signature": () => ({ body: "Kind regards" }),
  "PUT /api/channels/{id}/credentials": () => ({ credentials: { username: "support", password: "another" } }),
  "POST /api/channels/{id}/test": () => undefined,
  "POST /api/channels/{id}/retry-provisioning": () => undefined,
  "POST /api/outbox/{id}/retry": () => undefined,
  "POST /api/webhook-endpoints": () => WEBHOOK,
  "PATCH /api/webhook-endpoints/{id}": () => ({
    description: `Our warehouse ${randomUUID()}`,
    events: ["message.sent"],
  }),
  "POST /api/webhook-endpoints/{id}/test": () => undefined,
  "POST /api/me/push-subscriptions/{id}/test": () => undefined,
  "POST /api/webhook-endpoints/{id}/rotate-secret": () => undefined,
  "POST /api/webhook-endpoints/{id}/redeliver": () => ({ since: "2020-01-01T00:00:00Z" }),
  "POST /api/webhook-deliveries/{id}/redeliver": () => undefined,
  "POST /api/workspaces/{workspaceId}/kb-widgets": () => ({
    name: "Help search",
    allowedOrigins: ["https://www.example.com"],
    settings: { results: 3 },
  }),
  "PATCH /api/kb-widgets/{id}": () => ({ name: "Help", enabled: false }),
  "POST /api/workspaces/{workspaceId}/contact-form-widgets": () => ({
    name: "Contact us",
    settings: { fields: { phone: "optional" } },
  }),
  "PATCH /api/contact-form-widgets/{id}": () => ({ name: "Help", enabled: false }),
  "PUT /api/workspaces/{workspaceId}/identity-settings": () => ({
    requiredCorrectAnswers: 1,
    maxWrongPerConversation: 4,
    promptVersion: "2",
  }),
  "PUT /api/workspaces/{workspaceId}/logo": () => ({ image: A_LOGO }),
  "PUT /api/workspaces/{workspaceId}/retention-settings": () => ({ identityRetentionMonths: 12 }),
  "PUT /api/workspaces/{workspaceId}/verification-sources": () => ({
    sources: [
      ASKS_FOR_NAMES,
      {
        name: "crm",
        type: "http",
        url: "https://crm.example.com/lookup",
        credentials: { authorization: "Bearer x" },
        questions: [{ key: "city", prompt: "Which city?", path: "$.city" }],
      },
    ],
  }),
  "PUT /api/workspaces/{workspaceId}/csat-config": () => ({
    scale: 10,
    delayMinutes: another() % 10_080,
    questions: { de: "Wie war es?" },
  }),
  "PUT /api/workspaces/{workspaceId}/assistant": () => ({
    answerConfidence: 0.9 + (another() % 500) / 10_000,
    margin: 0.3,
  }),
  "POST /api/workspaces/{workspaceId}/assistant/preview": () => ({ answerConfidence: 0.99 }),
  "PUT /api/workspaces/{workspaceId}/breaker-settings": () => ({
    settings: [{ metric: "csat", threshold: 0.1 + (another() % 5_000) / 10_000, action: "pause_assistant" }],
  }),
  "POST /api/quality/circuit-breakers/{id}/resolve": () => ({ note: "The carrier answers again" }),
  "PUT /api/workspaces/{workspaceId}/eid-schemes": () => ({
    schemes: [{ ...A_SCHEME, clientSecret: "x", acrValues: ["urn:example:loa:high"] }],
  }),
  "POST /api/workspaces/{workspaceId}/kb-entries": () => AN_ENTRY,
  "POST /api/workspaces/{workspaceId}/sources": aSource,
  "PATCH /api/sources/{id}": () => ({ schedule: "daily" }),
  "POST /api/sources/{id}/read": () => undefined,
  "POST /api/conversations/{id}/verification/questions": () => ({}),
  "POST /api/conversations/{id}/verification/answers": ({ tenantId }) => ({
    questionId: openQuestions.get(tenantId) ?? randomUUID(),
    answer: "Ada",
  }),
  "POST /api/conversations/{id}/verification/codes": () => ({ channel: "email" }),
  "POST /api/conversations/{id}/verification/codes/verify": ({ tenantId }) => ({
    codeId: sentCodes.get(tenantId) ?? randomUUID(),
    code: "123456",
  }),
  "POST /api/conversations/{id}/verification/require": () => ({ level: "identified", purpose: "change of address" }),
  "POST /api/eid-requests/{id}/confirm": () => undefined,
  "POST /api/conversations/{id}/verification/unlock": () => undefined,
  "POST /api/conversations/{id}/verification/eid-requests": () => ({ scheme: "bank-id", mode: "link" }),
  "POST /api/conversations/{id}/verification/magic-links": () => ({ channel: "email" }),
  "POST /api/workspaces/{workspaceId}/kb-entries/import": () => ({
    format: "csv",
    content: `question,answer\n${AN_ENTRY.question},${AN_ENTRY.answer}`,
  }),
  "PATCH /api/kb-entries/{id}": () => ({ answer: "Send it back within 60 days.", reason: "The period is longer now" }),
  "POST /api/kb-entries/{id}/archive": () => undefined,
  "POST /api/kb-entries/{id}/approve": () => ({ ifVersion: 1 }),
  "POST /api/kb-entries/{id}/reject": () => ({ reason: "Outdated" }),
  "POST /api/workspaces/{workspaceId}/policy-entries": () => ({
    ...A_POLICY,
    tools: ["refund"],
    conditions: { field: "total", op: "gt", value: 100 },
  }),
  "POST /api/workspaces/{workspaceId}/policy-entries/import": () => ({
    format: "csv",
    content: "title,rule,effect\nLarge refunds,Ask a person first.,deny",
  }),
  "POST /api/workspaces/{workspaceId}/policy-entries/evaluate": () => ({ tool: "refund", context: { total: 120 } }),
  "PATCH /api/policy-entries/{id}": () => ({
    rule: "Refunds over 200 euros need approval.",
    reason: "The limit was raised",
  }),
  "POST /api/agents": ({ workspaceId }) => ({
    name: "Order assistant",
    instructions: "Help with orders.",
    workspaceIds: [workspaceId],
    tools: ["refund"],
    guardrails: [{ name: "No refunds", tools: ["refund"], effect: "deny" }],
  }),
  "PATCH /api/agents/{id}": () => ({ name: "Returns assistant", status: "paused" }),
  "PUT /api/agents/{id}/instructions": () => ({
    instructions: `Help with orders. Version ${randomUUID()}.`,
    reason: "Clearer wording",
  }),
  "POST /api/policy-entries/{id}/archive": () => undefined,
  "POST /api/policy-entries/{id}/approve": () => ({ ifVersion: 1 }),
  "POST /api/policy-entries/{id}/reject": () => ({ reason: "Outdated" }),
};

/** Routes without a fixture. A new route appears here until it has one. */
export const missingFixtures = (routes: readonly Route[]): string[] =>
  routes.flatMap(({ name, resource, takesBody }) => [
    ...(resource !== undefined && !MAKE[resource] ? [`${name}: no maker for ${resource} in MAKE`] : []),
    ...(takesBody && !BODIES[name] ? [`${name}: no body in BODIES`] : []),
  ]);

/** Routes with the same value accept the same resources. */
export const makerOf = ({ name, resource }: Pick<Route, "name" | "resource">): string =>
  MAKE_FOR[name] ? name : resource!;

/** Whether `makeFor` knows the resource, or the route. */
export const canMake = (name: string): boolean => name in MAKE || name in MAKE_FOR;

export function makeFor({ name, resource }: Pick<Route, "name" | "resource">, side: Side): Promise<string> {
  const make = MAKE_FOR[name] ?? MAKE[resource!];
  if (!make) throw new Error(`${name}: no maker for ${resource} in MAKE`);
  return make(side);
}
export function bodyFor({ name, takesBody }: Route, side: Side): object | undefined {
  if (!takesBody) return undefined;
  const body = BODIES[name];
  if (!body) throw new Error(`${name}: no body in BODIES`);
  return body(side);
}

/** An id that the route accepts. It is the side's own workspace, which assigned members reach, unless the route deletes it. */
export const idFor = async (route: Route, side: Side): Promise<string | undefined> =>
  route.resource === undefined
    ? undefined
    : route.resource === "workspaces" && route.method !== "DELETE"
      ? side.workspaceId
      : makeFor(route, side);

/**
 * Whether what the path names goes out of date while others are made: newer endpoints take the place of older ones, and an approval
 * names all that the action depends on.
 */
export const goesOutOfDate = ({ name, resource }: Route): boolean =>
  resource?.startsWith("webhook-") === true || name === "POST /api/pending-actions/{id}/approve";

/** By side and maker, what `sharedIdFor` has made. */
const shared = new Map<string, Promise<string>>();

/** Like `idFor`, but the same id for all requests that leave what it names as it is: reads, and those that are refused. */
export function sharedIdFor(route: Route, side: Side): Promise<string | undefined> {
  const { resource, method } = route;
  if (resource === undefined || goesOutOfDate(route) || (resource === "workspaces" && method !== "DELETE"))
    return idFor(route, side);
  const kind = [side.tenantId, side.workspaceId, side.ownerId, makerOf(route)].join(" ");
  let id = shared.get(kind);
  if (!id) shared.set(kind, (id = makeFor(route, side)));
  return id;
}

export interface Request {
  id?: string;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
}
/**
 * Search routes need a query: the prefix of the contacts and accounts that the fixtures create. A report shows whose it is by its
 * groups.
 */
function goodQuery({ method, path }: Route): string {
  if (path === "/api/reports/{name}") return "?groupBy=workspace";
  return method === "GET" && path.endsWith("/search") ? "?q=a" : "";
}
export const urlOf = (route: Route, { id, query = goodQuery(route) }: Request): string =>
  withName(route.path).replace(/\{[^}]+\}/, id!) + query;
export const send = (client: Client, route: Route, request: Request): Promise<Answer> =>
  client.send(route.method, urlOf(route, request), request.body, undefined, { headers: request.headers });
/** Only whoever made one of these, owners and admins can change it. */
const OWNED = ["canned-replies", "views"];
/** A valid request for the route, for any caller. */
export const sendGood = async (client: Client, route: Route, side: Side): Promise<Answer> =>
  send(client, route, {
    id: await (route.method === "GET"
      ? sharedIdFor(route, side)
      : idFor(route, OWNED.includes(route.resource ?? "") ? { ...side, owner: client } : side)),
    body: bodyFor(route, side),
  });

/** The live side sends its mail, so it has no captured mail. */
const ONLY_ON_TEST = new Set(["GET /api/captured-messages"]);
export const environmentOf = ({ name }: Route): Environment => (ONLY_ON_TEST.has(name) ? "test" : "live");

/** Columns that reads update: when a key was last used, when a member was last seen, how often an entry was found. */
const NOTED_BESIDE = ["last_used_at", "used_number", "last_seen_at", "retrieved"];

/**
 * A fingerprint of each table's rows. Two snapshots are equal if nothing was written in between, apart from `NOTED_BESIDE`.
 * It includes each row's position and writing transaction, so rewriting a row unchanged counts as a write. Tables with a column
 * of `NOTED_BESIDE` are compared by content.
 */
export async function snapshot(db: TestDatabase): Promise<Record<string, string>> {
  let text = snapshots.get(db);
  if (!text) snapshots.set(db, (text = await snapshotOf(db)));
  const rows = await db.prepared<{ name: string; content: string }>("snapshot", text);
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]));
}
const snapshots = new WeakMap<TestDatabase, string>();

/** The statement for the tables of this database. Planning it takes longer than running it. */
async function snapshotOf(db: TestDatabase): Promise<string> {
  const tables = await db.query<{ name: string; noted: boolean }>(
    `select relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = any($1)) as noted
    from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    [NOTED_BESIDE],
  );
  const row = (noted: boolean): string =>
    noted ? `(to_jsonb(t)${NOTED_BESIDE.map((column) => ` - '${column}'`).join("")})::text` : "t.ctid || ' ' || t.xmin";
  return tables
    .map(
      ({ name, noted }) =>
        `select '${name}' as name, count(*) || ' rows ' || coalesce(bit_xor(hashtextextended(${row(noted)}, 0)), 0) as content from "${name}" t`,
    )
    .join(" union all ");
}
