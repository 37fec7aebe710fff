import type { Caller } from "../platform/caller/caller.js";
import {
  inReach,
  one,
  page,
  type PageStatement,
  polled,
  projection,
  REACHABLE,
  time,
} from "../platform/database/statement.js";
import { change } from "./actions/change.js";
import type { ConversationDto, UpdateConversationDto } from "./conversations.dto.js";

/** A conversation `r`. */
export const CONVERSATION = projection<ConversationDto>({
  id: "r.id",
  workspaceId: "r.workspace_id",
  brandId: "r.brand_id",
  channelId: "r.channel_id",
  channelType: "(select ch.type from channel ch where ch.tenant_id = r.tenant_id and ch.id = r.channel_id)",
  contactId: "r.contact_id",
  accountId: "(select co.account_id from contact co where co.tenant_id = r.tenant_id and co.id = r.contact_id)",
  externalId: "r.external_id",
  subject: "r.subject",
  status: "r.status",
  handlingMode: "r.handling_mode",
  assigneeId: "r.assignee_id",
  priority: "r.priority",
  labels: "r.labels",
  language: "r.language",
  summary: "r.summary",
  messageCount: "r.message_count",
  unreadCount: "r.unread_count",
  lastMessagePreview: "r.last_message_preview",
  lastActivityAt: time("r.last_activity_at"),
  waitingSince: time("r.waiting_since"),
  firstReplyAt: time("r.first_reply_at"),
  snoozedUntil: time("r.snoozed_until"),
  resolvedAt: time("r.resolved_at"),
  resolvedBy: "r.resolved_by",
  resolution: "r.resolution",
  assuranceLevel: "r.assurance_level",
  csatScore: "r.csat_score",
  pendingActionCount: "r.pending_action_count",
  openAttentionCount: "r.open_attention_count",
  previousConversationId: "r.previous_conversation_id",
  metadata: "r.metadata",
  createdAt: time("r.created_at"),
  updatedAt: time("r.updated_at"),
});

export const GET_CONVERSATION = polled(
  one<ConversationDto, { id: string }>(
    "conversations.get",
    "workspace",
    `select ${CONVERSATION} from conversation r where r.tenant_id = :tenant and r.id = :id and ${inReach("r")}`,
  ),
);

export interface Filters {
  workspaceId?: string;
  status?: string;
  assigneeId?: string;
  contactId?: string;
  label?: string;
  updatedSince?: string;
  externalId?: string;
}
/** On a conversation `c`, found by walking the rows `o`: its own, or those of a label. */
const CONDITIONS: Record<keyof Filters, (o: string) => string> = {
  workspaceId: (o) => `${o}.workspace_id = :workspaceId`,
  status: () => "c.status = :status",
  assigneeId: () => "c.assignee_id = :assigneeId",
  contactId: () => "c.contact_id = :contactId",
  label: (o) => `${o}.label = :label`,
  updatedSince: (o) => `${o}.last_activity_at >= :updatedSince::timestamptz`,
  externalId: () => "c.external_id = :externalId",
};
/** Of these there are indexes by workspace and by tenant. */
const INDEXED: readonly (keyof Filters)[] = ["status", "assigneeId", "contactId", "label"];
type ListArgs = Filters & { limit: number; after0?: string; after1?: string };

const lists = new Map<string, PageStatement<ListArgs, ConversationDto>>();

/**
 * The list for one kind of reach and one set of filters: a text of its own, so that each walks its own index backwards
 * and a page costs the same wherever it stands.
 */
export function listStatement(
  level: Caller["reach"]["level"],
  filters: Filters,
  continued: boolean,
): PageStatement<ListArgs, ConversationDto> {
  const names = (Object.keys(CONDITIONS) as (keyof Filters)[]).filter((name) => filters[name] !== undefined);
  const name = ["conversations.list", level, ...names, ...(continued ? ["next"] : [])].join(" ");
  let statement = lists.get(name);
  // PostgreSQL tells prepared statements apart by 63 characters.
  if (!statement)
    lists.set(name, (statement = polled(makeList(`conversations.list ${lists.size}`, level, names, continued))));
  return statement;
}

function makeList(
  name: string,
  level: Caller["reach"]["level"],
  filters: (keyof Filters)[],
  continued: boolean,
): PageStatement<ListArgs, ConversationDto> {
  const [o, id, from] = filters.includes("label")
    ? [
        "l",
        "l.conversation_id",
        "conversation_label l join conversation c on c.tenant_id = l.tenant_id and c.id = l.conversation_id",
      ]
    : ["c", "c.id", "conversation c"];
  const conditions = filters.map((filter) => ` and ${CONDITIONS[filter](o)}`).join("");
  const after = continued ? ` and (${o}.last_activity_at, ${id}) < (:after0::timestamptz, :after1::uuid)` : "";
  const order = `order by ${o}.last_activity_at desc, ${id} desc limit :limit + 1`;
  const direct = (place: string): string =>
    `select c.* from ${from} where ${o}.tenant_id = :tenant${place}${conditions}${after} ${order}`;
  const byWorkspace = `select c.* from workspace w cross join lateral (
      select c.* from ${from} where ${o}.tenant_id = w.tenant_id and ${o}.workspace_id = w.id${conditions}${after} ${order}) c
    where ${REACHABLE} order by c.last_activity_at desc, c.id desc limit :limit + 1`;
  const parts = { list: "conversations", position: [time("r.last_activity_at"), "r.id"], item: CONVERSATION };
  if (filters.includes("workspaceId")) {
    return page(name, "workspace", {
      ...parts,
      rows: direct(""),
      visible: `exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})`,
    });
  }
  // The few workspaces of a brand are cheaper walked one by one than each filter is with an index for brands.
  const narrow =
    filters.includes("externalId") || (level === "brand" && filters.some((filter) => INDEXED.includes(filter)));
  if (level === "workspaces" || narrow) return page(name, "workspace", { ...parts, rows: byWorkspace });
  // While a deleted workspace waits for its purge, its rows would have to be skipped, however many they are; then the
  // list goes workspace by workspace instead. Only one of the two branches is run.
  const place = level === "brand" ? " and c.brand_id = :brand" : "";
  const purging = `exists (select from workspace w where w.tenant_id = :tenant and w.deleted_at is not null${level === "brand" ? " and w.brand_id = :brand" : ""})`;
  return page(name, "workspace", {
    ...parts,
    rows: `(select c.* from (${direct(place)}) c where not ${purging}) union all (select c.* from (${byWorkspace}) c where ${purging})`,
  });
}

/** What may be changed of a conversation by itself, and its type in the database. */
const CHANGEABLE: Record<keyof UpdateConversationDto, string> = {
  subject: "text",
  priority: "text",
  labels: "text[]",
  language: "text",
  summary: "text",
  metadata: "jsonb",
};
type Changeable = keyof UpdateConversationDto;
export const changedIn = (body: UpdateConversationDto): Changeable[] =>
  (Object.keys(CHANGEABLE) as Changeable[]).filter((name) => body[name] !== undefined);

/** The change of these fields, each from the argument of its name. */
export const updateStatement = (names: readonly Changeable[]): string =>
  change({
    set: names.map((name) => `${name} = :${name}::${CHANGEABLE[name]}`).join(", "),
    moves: `(${names.map((name) => `t.${name}`).join(", ")}) is distinct from (${names.map((name) => `:${name}::${CHANGEABLE[name]}`).join(", ")})`,
  });
