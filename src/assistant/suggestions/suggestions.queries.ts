import { sql, TENANT } from "../../platform/database/sql.js";
import { conversationInReach, inReach, one, projection, query } from "../../platform/database/statements.js";
import { isWithContact } from "../../conversations/participants/participants.queries.js";
import type { SuggestionDto, SuggestionsDto } from "./suggestions.dto.js";
import type { SuggestionOutcome } from "./suggestion.entity.js";

/** So many are shown. */
export const MAX_SUGGESTIONS = 3;

const SUGGESTION = projection<SuggestionDto>({
  id: sql`s.id`,
  kbEntryId: sql`e.id`,
  question: sql`e.question`,
  answer: sql`e.answer`,
  language: sql`e.language`,
  confidence: sql`case when s.warning is null then s.confidence end`,
  warning: sql`s.warning`,
  outcome: sql`s.outcome`,
});

export type Suggested = Pick<SuggestionsDto, "messageId" | "sequence" | "suggestions">;
/** Those for the contact's last message, if nobody replied to it. An entry that was changed or ended since is no suggestion any more. */
export const GET_SUGGESTIONS = one<Suggested, { conversationId: string }>(
  "suggestions.get",
  "restricted",
  ({ conversationId }) => sql`
    select m.id as "messageId", m.sequence, array(
      select row_to_json(r) from (
        select ${SUGGESTION}
        from suggestion s join kb_entry e on e.tenant_id = ${TENANT} and e.id = s.kb_entry_id and e.version = s.version
        where s.tenant_id = ${TENANT} and s.conversation_id = c.id and s.sequence = m.sequence
          and e.status = 'approved' and (e.valid_until is null or e.valid_until > now())
        order by s.confidence desc, s.id limit ${MAX_SUGGESTIONS}
      ) r
    ) as suggestions
    from (
      select c.* from ${conversationInReach(conversationId, sql`c.id, c.workspace_id, c.contact_id, c.context_from`)}
    ) c left join lateral (
      select l.id, l.sequence from (
        select m.id, m.sequence, m.direction from message m
        where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.sequence > c.context_from
          and m.direction <> 'internal' and m.author_type <> 'system'
          and ${isWithContact(sql`c.contact_id`)}
        order by m.sequence desc limit 1
      ) l where l.direction = 'inbound'
    ) m on true`,
);

/** Entries that somebody said do not fit what the contact wrote since they last got a reply. */
export const LIST_IGNORED = query<{ conversationId: string; fromSequence: number }>()(
  "suggestions.ignored",
  { unrestricted: "the conversation was read within the caller's reach" },
  ({ conversationId, fromSequence }) => sql`
    select s.kb_entry_id as "kbEntryId" from suggestion s
    where s.tenant_id = ${TENANT} and s.conversation_id = ${conversationId} and s.sequence >= ${fromSequence}
      and s.outcome = 'ignored'`,
);

/** Several may read them for the first time at once. `suggestions` is JSON by columns. */
export const ADD_SUGGESTIONS = query<{ conversationId: string; sequence: number; suggestions: string }>()(
  "suggestions.add",
  { unrestricted: "the conversation was read within the caller's reach" },
  ({ conversationId, sequence, suggestions }) => sql`
    insert into suggestion (tenant_id, id, conversation_id, sequence, kb_entry_id, version, confidence, warning)
    select ${TENANT}, g.id, c.id, ${sequence}, e.id, g.version, g.confidence, g.warning
    from jsonb_populate_recordset(null::suggestion, ${suggestions}::jsonb) g
      join conversation c on c.tenant_id = ${TENANT} and c.id = ${conversationId} and c.redacted_at is null
      join kb_entry e on e.tenant_id = ${TENANT} and e.id = g.kb_entry_id and e.workspace_id = c.workspace_id
    on conflict do nothing
    returning kb_entry_id as "kbEntryId"`,
);

/** A suggestion has one outcome: the first. */
export const END_SUGGESTION = query<
  { id: string; outcome: SuggestionOutcome },
  { workspaceId: string; kbEntryId: string; isNew: boolean; outcome: SuggestionOutcome }
>()(
  "suggestions.end",
  "restricted",
  ({ id, outcome }) => sql`
    with held as (
      select s.id, s.kb_entry_id, s.outcome, c.workspace_id
      from suggestion s join conversation c on c.tenant_id = ${TENANT} and c.id = s.conversation_id
      where s.tenant_id = ${TENANT} and s.id = ${id} and ${inReach("c")}
      for update of s
    ), ended as (
      update suggestion s set outcome = ${outcome}, ended_at = now() from held h
      where s.tenant_id = ${TENANT} and s.id = h.id and h.outcome is null
    )
    select h.workspace_id as "workspaceId", h.kb_entry_id as "kbEntryId", h.outcome is null as "isNew",
      coalesce(h.outcome, ${outcome}) as outcome
    from held h`,
);

/** A reply that cites a suggested entry ends its newest suggestion: `used` if the answer stands in it as it is. */
export const END_CITED = query<
  { conversationId: string; messageId: string; kbEntryIds: readonly string[] },
  { kbEntryId: string; outcome: SuggestionOutcome | null }
>()(
  "suggestions.endCited",
  "checked",
  ({ conversationId, messageId, kbEntryIds }) => sql`
    update suggestion s set ended_at = now(), outcome = case when exists (
        select from kb_entry e join message m on m.tenant_id = ${TENANT} and m.id = ${messageId}
        where e.tenant_id = ${TENANT} and e.id = s.kb_entry_id and e.version = s.version
          and strpos(replace(m.body, chr(13), ''), btrim(replace(e.answer, chr(13), ''), E' \\n\\t')) > 0
      ) then 'used' else 'edited' end
    from (
      select distinct on (o.kb_entry_id) o.id from suggestion o
      where o.tenant_id = ${TENANT} and o.conversation_id = ${conversationId} and o.kb_entry_id = any(${kbEntryIds}::uuid[])
        and o.outcome is null
      order by o.kb_entry_id, o.sequence desc
    ) newest
    where s.tenant_id = ${TENANT} and s.id = newest.id and s.outcome is null
    returning s.kb_entry_id as "kbEntryId", s.outcome`,
);

export const FORGET_SUGGESTIONS = query<{ conversationIds: readonly string[] }>()(
  "suggestions.forget",
  { unrestricted: "only an erasure runs it" },
  ({ conversationIds }) => sql`
    delete from suggestion s where s.tenant_id = ${TENANT} and s.conversation_id = any(${conversationIds}::uuid[])`,
);
