import { sql, TENANT } from "../../platform/database/sql.js";
import {
  globalQuery,
  inReach,
  list,
  one,
  polled,
  projection,
  query,
  time,
} from "../../platform/database/statements.js";
import type { DueRow } from "../../platform/jobs/due-queue.js";
import { dueInTurn, lagOf, type Room } from "../../platform/jobs/due-rows.js";
import { isVisibleWorkspace } from "../review/entries.queries.js";
import type { KnownSection } from "./plan.js";
import type { SourceKind } from "./source.entity.js";
import type { SourceDto } from "./sources.dto.js";

const ONLY_THE_JOB = { unrestricted: "only the job that reads sources runs it" };

/** A source `r`. */
export const SOURCE = projection<SourceDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  kind: sql`r.kind`,
  url: sql`r.url`,
  fileName: sql`r.file_name`,
  schedule: sql`r.schedule`,
  status: sql`r.status`,
  lastReadAt: time(sql`r.last_read_at`),
  pages: sql`r.pages`,
  failedPages: sql`r.failed_pages`,
  found: sql`r.found`,
  proposed: sql`(
    select count(*)::int from source_section s
      join kb_entry k on k.tenant_id = ${TENANT} and k.id = s.proposal_id and k.status = 'pending'
    where s.tenant_id = ${TENANT} and s.source_id = r.id
  )`,
  error: sql`r.error`,
  errorCode: sql`r.error_code`,
  errorValue: sql`r.error_value`,
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});

export const LIST_SOURCES = polled(
  list<SourceDto, { workspaceId: string }>("sources.list", "restricted", ({ workspaceId }) => ({
    rows: sql`
      select ${SOURCE} from source r where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId}
      order by r.created_at desc, r.id desc`,
    visible: isVisibleWorkspace(workspaceId),
  })),
);

