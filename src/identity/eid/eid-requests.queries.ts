import { sql, TENANT } from "../../platform/database/sql.js";
import { one, query, REACHABLE, time } from "../../platform/database/statements.js";
import type { EidMode, EidStatus } from "./eid.entity.js";
import { LEVEL } from "../verification/assurance-level.js";
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
export const INSERT_REQUEST = query<InsertedRequest, { expiresAt: string }>()(
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
export const END = query<{ id: string; status: EidStatus }, EndedRequest>()(
  "eidRequests.end",
  SYSTEM_ENDS,
  ({ id, status }) => sql`
    update eid_request
    set status = case when expires_at <= clock_timestamp() then 'expired' else ${status} end,
      sealed = null, finished_at = clock_timestamp()
    where tenant_id = ${TENANT} and id = ${id} and status = 'pending'
    returning status, contact_id as "contactId", scheme, issuer`,
);

const REQUEST_IS_FOUND = {
  unrestricted: "the request was found with its conversation, and a person is bound to one contact of the tenant",
};

/** Keeps a person under the newest key. The person is the same under an older one. */
export const REKEY_PERSON = query<{ issuer: string; persons: readonly Buffer[]; person: Buffer }>()(
  "eidRequests.rekeyPerson",
  REQUEST_IS_FOUND,
  ({ issuer, persons, person }) => sql`
    update eid_binding b set person = ${person}
    where b.tenant_id = ${TENANT} and b.issuer = ${issuer} and b.person = any(${persons}::bytea[]) and not exists (
      select from eid_binding n where n.tenant_id = ${TENANT} and n.issuer = ${issuer} and n.person = ${person}
    )`,
);

interface Binding {
  contactId: string;
  issuer: string;
  person: Buffer;
}
/** `same`: whether the contact is bound to this person, null if it is not bound. `elsewhere`: another contact is. */
export const FIND_BINDING = query<Binding>()(
  "eidRequests.findBinding",
  REQUEST_IS_FOUND,
  ({ contactId, issuer, person }) => sql`
    select (
      select b.person = ${person} from eid_binding b
      where b.tenant_id = ${TENANT} and b.contact_id = ${contactId} and b.issuer = ${issuer}
    ) as same, exists (
      select from eid_binding o
      where o.tenant_id = ${TENANT} and o.issuer = ${issuer} and o.person = ${person} and o.contact_id <> ${contactId}
    ) as elsewhere`,
);

/** Binds the person, unless the contact or the person is bound already. */
export const BIND_PERSON = query<Binding>()(
  "eidRequests.bindPerson",
  REQUEST_IS_FOUND,
  ({ contactId, issuer, person }) => sql`
    insert into eid_binding (tenant_id, contact_id, issuer, person)
    values (${TENANT}, ${contactId}, ${issuer}, ${person})
    on conflict do nothing`,
);

/** Keeps the person of an approval, so that a member can confirm it. */
export const KEEP_APPROVAL = query<{ id: string; person: Buffer; minutes: number }>()(
  "eidRequests.keepApproval",
  REQUEST_IS_FOUND,
  ({ id, person, minutes }) => sql`
    update eid_request
    set person = ${person}, confirmable_until = clock_timestamp() + make_interval(mins => ${minutes}::int)
    where tenant_id = ${TENANT} and id = ${id}`,
);

/** Takes an approval that waits for a confirmation, once, and only while another proof identifies the caller. */
export const TAKE_APPROVAL = query<
  { id: string; conversationId: string },
  { issuer: string; person: Buffer; scheme: string; minutes: number }
>()(
  "eidRequests.takeApproval",
  "checked",
  ({ id, conversationId }) => sql`
    with approval as (
      select r.id, r.issuer, r.person, r.scheme,
        extract(epoch from r.confirmable_until - clock_timestamp())::float8 / 60 as minutes
      from eid_request r
      join conversation c on c.tenant_id = ${TENANT} and c.id = r.conversation_id and c.contact_id = r.contact_id
      where r.tenant_id = ${TENANT} and r.id = ${id} and r.conversation_id = ${conversationId}
        and r.person is not null and r.confirmable_until > clock_timestamp() and ${LEVEL} <> 'none'
      for update of r
    )
    update eid_request r set person = null, confirmable_until = null
    from approval a
    where r.tenant_id = ${TENANT} and r.id = a.id
    returning a.issuer, a.person, a.scheme, a.minutes`,
);

/** Whether an issuer knows both contacts. A person is bound to one contact, so they are two people. */
export const ARE_TWO_PEOPLE = query<{ from: string; to: string }>()(
  "eidRequests.areTwoPeople",
  { unrestricted: "the merge has checked both contacts" },
  ({ from, to }) => sql`
    select exists (
      select from eid_binding a
      join eid_binding b on b.tenant_id = ${TENANT} and b.issuer = a.issuer
      where a.tenant_id = ${TENANT} and a.contact_id = ${from} and b.contact_id = ${to}
    ) as different`,
);

export const ERASE_CONTACTS = query<{ contactIds: readonly string[] }, { erased: number }>()(
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
