import { sql, TENANT } from "../../platform/database/sql.js";
import { one, query, REACHABLE, time } from "../../platform/database/statements.js";
import type { EidMode, EidStatus } from "./eid.entity.js";
import { SEALED_SCHEME, type SealedScheme } from "./eid-schemes.service.js";

export interface FoundRow {
  mode: EidMode;
  status: EidStatus;
  expired: boolean;
  workspaceId: string;
  /** The workspace's primary language, ISO 639-1. */
  language: string;
  brand: string;
  linkHash: string | null;
  stateHash: string | null;
  browserHash: string | null;
  /** Base64. */
  sealed: string | null;
  scheme: SealedScheme | null;
}

export const FIND_REQUEST = one<FoundRow, { id: string }>(
  "eidRequests.find",
  "restricted",
  ({ id }) => sql`
    select r.mode, r.status, r.expires_at <= clock_timestamp() as expired, w.id as "workspaceId",
      w.primary_language as language, (
        select b.name from brand b where b.tenant_id = ${TENANT} and b.id = w.brand_id
      ) as brand,
      r.link_hash as "linkHash", r.state_hash as "stateHash", r.browser_hash as "browserHash",
      encode(r.sealed, 'base64') as sealed, (
        select row_to_json(i)
        from (
          select ${SEALED_SCHEME}
          from eid_scheme s
          where s.tenant_id = ${TENANT} and s.workspace_id = w.id and s.name = r.scheme and s.issuer = r.issuer
        ) i
      ) as scheme
    from eid_request r
    join conversation c on c.tenant_id = ${TENANT} and c.id = r.conversation_id
    join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
    where r.tenant_id = ${TENANT} and r.id = ${id} and ${REACHABLE}`,
);

interface InsertedRequest {
  id: string;
  conversationId: string;
  contactId: string;
  scheme: string;
  issuer: string;
  mode: EidMode;
  sealed: Buffer | null;
  linkHash?: string;
  /** Until the request expires. */
  seconds: number;
  /** Null if there is nothing to poll. */
  intervalSeconds?: number;
}
/** Inserts nothing if another prompt already waits for the contact. */
export const INSERT_REQUEST = query<InsertedRequest, { expiresAt: string }>(
  "eidRequests.insert",
  "checked",
  (r) => sql`
    with added as (
      insert into eid_request (tenant_id, id, conversation_id, contact_id, scheme, issuer, mode, sealed, link_hash,
        expires_at)
      values (${TENANT}, ${r.id}, ${r.conversationId}, ${r.contactId}, ${r.scheme}, ${r.issuer}, ${r.mode}, ${r.sealed},
        ${r.linkHash}, clock_timestamp() + make_interval(secs => ${r.seconds}::int))
      on conflict do nothing
      returning tenant_id, id, expires_at
    ), due as (
      insert into eid_due (tenant_id, request_id, due_at, interval_seconds, ends_at)
      select tenant_id, id, least(clock_timestamp() + make_interval(secs => ${r.intervalSeconds}::int), expires_at),
        ${r.intervalSeconds}::int, expires_at
      from added
    )
    select ${time(sql`expires_at`)} as "expiresAt" from added`,
);

const SYSTEM_ENDS = {
  unrestricted: "requests are ended by jobs and by links, as the system, which sees the whole tenant",
};

export interface EndedRequest {
  status: EidStatus;
  contactId: string;
  scheme: string;
  issuer: string;
}
export const END = query<{ id: string; status: EidStatus }, EndedRequest>(
  "eidRequests.end",
  SYSTEM_ENDS,
  ({ id, status }) => sql`
    update eid_request
    set status = case when expires_at <= clock_timestamp() then 'expired' else ${status} end,
      sealed = null, finished_at = clock_timestamp()
    where tenant_id = ${TENANT} and id = ${id} and status = 'pending'
    returning status, contact_id as "contactId", scheme, issuer`,
);

/** Binds the person unless one of these contacts is bound already, or the person is bound to another contact. */
export const BIND_PERSON = query<{
  contactId: string;
  issuer: string;
  person: Buffer;
  contactIds: readonly string[];
}>(
  "eidRequests.bindPerson",
  SYSTEM_ENDS,
  ({ contactId, issuer, person, contactIds }) => sql`
    insert into eid_binding (tenant_id, contact_id, issuer, person)
    select ${TENANT}, ${contactId}, ${issuer}, ${person}
    where not exists (
      select from eid_binding
      where tenant_id = ${TENANT} and contact_id = any(${contactIds}::uuid[]) and issuer = ${issuer}
    )
    on conflict do nothing`,
);

/** Null if none of these contacts is bound to a person of the issuer. */
export const IS_BOUND_PERSON = query<
  { issuer: string; person: Buffer; contactIds: readonly string[] },
  { same: boolean | null }
>(
  "eidRequests.isBoundPerson",
  SYSTEM_ENDS,
  ({ issuer, person, contactIds }) => sql`
    select bool_and(b.person = ${person}) as same
    from eid_binding b
    where b.tenant_id = ${TENANT} and b.contact_id = any(${contactIds}::uuid[]) and b.issuer = ${issuer}`,
);

/** `differentPeople`: an issuer knows both contacts. `bothPrompted`: a prompt waits for each of them. */
export const FIND_MERGE_CONFLICTS = query<
  { from: string; to: string },
  { differentPeople: boolean; bothPrompted: boolean }
>(
  "eidRequests.findMergeConflicts",
  { unrestricted: "the merge has checked both contacts" },
  ({ from, to }) => sql`
    select
      exists (
        select from eid_binding a
        join eid_binding b on b.tenant_id = ${TENANT} and b.issuer = a.issuer
        where a.tenant_id = ${TENANT} and a.contact_id = ${from} and b.contact_id = ${to}
      ) as "differentPeople", (
        select count(*) > 1
        from eid_request r
        where r.tenant_id = ${TENANT} and r.contact_id in (${from}, ${to}) and r.status = 'pending' and r.mode = 'push'
      ) as "bothPrompted"`,
);

export const ERASE_CONTACTS = query<{ contactIds: readonly string[] }, { erased: number }>(
  "eidRequests.eraseContacts",
  { unrestricted: "the erasure or purge has chosen the contacts" },
  ({ contactIds }) => sql`
    with requests as (
      delete from eid_request where tenant_id = ${TENANT} and contact_id = any(${contactIds}::uuid[]) returning 1
    ), bindings as (
      delete from eid_binding where tenant_id = ${TENANT} and contact_id = any(${contactIds}::uuid[]) returning 1
    )
    select ((select count(*) from requests) + (select count(*) from bindings))::int as erased`,
);
