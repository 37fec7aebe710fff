import { LEVEL } from "../../identity/verification/assurance-level.js";
import type { AssuranceLevel } from "../../conversations/assurance-level.js";
import { isWithContact } from "../../conversations/participants/participants.queries.js";
import { ANSWERING } from "../../assistant/context/answering.js";
import { type Proof, PROOFS } from "../../assistant/context/proofs.js";
import { THRESHOLDS } from "../../assistant/context/thresholds.js";
import type { Said } from "../../assistant/context/context.queries.js";
import { type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import {
  globalQuery,
  inReach,
  list,
  one,
  page,
  polled,
  projection,
  query,
  REACHABLE,
  time,
} from "../../platform/database/statements.js";
import type { DueRow } from "../../platform/jobs/due-queue.js";
import { dueInTurn, lagOf, type Room } from "../../platform/jobs/due-rows.js";
import type { AssistantTestDto, AssistantTestRunDto, RehearsedConversationDto } from "./rehearsal.dto.js";
import type { Scene } from "./scene.js";

const ONLY_THE_JOB = { unrestricted: "only the job that plays tests runs it" };

/** A test `r`. */
const TEST = projection<AssistantTestDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  name: sql`r.name`,
  conversationId: sql`r.conversation_id`,
  assuranceLevel: sql`r.assurance_level`,
  turns: sql`r.turns`,
  toolAnswers: sql`r.tool_answers`,
  lastResult: sql`r.last_result`,
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});

/** By name. */
export const LIST_TESTS = polled(
  list<AssistantTestDto, { workspaceId: string }>("assistantTests.list", "restricted", ({ workspaceId }) => ({
    rows: sql`
      select ${TEST} from assistant_test r where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId}
      order by r.name, r.id`,
    visible: sql`exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})`,
  })),
);

export const GET_TEST = polled(
  one<AssistantTestDto, { id: string }>(
    "assistantTests.get",
    "restricted",
    ({ id }) => sql`
      select ${TEST} from assistant_test r
      where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
  ),
);

/** A run `r`. */
const RUN = projection<AssistantTestRunDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  kind: sql`r.kind`,
  cause: sql`r.cause`,
  status: sql`r.status`,
  error: sql`r.error`,
  tests: sql`r.result -> 'tests'`,
  conversations: sql`nullif(r.result -> 'conversations', 'null')`,
  createdAt: time(sql`r.created_at`),
  endedAt: time(sql`r.ended_at`),
});

export const GET_RUN = polled(
  one<AssistantTestRunDto, { id: string }>(
    "assistantTests.getRun",
    "restricted",
    ({ id }) => sql`
      select ${RUN} from assistant_test_run r
      where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
  ),
);

/** Who may not read a conversation does not see that it would change. */
export const LIST_CHANGED = polled(
  page<RehearsedConversationDto, { id: string }>("assistantTests.changed", "restricted", ({ id, limit, after0 }) => ({
    rows: sql`
        select h.*, m.body from assistant_test_run r
          join assistant_test_change h on h.tenant_id = ${TENANT} and h.run_id = r.id
          join conversation c on c.tenant_id = ${TENANT} and c.id = h.conversation_id
          left join message m on m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.id = h.message_id
        where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}
          and ${inReach("c")} and h.position > coalesce(${after0}::int, -1)
        order by h.position limit ${limit} + 1`,
    position: [sql`r.position`],
    item: projection<RehearsedConversationDto>({
      conversationId: sql`r.conversation_id`,
      messageId: sql`r.message_id`,
      turn: sql`r.turn`,
      says: sql`left(r.body, 500)`,
      before: sql`r.before`,
      after: sql`r.after`,
    }),
    visible: sql`exists (
        select from assistant_test_run r
        where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}
      )`,
  })),
);

