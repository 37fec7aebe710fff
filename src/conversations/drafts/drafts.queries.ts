import { type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { inReach, one, projection, query, time } from "../../platform/database/statements.js";
import { attachmentsIn, isFreeUpload } from "../attachments/attachments.queries.js";
import type { DraftDto } from "./drafts.dto.js";

interface DraftKey {
  conversationId: string;
  memberId: string;
}

/** A conversation without a draft has an empty one, so that a composer has one case. */
export const GET_DRAFT = one<DraftDto, DraftKey>(
  "drafts.get",
  "restricted",
  ({ conversationId, memberId }) => sql`
    select ${projection<DraftDto>({
      conversationId: sql`c.id`,
      body: sql`coalesce(d.body, '')`,
      isNote: sql`coalesce(d.is_note, false)`,
      attachments: attachmentsIn(sql`d.attachment_ids`, memberId),
      basedOnSequence: sql`d.based_on_sequence`,
      updatedAt: time(sql`d.updated_at`),
    })}
    from conversation c
      left join draft d on d.tenant_id = c.tenant_id and d.conversation_id = c.id and d.member_id = ${memberId}
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and ${inReach("c")}`,
);

interface DraftArgs extends DraftKey {
  body: string;
  isNote: boolean;
  attachmentIds: readonly string[];
  basedOnSequence: number | null;
}
/** The lock makes an erasure wait, or finds it done: nothing is added to an erased conversation. */
const writable = (conversationId: Parameter): Sql => sql`
    select c.tenant_id, c.id from conversation c
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and c.redacted_at is null and ${inReach("c")}
    for share of c`;

/** Rounded down, as a column does not: a time of the future would be later than the next change. */
const LATER = sql`greatest(date_trunc('milliseconds', clock_timestamp()), d.updated_at + interval '1 millisecond')`;

/** Writes a draft over whatever is there, or, if `onlyFirst`, only where there is none. No row: it was not written. */
export const SAVE_DRAFT = query<DraftArgs & { onlyFirst: boolean }>()(
  "drafts.save",
  "restricted",
  ({ conversationId, memberId, body, isNote, attachmentIds, basedOnSequence, onlyFirst }) => sql`
    with target as (${writable(conversationId)})
    insert into draft as d (
      tenant_id, conversation_id, member_id, body, is_note, attachment_ids, based_on_sequence, updated_at)
    select t.tenant_id, t.id, ${memberId}::uuid, ${body}, ${isNote}::boolean, ${attachmentIds}::uuid[],
      ${basedOnSequence}::int, date_trunc('milliseconds', clock_timestamp())
    from target t
    on conflict (tenant_id, conversation_id, member_id) do update set
      body = excluded.body, is_note = excluded.is_note, attachment_ids = excluded.attachment_ids,
      based_on_sequence = excluded.based_on_sequence, updated_at = ${LATER}
      where not ${onlyFirst}::boolean
    returning 1`,
);

/** Writes a draft over the version that the author knows. No row: there is another one, or none. */
export const REPLACE_DRAFT = query<DraftArgs & { ifUpdatedAt: string }>()(
  "drafts.replace",
  "restricted",
  ({ conversationId, memberId, body, isNote, attachmentIds, basedOnSequence, ifUpdatedAt }) => sql`
    with target as (${writable(conversationId)})
    update draft d set
      body = ${body}, is_note = ${isNote}::boolean, attachment_ids = ${attachmentIds}::uuid[],
      based_on_sequence = ${basedOnSequence}::int, updated_at = ${LATER}
    from target t
    where d.tenant_id = ${TENANT} and d.conversation_id = t.id and d.member_id = ${memberId}
      and d.updated_at = ${ifUpdatedAt}::timestamptz
    returning 1`,
);

/** Whether the conversation is in reach, whether its contact was erased, and how many of the files the draft may name. */
export const CHECK_DRAFT = query<DraftKey & { attachmentIds: readonly string[] }, { erased: boolean; files: number }>()(
  "drafts.check",
  "restricted",
  ({ conversationId, memberId, attachmentIds }) => sql`
    select c.redacted_at is not null as erased, (
      select count(*)::int from attachment a
      where a.tenant_id = ${TENANT} and a.id = any(${attachmentIds}::uuid[]) and ${isFreeUpload("a", memberId)}
    ) as files
    from conversation c where c.tenant_id = ${TENANT} and c.id = ${conversationId} and ${inReach("c")}`,
);

/** With the files that they name, which nobody else has. @returns the ids of the files */
const forgetDrafts = (which: Sql): Sql => sql`
    with gone as (
      delete from draft d where d.tenant_id = ${TENANT} and ${which} returning d.attachment_ids
    )
    delete from attachment a using gone g
    where a.tenant_id = ${TENANT} and a.id = any(g.attachment_ids) and a.message_id is null
    returning a.id`;

export const FORGET_DRAFTS_OF_CONVERSATIONS = query<{ conversationIds: readonly string[] }>()(
  "drafts.forgetOfConversations",
  { unrestricted: "only an erasure runs it" },
  ({ conversationIds }) => forgetDrafts(sql`d.conversation_id = any(${conversationIds}::uuid[])`),
);

export const FORGET_DRAFTS_OF_MEMBER = query<{ memberId: string }>()(
  "drafts.forgetOfMember",
  { unrestricted: "the member is removed from the whole tenant" },
  ({ memberId }) => forgetDrafts(sql`d.member_id = ${memberId}`),
);
