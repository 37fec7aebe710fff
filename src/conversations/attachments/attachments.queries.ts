import { inReach, one, page, polled, projection, time } from "../../platform/database/statement.js";
import type { AttachmentDto } from "./attachments.dto.js";

const attachment = (a: string): string =>
  projection<AttachmentDto>({
    id: `${a}.id`,
    fileName: `${a}.file_name`,
    contentType: `${a}.content_type`,
    size: `${a}.size`,
    width: `${a}.width`,
    height: `${a}.height`,
    createdAt: time(`${a}.created_at`),
  });

/** The attachments of a message that is called so in the text around it, as JSON. */
export const attachmentsOf = (message: string): string => `(select coalesce(json_agg(row_to_json(x)), '[]') from (
    select ${attachment("a")} from attachment a where a.tenant_id = ${message}.tenant_id and a.message_id = ${message}.id order by a.position) x)`;
/** Whether there are any in a conversation; asked once for all of its messages. */
export const anyAttachments = (conversationId: string): string =>
  `(select exists (select from attachment a where a.tenant_id = :tenant and a.conversation_id = ${conversationId}))`;

const LINK_SECONDS = 300;
/** Seconds since 1970, by the database's clock. */
const NOW = "floor(extract(epoch from clock_timestamp()))::bigint";

/** `conversation` is called so in the text around it. */
const conversationInReach = (id: string): string =>
  `exists (select from conversation c where c.tenant_id = :tenant and c.id = ${id} and ${inReach("c")})`;

/** Until it is attached, only whoever uploaded it knows of it. */
export const GET_ATTACHMENT = one<AttachmentDto & { expires: number }, { id: string; self: string | null }>(
  "attachments.get",
  "workspace",
  `select ${attachment("r")}, ${NOW} + ${LINK_SECONDS} as expires from attachment r where r.tenant_id = :tenant and r.id = :id
    and case when r.conversation_id is null then r.uploaded_by = :self::uuid else ${conversationInReach("r.conversation_id")} end`,
);

/** Within the transaction that has just made it. */
export const UPLOADED = one<AttachmentDto, { id: string }>(
  "attachments.uploaded",
  { none: "the caller has just made it" },
  `select ${attachment("r")} from attachment r where r.tenant_id = :tenant and r.id = :id`,
);

/** For the holder of a signed link, who may see what its maker could: also then a deleted workspace shows nothing. */
export const GET_LINKED = one<
  Pick<AttachmentDto, "fileName" | "contentType" | "size"> & { expired: boolean },
  { id: string; expires: number }
>(
  "attachments.linked",
  "workspace",
  `select r.file_name as "fileName", r.content_type as "contentType", r.size, :expires::bigint <= ${NOW} as expired from attachment r
    where r.tenant_id = :tenant and r.id = :id and (r.conversation_id is null or ${conversationInReach("r.conversation_id")})`,
);

export const LIST_ATTACHMENTS = polled(
  page<AttachmentDto, { conversationId: string; limit: number; after0?: string; after1?: string }>(
    "attachments.list",
    "workspace",
    {
      rows: `select a.* from attachment a where a.tenant_id = :tenant and a.conversation_id = :conversationId
      and (:after0::timestamptz is null or (a.created_at, a.id) < (:after0::timestamptz, :after1::uuid))
    order by a.created_at desc, a.id desc limit :limit + 1`,
      position: [time("r.created_at"), "r.id"],
      item: attachment("r"),
      visible: conversationInReach(":conversationId"),
    },
  ),
);

/** One row for each that was free, in the order asked for; a second claim waits for the first and then finds none. */
export const CLAIM = `update attachment a set conversation_id = :conversationId, message_id = :messageId, position = n.position
  from unnest(:ids::uuid[]) with ordinality as n (id, position)
  where a.tenant_id = :tenant and a.id = n.id and a.message_id is null and a.uploaded_by = :self::uuid returning 1`;
