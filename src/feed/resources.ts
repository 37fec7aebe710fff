import { PENDING_ACTION } from "../assistant/pending-actions/pending-actions.queries.js";
import { PROCEDURE } from "../assistant/procedures/procedures.queries.js";
import { API_KEY, API_KEYS_OF_TENANT } from "../auth/api-keys/api-keys.queries.js";
import { MEMBER, MEMBERS_OF_TENANT } from "../auth/members/members.queries.js";
import { BOOKING } from "../calendar/bookings/bookings.queries.js";
import { account } from "../contacts/accounts.queries.js";
import { accountInReach, contactInReach, isVisible, IS_UNRESTRICTED } from "../contacts/contact-reach.js";
import { CONTACT } from "../contacts/contacts.queries.js";
import { ATTENTION_ITEM } from "../conversations/attention/attention-items.queries.js";
import { CASE } from "../conversations/cases/cases.queries.js";
import { CONVERSATION } from "../conversations/conversations.queries.js";
import { MESSAGE } from "../conversations/messages.queries.js";
import { EVENT } from "../identity/events/identity-events.service.js";
import { AGENT, IS_VISIBLE } from "../knowledge/agents/agents.queries.js";
import { KB_ENTRIES } from "../knowledge/kb-entries/kb-entries.queries.js";
import { POLICY_ENTRIES } from "../knowledge/policies/policy-entries.queries.js";
import { ENTRY_JSON } from "../knowledge/review/entries.queries.js";
import { SOURCE } from "../knowledge/sources/sources.queries.js";
import type { Caller } from "../platform/caller/caller.js";
import { ADMINS, type Role, ROLES, rolesFor, type Scope } from "../platform/caller/scope.js";
import {
  BRAND,
  identifier,
  joined,
  literal,
  type Parameter,
  type Sql,
  sql,
  TENANT,
  WORKSPACES,
} from "../platform/database/sql.js";
import { inReach, isConversationInReach } from "../platform/database/statements.js";
import { namedEnum } from "../platform/enums/named-enum.js";
import { BREAKER } from "../quality/breakers/breakers.queries.js";
import { RATING } from "../quality/csat/ratings/ratings.queries.js";
import { CHANNEL } from "../workspaces/channel.dto.js";
import {
  BRAND_FIELDS,
  IS_BRAND_VISIBLE,
  REACHABLE_WORKSPACES,
  WORKSPACE_FIELDS,
} from "../workspaces/workspaces.queries.js";

/** A kind of resource in the feed. */
interface FeedResource {
  /** The scope that reads it, or `members` and `admins` for what no API key reads. */
  readBy: Scope | "members" | "admins";
  /**
   * The resource of the feed's row `f`, as a select list and the tables with their conditions: what the API shows to this
   * caller when it reads the resource by its id. Without a row the caller does not see the change.
   */
  shown: (self: Parameter) => Sql;
  /** How the selected row `r` becomes JSON; by default each column is a field. */
  json?: Sql;
  /** Whether a caller who can see nothing of the resource any more could read it before. By default its workspace says so. */
  tombstone?: (self: Parameter) => Sql;
}

/** A caller reached the workspace of the row `f`, which may be deleted by now. */
const REACHED_WORKSPACE = sql`(
    (${WORKSPACES}::uuid[] is null or f.workspace_id = any(${WORKSPACES}))
    and (${BRAND}::uuid is null or ${BRAND} = coalesce(
      (select v.brand_id from workspace v where v.tenant_id = ${TENANT} and v.id = f.workspace_id),
      (f.state ->> 'brandId')::uuid))
  )`;

/**
 * Its workspace is within the caller's reach. The `select` around it has the row found by its id first: without statistics, PostgreSQL
 * went through all rows of the workspace instead.
 */
const isInReach = (row: string): Sql => sql`(select ${inReach(row)})`;

const ofWorkspace = (table: string, fields: Sql): ((self: Parameter) => Sql) => {
  const from = identifier(table);
  return () =>
    sql`${fields} from ${from} r where r.tenant_id = ${TENANT} and r.id = f.resource_id and ${isInReach("r")}`;
};