export const COUNT_TESTS = query<{ workspaceId: string }>()(
  "assistantTests.count",
  "checked",
  ({ workspaceId }) => sql`
    select count(*)::int as count from assistant_test r
    where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId}`,
);
export const COUNT_OPEN_RUNS = query<{ workspaceId: string }>()(
  "assistantTests.countOpenRuns",
  "checked",
  ({ workspaceId }) => sql`
    select count(*)::int as count from assistant_test_run r
    where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId} and r.status in ('waiting', 'playing')
      and r.cause = 'asked'`,
);
/** Keeps the newest runs of a workspace. */
export const FORGET_RUNS = query<{ workspaceId: string; keep: number }>()(
  "assistantTests.forgetRuns",
  "checked",
  ({ workspaceId, keep }) => sql`
    delete from assistant_test_run where tenant_id = ${TENANT} and id in (
      select o.id from (
        select r.id, r.status, row_number() over (order by r.created_at desc, r.id desc) as n
        from assistant_test_run r where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId}
      ) o
      where o.n > ${keep}::int and o.status in ('done', 'failed')
    )`,
);
export const MAKE_DUE = query<{ id: string }>()(
  "assistantTests.makeDue",
  "checked",
  ({ id }) => sql`
    insert into assistant_test_due (tenant_id, run_id, due_at) values (${TENANT}, ${id}::uuid, clock_timestamp())`,
);

interface Named {
  workspaceId: string;
  entries: readonly string[];
  procedures: readonly string[];
  tests: readonly string[];
}
/** Whether the workspace has all of these. */
export const HAS_ALL = query<Named, { all: boolean }, "all">()(
  "assistantTests.hasAll",
  "checked",
  ({ workspaceId, entries, procedures, tests }) => sql`
    select not exists (
        select from unnest(${entries}::uuid[]) n (id) where not exists (
          select from kb_entry e where e.tenant_id = ${TENANT} and e.workspace_id = ${workspaceId} and e.id = n.id)
      ) and not exists (
        select from unnest(${procedures}::uuid[]) n (id) where not exists (
          select from procedure p where p.tenant_id = ${TENANT} and p.workspace_id = ${workspaceId} and p.id = n.id)
      ) and not exists (
        select from unnest(${tests}::uuid[]) n (id) where not exists (
          select from assistant_test t where t.tenant_id = ${TENANT} and t.workspace_id = ${workspaceId} and t.id = n.id)
      ) as all`,
);

/** A turn of a conversation as it was: what its test expects. Until people took over. */
export interface SavedMessage extends Said {
  outcome: string | null;
  kbEntryIds: string[];
}
interface Saved {
  workspaceId: string;
  subject: string | null;
  channelType: string;
  proofs: Proof[];
  messages: SavedMessage[];
}
export const GET_SAVED = one<Saved, { workspaceId: string; id: string; most: number }>(
  "assistantTests.saved",
  "restricted",
  ({ workspaceId, id, most }) => sql`
    select c.workspace_id as "workspaceId", c.subject, c.channel_type as "channelType", ${PROOFS} as proofs, (
        select coalesce(json_agg(json_build_object('sequence', m.sequence, 'direction', m.direction,
          'authorType', m.author_type, 'body', m.body, 'outcome', m.outcome, 'kbEntryIds', m.entries)
          order by m.sequence), '[]')
        from (
          select m.sequence, m.direction, m.author_type, m.body, (
              select a.outcome from assistant_run a
              where a.tenant_id = ${TENANT} and a.conversation_id = c.id and a.sequence = m.sequence
            ) as outcome,
            array(select x ->> 'kbEntryId' from jsonb_array_elements(m.citations) x) as entries
          from message m
          where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.direction <> 'internal'
            and ${isWithContact(sql`c.contact_id`)}
          order by m.sequence limit ${most}::int
        ) m
      ) as messages
    from conversation c
    where c.tenant_id = ${TENANT} and c.workspace_id = ${workspaceId} and c.id = ${id} and c.redacted_at is null
      and ${inReach("c")}`,
);

