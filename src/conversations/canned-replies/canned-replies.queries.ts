import { type Sql, sql, TENANT } from "../../platform/database/sql.js";
import {
  inReach,
  type NoArgs,
  one,
  page,
  projection,
  query,
  REACHABLE,
  time,
} from "../../platform/database/statements.js";
import type { CannedReplyDto, UpdateCannedReplyDto } from "./canned-replies.dto.js";
import type { Values } from "./template.js";

/** A canned reply `r`. */
const CANNED_REPLY = projection<CannedReplyDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  shortcut: sql`r.shortcut`,
  title: sql`r.title`,
  body: sql`r.body`,
  language: sql`r.language`,
  createdBy: sql`r.created_by`,
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});
/** Those for all workspaces are for everybody. */
const VISIBLE: Sql = sql`(r.workspace_id is null or ${inReach("r")})`;

/** By shortcut. There are at most a thousand, so any order is read as fast. */
export const LIST_CANNED_REPLIES = page<CannedReplyDto, { workspaceId?: string; query?: string }>(
  "cannedReplies.list",
  "restricted",
  ({ workspaceId, query: start, limit, after0, after1 }) => ({
    rows: sql`
      select r.* from canned_reply r
      where r.tenant_id = ${TENANT} and ${VISIBLE}
        and (${workspaceId}::uuid is null or r.workspace_id is null or r.workspace_id = ${workspaceId}::uuid)
        and (${start}::text is null or starts_with(r.shortcut, lower(${start}::text))
          or starts_with(lower(r.title), lower(${start}::text)))
        and (${after0}::text is null or (r.shortcut, r.id) > (${after0}::text, ${after1}::uuid))
      order by r.shortcut, r.id limit ${limit} + 1`,
    position: [sql`r.shortcut`, sql`r.id`],
    item: CANNED_REPLY,
    visible: sql`(${workspaceId}::uuid is null or exists (
      select from workspace w where w.id = ${workspaceId}::uuid and ${REACHABLE}))`,
  }),
);

export const GET_CANNED_REPLY = one<CannedReplyDto, { id: string }>(
  "cannedReplies.get",
  "restricted",
  ({ id }) =>
    sql`select ${CANNED_REPLY} from canned_reply r where r.tenant_id = ${TENANT} and r.id = ${id} and ${VISIBLE}`,
);

/** Locks one within reach, to change it. */
export const FIND_CANNED_REPLY = query<{ id: string }>()(
  "cannedReplies.find",
  "restricted",
  ({ id }) => sql`
    select r.created_by as "createdBy", r.workspace_id as "workspaceId" from canned_reply r
    where r.tenant_id = ${TENANT} and r.id = ${id} and ${VISIBLE} for update of r`,
);

export const COUNT_CANNED_REPLIES = query<NoArgs>()(
  "cannedReplies.count",
  { unrestricted: "the limit is for the whole side" },
  () => sql`select count(*)::int as count from canned_reply r where r.tenant_id = ${TENANT}`,
);

interface UpdateArgs extends UpdateCannedReplyDto {
  id: string;
  setsLanguage: boolean;
}
export const UPDATE_CANNED_REPLY = query<UpdateArgs>()(
  "cannedReplies.update",
  "restricted",
  ({ id, shortcut, title, body, language, setsLanguage }) => sql`
    update canned_reply r set
      shortcut = coalesce(${shortcut}::text, r.shortcut), title = coalesce(${title}::text, r.title),
      body = coalesce(${body}::text, r.body),
      language = case when ${setsLanguage}::boolean then ${language}::text else r.language end, updated_at = now()
    where r.tenant_id = ${TENANT} and r.id = ${id} and ${VISIBLE}`,
);

const firstWord = (name: Sql): Sql => sql`split_part(btrim(${name}), ' ', 1)`;
/** What the variables of a canned reply stand for in a conversation. */
export const RENDER_VALUES = one<
  { body: string; values: Values },
  { id: string; conversationId: string; memberId: string }
>(
  "cannedReplies.renderValues",
  "restricted",
  ({ id, conversationId, memberId }) => sql`
    select r.body, json_build_object(
      'contact.name', p.name, 'contact.firstName', ${firstWord(sql`p.name`)},
      'member.name', m.name, 'member.firstName', ${firstWord(sql`m.name`)},
      'conversation.id', c.id, 'conversation.subject', c.subject, 'workspace.name', w.name, 'brand.name', b.name
    ) as values
    from canned_reply r
      join conversation c on c.tenant_id = ${TENANT} and c.id = ${conversationId}
      join contact p on p.tenant_id = ${TENANT} and p.id = c.contact_id
      join workspace w on w.id = c.workspace_id and ${REACHABLE}
      join brand b on b.tenant_id = ${TENANT} and b.id = w.brand_id
      join tenant t on t.id = ${TENANT}
      join member m on m.organisation_id = t.organisation_id and m.id = ${memberId}
    where r.tenant_id = ${TENANT} and r.id = ${id} and (r.workspace_id is null or r.workspace_id = w.id)`,
);
