import { identifier, type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import {
  isConversationInReach,
  one,
  page,
  polled,
  positionOr,
  type Projection,
  projection,
  query,
  time,
} from "../../platform/database/statements.js";
import type { AttachmentDto } from "./attachments.dto.js";

/** An attachment of this alias. */
function attachment(alias: string): Projection {
  const a = identifier(alias);
  return projection<AttachmentDto>({
    id: sql`${a}.id`,
    fileName: sql`${a}.file_name`,
    contentType: sql`${a}.content_type`,
    size: sql`${a}.size`,
    width: sql`${a}.width`,
    height: sql`${a}.height`,
    createdAt: time(sql`${a}.created_at`),
  });
}

/** The attachments of the message of this alias, as JSON. */
export function attachmentsOf(alias: string): Sql {
  const message = identifier(alias);
  return sql`(
    select coalesce(json_agg(row_to_json(x)), '[]') from (
      select ${attachment("a")} from attachment a
      where a.tenant_id = ${TENANT} and a.message_id = ${message}.id
      order by a.position
    ) x
  )`;
}

/** Whether the message of this alias came with formatting. */
export function hasHtml(alias: string): Sql {
  const message = identifier(alias);
  return sql`exists (
    select from attachment a where a.tenant_id = ${TENANT} and a.message_id = ${message}.id and a.original = 'html'
  )`;
}

/** Whether a conversation has any attachments. Asked once for all its messages. */
export const hasAttachments = (conversationId: Sql): Sql => sql`(
  select exists (select from attachment a where a.tenant_id = ${TENANT} and a.conversation_id = ${conversationId})
)`;

/** Only the caller that uploaded a file can attach it, once. */
export function isFreeUpload(alias: string, self: Parameter): Sql {
  const a = identifier(alias);
  return sql`${a}.message_id is null and ${a}.uploaded_by = ${self}::uuid`;
}

/** The files of these ids that are still to be attached, in their order, as JSON. */
export const attachmentsIn = (ids: Sql, self: Parameter): Sql => sql`(
    select coalesce(json_agg(row_to_json(x)), '[]') from (
      select ${attachment("a")} from unnest(${ids}) with ordinality as n (id, position)
        join attachment a on a.tenant_id = ${TENANT} and a.id = n.id and ${isFreeUpload("a", self)}
      order by n.position
    ) x
  )`;

const LINK_SECONDS = sql`300`;
/** Seconds since 1970, by the database's clock. */
const NOW = sql`floor(extract(epoch from clock_timestamp()))::bigint`;

/** Until a file is attached, only the caller that uploaded it can read it. */
export const GET_ATTACHMENT = one<AttachmentDto & { expires: number }, { id: string; self: string | null }>(
  "attachments.get",
  "restricted",
  ({ id, self }) => sql`
    select ${attachment("r")}, ${NOW} + ${LINK_SECONDS} as expires
    from attachment r
    where r.tenant_id = ${TENANT} and r.id = ${id}
      and case when r.conversation_id is null then r.uploaded_by = ${self}::uuid
        else ${isConversationInReach(sql`r.conversation_id`)} end`,
);

export const GET_UPLOADED = one<AttachmentDto, { id: string }>(
  "attachments.uploaded",
  { unrestricted: "the caller has just made it, in the same transaction" },
  ({ id }) => sql`select ${attachment("r")} from attachment r where r.tenant_id = ${TENANT} and r.id = ${id}`,
);

/** For a signed link: its holder may see the file. Files of a deleted workspace are not shown here either. */
export const GET_LINKED = one<
  Pick<AttachmentDto, "fileName" | "contentType" | "size" | "width" | "height"> & { expired: boolean },
  { id: string; expires: number }
>(
  "attachments.linked",
  "restricted",
  ({ id, expires }) => sql`
    select r.file_name as "fileName", r.content_type as "contentType", r.size, r.width, r.height,
      ${expires}::bigint <= ${NOW} as expired
    from attachment r
    where r.tenant_id = ${TENANT} and r.id = ${id}
      and (r.conversation_id is null or ${isConversationInReach(sql`r.conversation_id`)})`,
);

export const LIST_ATTACHMENTS = polled(
  page<AttachmentDto, { conversationId: string }>(
    "attachments.list",
    "restricted",
    ({ conversationId, limit, after0, after1 }) => ({
      rows: sql`
        select a.* from attachment a
        where a.tenant_id = ${TENANT} and a.conversation_id = ${conversationId}
          and (a.created_at, a.id) < (${positionOr(after0, "infinity")}, ${after1}::uuid)
        order by a.created_at desc, a.id desc limit ${limit} + 1`,
      position: [sql`r.created_at`, sql`r.id`],
      item: attachment("r"),
      visible: isConversationInReach(sql`${conversationId}`),
    }),
  ),
);

/**
 * Returns one row for each file that was free, in the given order. A second claim waits for the first and then finds
 * none.
 */
export const CLAIM = query<{
  conversationId: string;
  messageId: string;
  ids: readonly string[];
  self: string | null;
}>()(
  "attachments.claim",
  { unrestricted: "only the caller that uploaded a file can attach it" },
  ({ conversationId, messageId, ids, self }) => sql`
    update attachment a set conversation_id = ${conversationId}, message_id = ${messageId}, position = n.position
    from unnest(${ids}::uuid[]) with ordinality as n (id, position)
    where a.tenant_id = ${TENANT} and a.id = n.id and ${isFreeUpload("a", self)}
    returning 1`,
);