// The job

export interface Turn extends DueRow {
  lease: string;
}
export const CLAIM = globalQuery<Room & { leaseSeconds: number }, Turn, "lease">()(
  "assistantTests.claim",
  "everywhere",
  (room) => sql`
    update assistant_test_due d set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds}::int),
      lease = gen_random_uuid()
    from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.run_id) in (
      ${dueInTurn({ table: sql`assistant_test_due`, id: sql`run_id` }, room)})
    returning d.tenant_id as "tenantId", d.run_id as id, t.environment, d.lease`,
);
export const LAG = lagOf("assistant tests", sql`assistant_test_due`);

/** Prolongs the lease. No row: another process has it, or the run is gone. */
export const BEAT = query<{ id: string; lease: string; leaseSeconds: number }>()(
  "assistantTests.beat",
  ONLY_THE_JOB,
  ({ id, lease, leaseSeconds }) => sql`
    update assistant_test_due d set due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
    where d.tenant_id = ${TENANT} and d.run_id = ${id} and d.lease = ${lease}::uuid
    returning 1`,
);
/** Ends a run. No row: it was not its turn any more. */
export const END = query<{ id: string; lease: string }>()(
  "assistantTests.end",
  ONLY_THE_JOB,
  ({ id, lease }) => sql`
    delete from assistant_test_due d
    where d.tenant_id = ${TENANT} and d.run_id = ${id} and d.lease = ${lease}::uuid
    returning 1`,
);
/** `changes` is JSON. Conversations that are gone by now are left out. */
export const KEEP_CHANGES = query<{ id: string; changes: string }>()(
  "assistantTests.keepChanges",
  ONLY_THE_JOB,
  ({ id, changes }) => sql`
    insert into assistant_test_change (tenant_id, run_id, position, conversation_id, message_id, turn, before, after)
    select ${TENANT}, ${id}::uuid, n.position, n."conversationId", n."messageId", n.turn, n.before, n.after
    from jsonb_to_recordset(${changes}::jsonb) as n (position int, "conversationId" uuid, "messageId" uuid, turn int,
        before jsonb, after jsonb)
      join conversation c on c.tenant_id = ${TENANT} and c.id = n."conversationId" and c.redacted_at is null`,
);

/** What the assistant of a workspace goes by. Of the entries, those that procedures say, and those of `entryIds`. No row: no agent answers there. */
export const GET_SCENE = query<{ workspaceId: string; entryIds: readonly string[] }, Omit<Scene, "draft">>()(
  "assistantTests.scene",
  ONLY_THE_JOB,
  ({ workspaceId, entryIds }) => sql`
    select w.id as "workspaceId", w.primary_language as "primaryLanguage", ${THRESHOLDS} as thresholds,
      to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD') as today,
      json_build_object('id', a.id, 'name', case when a.kind = 'custom' then a.name end, 'tools', a.tools,
        'guardrails', a.guardrails) as agent,
      (
        select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'version', p.version,
          'status', p.status, 'startsWith', p.starts_with, 'steps', v.steps) order by p.name), '[]')
        from procedure p
          join procedure_version v on v.tenant_id = ${TENANT} and v.procedure_id = p.id and v.version = p.version
        where p.tenant_id = ${TENANT} and p.workspace_id = w.id and p.agent_id = a.id
      ) as procedures,
      (
        select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'version', t.version,
          'description', t.description, 'parameters', t.parameters, 'effect', t.effect, 'idempotent', t.idempotent,
          'timeoutSeconds', t.timeout_seconds, 'expiresAfterHours', t.expires_after_hours,
          'publicFields', t.public_fields) order by t.name), '[]')
        from tool t where t.tenant_id = ${TENANT} and t.workspace_id = w.id
      ) as tools,
      (
        select coalesce(json_agg(json_build_object('id', e.id, 'question', e.question, 'answer', e.answer)), '[]')
        from kb_entry e
        where e.tenant_id = ${TENANT} and e.workspace_id = w.id and e.status = 'approved' and (
          e.id = any(${entryIds}::uuid[]) or e.id in (
            select (s ->> 'entryId')::uuid
            from procedure p
              join procedure_version v on v.tenant_id = ${TENANT} and v.procedure_id = p.id and v.version = p.version
              cross join jsonb_array_elements(v.steps) s
            where p.tenant_id = ${TENANT} and p.workspace_id = w.id and s ->> 'entryId' is not null
          ))
      ) as said
    from workspace w
      left join assistant_settings x on x.tenant_id = ${TENANT} and x.workspace_id = w.id
      cross join lateral (${ANSWERING}) f
      join agent a on a.tenant_id = ${TENANT} and a.id = f.id
    where w.tenant_id = ${TENANT} and w.id = ${workspaceId} and w.deleted_at is null`,
);
/** The beginning of a day, in UTC. */
const since = (days: Parameter): Sql =>
  sql`((date_trunc('day', now() at time zone 'UTC') - make_interval(days => ${days}::int)) at time zone 'UTC')`;