export const GET_SOURCE = polled(
  one<SourceDto, { id: string }>(
    "sources.get",
    "restricted",
    ({ id }) => sql`
      select ${SOURCE} from source r where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
  ),
);

/** Locks a source within reach. */
export const LOCK_SOURCE = query<
  { id: string },
  { workspaceId: string; status: string; kind: SourceKind; url: string | null }
>()(
  "sources.lock",
  "restricted",
  ({ id }) => sql`
    select r.workspace_id as "workspaceId", r.status, r.kind, r.url from source r
    where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")} for no key update`,
);

/** Due at once, or, if it waits for its schedule, then. */
export const MAKE_DUE = query<{ id: string; schedule: string | null }>()(
  "sources.makeDue",
  "checked",
  ({ id, schedule }) => sql`
    insert into source_due as d (tenant_id, source_id, due_at)
    select ${TENANT}, ${id}::uuid, clock_timestamp() + case ${schedule}::text
      when 'daily' then interval '1 day' when 'weekly' then interval '7 days' else interval '0' end
    on conflict (tenant_id, source_id) do update set due_at = excluded.due_at, lease = null`,
);

export const CLAIM = globalQuery<Room & { leaseSeconds: number }, DueRow & { lease: string }, "lease">()(
  "sources.claim",
  "everywhere",
  (room) => sql`
    update source_due d set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds}::int),
      lease = gen_random_uuid()
    from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.source_id) in (
      ${dueInTurn({ table: sql`source_due`, id: sql`source_id` }, room)})
    returning d.tenant_id as "tenantId", d.source_id as id, t.environment, d.lease`,
);
export const LAG = lagOf("sources", sql`source_due`);

/** No row: another source of the site is being read. An end that lies further ahead than a lease is from before the clock was set back. */
export const TAKE_SITE = globalQuery<{ site: string; lease: string; leaseSeconds: number }>()(
  "sources.takeSite",
  "control",
  ({ site, lease, leaseSeconds }) => sql`
    with left_behind as (
      delete from site_reading s where s.site in (
        select o.site from site_reading o where o.ends_at <= clock_timestamp() and o.site <> ${site}
        limit 10 for update skip locked)
    )
    insert into site_reading as r (site, lease, ends_at)
    values (${site}, ${lease}::uuid, clock_timestamp() + make_interval(secs => ${leaseSeconds}::int))
    on conflict (site) do update set lease = excluded.lease, ends_at = excluded.ends_at
      where r.ends_at not between clock_timestamp() and excluded.ends_at
    returning 1`,
);

/** No row: it took too long to ask, and another source of the site is being read. */
export const KEEP_SITE = globalQuery<{ site: string; lease: string; leaseSeconds: number }>()(
  "sources.keepSite",
  "control",
  ({ site, lease, leaseSeconds }) => sql`
    update site_reading r set ends_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
    where r.site = ${site} and r.lease = ${lease}::uuid
    returning 1`,
);

export const LEAVE_SITE = globalQuery<{ site: string; lease: string }>()(
  "sources.leaveSite",
  "control",
  ({ site, lease }) => sql`delete from site_reading r where r.site = ${site} and r.lease = ${lease}::uuid`,
);

/** Prolongs the lease. No row: another reading has it, or the source is deleted. */
export const BEAT = query<{ id: string; lease: string; leaseSeconds: number }>()(
  "sources.beat",
  ONLY_THE_JOB,
  ({ id, lease, leaseSeconds }) => sql`
    update source_due d set due_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
    where d.tenant_id = ${TENANT} and d.source_id = ${id} and d.lease = ${lease}::uuid
    returning 1`,
);

/** Ends a reading: due again when its schedule says. No row: it was not its turn any more. */
export const END_READING = query<{ id: string; lease: string }>()(
  "sources.endReading",
  ONLY_THE_JOB,
  ({ id, lease }) => sql`
    with mine as (
      delete from source_due d where d.tenant_id = ${TENANT} and d.source_id = ${id} and d.lease = ${lease}::uuid
      returning d.source_id
    )
    select r.workspace_id as "workspaceId", r.schedule, w.primary_language as language, w.deleted_at is not null as deleted
    from mine m join source r on r.tenant_id = ${TENANT} and r.id = m.source_id
      join workspace w on w.tenant_id = ${TENANT} and w.id = r.workspace_id
    for no key update of r`,
);

/** The first page, which leads to the others, and those that were read longest ago. */
export const KNOWN_PAGES = query<{ id: string; first: string; most: number }>()(
  "sources.knownPages",
  ONLY_THE_JOB,
  ({ id, first, most }) => sql`
    select p.url, p.etag, p.last_modified as "lastModified" from source_page p
    where p.tenant_id = ${TENANT} and p.source_id = ${id} 
    order by p.url <> ${first}, p.read_at, p.url limit ${most}::int`,
);

/** Those of the addresses that were read at some time. */
export const WERE_READ = query<{ id: string; urls: readonly string[] }>()(
  "sources.wereRead",
  ONLY_THE_JOB,
  ({ id, urls }) => sql`
    select p.url from source_page p
    where p.tenant_id = ${TENANT} and p.source_id = ${id} and p.url = any(${urls}::text[])`,
);

export const KNOWN_SECTIONS = query<{ id: string }, KnownSection>()(
  "sources.knownSections",
  ONLY_THE_JOB,
  ({ id }) => sql`
    select s.key, s.url, s.digest, s.entry_id as "entryId", s.entry_digest as "entryDigest",
      s.proposal_id as "proposalId"
    from source_section s where s.tenant_id = ${TENANT} and s.source_id = ${id}`,
);

/** Locks the entries that come from a source, so that nobody decides about them while what follows is worked out. */
export const LOCK_ENTRIES = query<{ id: string }>()(
  "sources.lockEntries",
  ONLY_THE_JOB,
  ({ id }) => sql`
    select k.id, k.status from kb_entry k
    where k.tenant_id = ${TENANT} and k.id in (
      select s.entry_id from source_section s where s.tenant_id = ${TENANT} and s.source_id = ${id}
      union all
      select s.proposal_id from source_section s where s.tenant_id = ${TENANT} and s.source_id = ${id})
    order by k.id for no key update`,
);

/** Entries with exactly these texts: in use, waiting, or refused by a person. `texts` is JSON. */
export const SAME_TEXTS = query<{ workspaceId: string; texts: string }, { i: number; id: string; status: string }>()(
  "sources.sameTexts",
  ONLY_THE_JOB,
  ({ workspaceId, texts }) => sql`
    select distinct on (n.i) n.i, k.id, k.status
    from jsonb_to_recordset(${texts}::jsonb) as n (i integer, question text, answer text)
      join kb_entry k on k.tenant_id = ${TENANT} and k.workspace_id = ${workspaceId} and k.answer = n.answer
        and k.question = n.question
    where k.status in ('approved', 'pending') or (k.status = 'rejected' and k.reviewed_by is not null)
    order by n.i, k.status, k.id`,
);

/**
 * Adds proposals. One with a `base` takes over what people wrote about that entry: its question, its other questions and its labels; without
 * an answer, also that, and it ends. `entries` is JSON.
 */
export const PROPOSE = query<{ workspaceId: string; entries: string }>()(
  "sources.propose",
  ONLY_THE_JOB,
  ({ workspaceId, entries }) => sql`
    insert into kb_entry (tenant_id, id, workspace_id, status, source, question, answer, alternate_questions, language,
      labels, duplicate_of_id, replaces_duplicate, valid_until, change_reason, read_from)
    select ${TENANT}, n.id, ${workspaceId}, 'pending', 'source', coalesce(b.question, n.question),
      coalesce(n.answer, b.answer), coalesce(b.alternate_questions, '{}'), coalesce(b.language, n.language),
      coalesce(b.labels, '{}'), coalesce(b.id, n."duplicateOfId"), b.id is not null,
      case when n.answer is null then now() else b.valid_until end, n.reason, n."readFrom"
    from jsonb_to_recordset(${entries}::jsonb) as n (id uuid, base uuid, question text, answer text, language text,
        "duplicateOfId" uuid, reason text, "readFrom" jsonb)
      left join kb_entry b on b.tenant_id = ${TENANT} and b.workspace_id = ${workspaceId} and b.id = n.base
    where n.answer is not null or b.id is not null`,
);

/** Withdraws proposals that nobody has decided about. */
export const WITHDRAW = query<{ ids: readonly string[]; reason: string }>()(
  "sources.withdraw",
  ONLY_THE_JOB,
  ({ ids, reason }) => sql`
    update kb_entry k set status = 'rejected', rejection_reason = ${reason}, updated_at = now()
    where k.tenant_id = ${TENANT} and k.id = any(${ids}::uuid[]) and k.status = 'pending' and k.source = 'source'`,
);

/** `sections` is JSON. */
export const KEEP_SECTIONS = query<{ id: string; sections: string }>()(
  "sources.keepSections",
  ONLY_THE_JOB,
  ({ id, sections }) => sql`
    insert into source_section (tenant_id, source_id, key, url, digest, entry_id, entry_digest, proposal_id)
    select ${TENANT}, ${id}::uuid, n.key, n.url, n.digest, n."entryId", n."entryDigest", n."proposalId"
    from jsonb_to_recordset(${sections}::jsonb) as n (key text, url text, digest text, "entryId" uuid,
      "entryDigest" text, "proposalId" uuid)
    on conflict (tenant_id, source_id, key) do update set url = excluded.url, digest = excluded.digest,
      entry_id = excluded.entry_id, entry_digest = excluded.entry_digest, proposal_id = excluded.proposal_id`,
);

/** `pages` is JSON. */
export const KEEP_PAGES = query<{ id: string; pages: string; gone: readonly string[] }>()(
  "sources.keepPages",
  ONLY_THE_JOB,
  ({ id, pages, gone }) => sql`
    with removed as (
      delete from source_page p
      where p.tenant_id = ${TENANT} and p.source_id = ${id} and p.url = any(${gone}::text[])
    )
    insert into source_page (tenant_id, source_id, url, etag, last_modified)
    select distinct on (n.url) ${TENANT}, ${id}::uuid, n.url, n.etag, n."lastModified"
    from jsonb_to_recordset(${pages}::jsonb) as n (url text, etag text, "lastModified" text)
    on conflict (tenant_id, source_id, url) do update set etag = excluded.etag, last_modified = excluded.last_modified,
      read_at = now()`,
);

export const COUNT_FOUND = query<{ id: string }>()(
  "sources.countFound",
  ONLY_THE_JOB,
  ({ id }) => sql`
    select count(*)::int as count from source_section s
    where s.tenant_id = ${TENANT} and s.source_id = ${id} and s.digest is not null`,
);

/** The proposals of a source that nobody has decided about. */
export const LOCK_WAITING = query<{ id: string }>()(
  "sources.lockWaiting",
  "checked",
  ({ id }) => sql`
    select k.id from source_section s
      join kb_entry k on k.tenant_id = ${TENANT} and k.id = s.proposal_id and k.status = 'pending' and k.source = 'source'
    where s.tenant_id = ${TENANT} and s.source_id = ${id}
    order by k.id for update of k`,
);

export const COUNT_SOURCES = query<{ workspaceId: string }>()(
  "sources.count",
  "checked",
  ({ workspaceId }) => sql`
    select count(*)::int as count from source r where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId}`,
);