const RESOURCES = {
  conversation: { readBy: "conversations:read", shown: ofWorkspace("conversation", CONVERSATION) },
  message: {
    readBy: "conversations:read",
    // No join: without statistics, PostgreSQL went through all conversations of the workspaces for each message.
    shown: () => sql`${MESSAGE} from message r
      where r.tenant_id = ${TENANT} and r.id = f.resource_id and ${isConversationInReach(sql`r.conversation_id`)}`,
  },
  attention_item: { readBy: "conversations:read", shown: ofWorkspace("attention_item", ATTENTION_ITEM) },
  pending_action: { readBy: "conversations:read", shown: ofWorkspace("pending_action", PENDING_ACTION) },
  identity_event: {
    readBy: "conversations:read",
    shown: () => sql`${EVENT} from identity_event e
      where e.tenant_id = ${TENANT} and e.id = f.resource_id and ${isInReach("e")} and not exists (
        select from contact k
        where k.tenant_id = ${TENANT} and k.id = e.factor_bound_to_principal and k.deleted_at is not null
      )`,
  },
  contact: {
    readBy: "contacts:read",
    shown: (self) =>
      sql`${CONTACT} from contact r where r.tenant_id = ${TENANT} and r.id = f.resource_id and ${isVisible(self)}`,
    tombstone: (self) => sql`exists (
      select from contact r where r.tenant_id = ${TENANT} and r.id = f.resource_id and ${contactInReach("r", self)})`,
  },
  account: {
    readBy: "accounts:read",
    shown: (self) =>
      sql`${account(self)} from account r
      where r.tenant_id = ${TENANT} and r.id = f.resource_id and ${accountInReach(self)}`,
    tombstone: (self) => sql`(${IS_UNRESTRICTED} or (f.state ->> 'createdBy')::uuid = ${self}::uuid or exists (
      select from jsonb_array_elements_text(f.state -> 'contactIds') i
        join contact r on r.tenant_id = ${TENANT} and r.id = i::uuid
      where ${contactInReach("r", self)}
    ))`,
  },
  case: { readBy: "cases:read", shown: ofWorkspace("support_case", CASE) },
  kb_entry: { readBy: "kb:read", shown: ofWorkspace("kb_entry", KB_ENTRIES.projection), json: ENTRY_JSON },
  policy_entry: {
    readBy: "policy:read",
    shown: ofWorkspace("policy_entry", POLICY_ENTRIES.projection),
    json: ENTRY_JSON,
  },
  source: { readBy: "kb:read", shown: ofWorkspace("source", SOURCE) },
  procedure: { readBy: "agents:read", shown: ofWorkspace("procedure", PROCEDURE) },
  agent: {
    readBy: "agents:read",
    shown: () => sql`${AGENT} from agent r where r.tenant_id = ${TENANT} and r.id = f.resource_id and ${IS_VISIBLE}`,
    tombstone: () => sql`(${IS_UNRESTRICTED} or exists (
      select from workspace v
      where v.tenant_id = ${TENANT} and (f.state -> 'workspaceIds') ? v.id::text
        and (${BRAND}::uuid is null or v.brand_id = ${BRAND})
        and (${WORKSPACES}::uuid[] is null or v.id = any(${WORKSPACES}))
    ))`,
  },
  booking: { readBy: "calendar:read", shown: ofWorkspace("booking", BOOKING) },
  rating: { readBy: "quality:read", shown: ofWorkspace("csat_survey", RATING) },
  circuit_breaker: { readBy: "quality:read", shown: ofWorkspace("circuit_breaker", BREAKER) },
  workspace: {
    readBy: "workspaces:read",
    shown: () => sql`${WORKSPACE_FIELDS} from ${REACHABLE_WORKSPACES} and w.id = f.resource_id`,
  },
  brand: {
    readBy: "workspaces:read",
    shown: () => sql`${BRAND_FIELDS} from brand b
      where b.tenant_id = ${TENANT} and b.id = f.resource_id and ${IS_BRAND_VISIBLE}`,
  },
  channel: {
    readBy: "channels:read",
    shown: () => sql`${CHANNEL} from channel c
      where c.tenant_id = ${TENANT} and c.id = f.resource_id and ${isInReach("c")}`,
  },
  member: {
    readBy: "members",
    shown: () => sql`${MEMBER} from ${MEMBERS_OF_TENANT}
      where t.id = ${TENANT} and m.id = f.resource_id and m.removed_at is null`,
    tombstone: () => sql`true`,
  },
  api_key: { readBy: "admins", shown: () => sql`${API_KEY} from ${API_KEYS_OF_TENANT} and k.id = f.resource_id` },
} as const satisfies Record<string, FeedResource>;

export type ResourceType = keyof typeof RESOURCES;
export const RESOURCE_TYPES = namedEnum(
  "ResourceType",
  "A kind of resource in the change feed.",
  Object.keys(RESOURCES) as ResourceType[],
);

/** The kinds of resources that this caller could read at all. Which of each kind is up to the statement. */
export function readableBy(caller: Caller): ResourceType[] {
  return RESOURCE_TYPES.filter((type) => mayRead(caller, RESOURCES[type].readBy));
}

function mayRead(caller: Caller, readBy: FeedResource["readBy"]): boolean {
  if (caller.kind === "apiKey") return readBy !== "members" && readBy !== "admins" && caller.scopes.includes(readBy);
  return caller.kind === "member" && rolesOf(readBy).includes(caller.role);
}

function rolesOf(readBy: FeedResource["readBy"]): readonly Role[] {
  if (readBy === "admins") return ADMINS;
  // Those whose role is for billing read no changes.
  return readBy === "members" ? ROLES.filter((role) => role !== "billing") : rolesFor(readBy);
}

const ALL: Record<ResourceType, FeedResource> = RESOURCES;
const byType = (types: readonly ResourceType[], part: (resource: FeedResource) => Sql): Sql => sql`
  case f.resource_type ${joined(
    types.map((type) => sql`when ${literal(type)} then ${part(ALL[type])}`),
    " ",
  )} end`;

/** The resource of a row `f`, as JSON. Null if the caller cannot read it, or if it is of another type. */
export const resourceOf = (self: Parameter, types: readonly ResourceType[] = RESOURCE_TYPES): Sql =>
  byType(
    types,
    ({ shown, json = sql`row_to_json(r)` }) => sql`(select (${json})::json from (select ${shown(self)}) r)`,
  );

/** Whether the caller could read the resource of the tombstone `f` before. */
export const couldRead = (self: Parameter): Sql =>
  byType(RESOURCE_TYPES, ({ tombstone }) => tombstone?.(self) ?? REACHED_WORKSPACE);