/** The conversations in which something happened in the last days, the newest first, and how many there are. */
export const LIST_RECENT = query<
  { workspaceId: string; days: number; most: number },
  { since: string; found: number; ids: string[] }
>()(
  "assistantTests.recent",
  ONLY_THE_JOB,
  ({ workspaceId, days, most }) => sql`
    select ${time(since(days))} as since, (
        select count(*)::int from conversation c
        where c.tenant_id = ${TENANT} and c.workspace_id = ${workspaceId} and c.last_activity_at >= ${since(days)}
          and c.redacted_at is null
      ) as found, array(
        select c.id from conversation c
        where c.tenant_id = ${TENANT} and c.workspace_id = ${workspaceId} and c.last_activity_at >= ${since(days)}
          and c.redacted_at is null
        order by c.last_activity_at desc, c.id desc limit ${most}::int
      ) as ids`,
);

export interface Recorded {
  id: string;
  channelType: string;
  subject: string | null;
  language: string | null;
  level: AssuranceLevel;
  proofs: Proof[];
  /** The first ones. */
  messages: (Said & { id: string })[];
}
/** What was said in these conversations, in their order. */
/** A trigger copies the type of the channel into each conversation. */
export const GET_RECORDED = query<{ ids: readonly string[]; most: number }, Recorded, "channelType">()(
  "assistantTests.recorded",
  ONLY_THE_JOB,
  ({ ids, most }) => sql`
    select c.id, c.channel_type as "channelType", c.subject, coalesce(c.language, k.language) as language,
      ${LEVEL} as level, ${PROOFS} as proofs, (
        select coalesce(json_agg(json_build_object('id', m.id, 'sequence', m.sequence, 'direction', m.direction,
          'authorType', m.author_type, 'body', m.body) order by m.sequence), '[]')
        from (
          select m.id, m.sequence, m.direction, m.author_type, left(m.body, 20000) as body from message m
          where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.direction <> 'internal'
            and ${isWithContact(sql`c.contact_id`)}
          order by m.sequence limit ${most}::int
        ) m
      ) as messages
    from unnest(${ids}::uuid[]) with ordinality u (id, n)
      join conversation c on c.tenant_id = ${TENANT} and c.id = u.id and c.redacted_at is null
      join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
    order by u.n`,
);

/** What is saved from these conversations goes with them. */
export const FORGET = query<{ conversationIds: readonly string[] }>()(
  "assistantTests.forget",
  { unrestricted: "only an erasure runs it" },
  ({ conversationIds }) => sql`
    with tests as (
      delete from assistant_test t where t.tenant_id = ${TENANT} and t.conversation_id = any(${conversationIds}::uuid[])
    )
    delete from assistant_test_change h
    where h.tenant_id = ${TENANT} and h.conversation_id = any(${conversationIds}::uuid[])`,
);
