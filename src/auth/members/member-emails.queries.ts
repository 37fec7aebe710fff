import { sql, TENANT } from "../../platform/database/sql.js";
import { globalQuery, query } from "../../platform/database/statements.js";

const OWN_TENANT = {
  unrestricted: "the email of one member, whom the caller was let add or who followed a mailed link",
};

const IS_PROVEN_ELSEWHERE = sql`exists (
  select from member_email o
  where o.email = e.email and o.proven_at is not null
    and (o.organisation_id, o.member_id) <> (e.organisation_id, e.member_id))`;

/** No row if a member of this tenant has the email, or if a member of any tenant has proven it. */
export const ADD_EMAIL = query<{ organisationId: string; memberId: string; email: string; proven: boolean }>()(
  "memberEmails.add",
  OWN_TENANT,
  ({ organisationId, memberId, email, proven }) => sql`
    insert into member_email (organisation_id, member_id, email, proven_at)
    select e.organisation_id, e.member_id, e.email, case when ${proven} then now() end
    from (select ${organisationId}::uuid as organisation_id, ${memberId}::uuid as member_id, ${email}::text as email) e
    where ${TENANT}::uuid is not null and not ${IS_PROVEN_ELSEWHERE}
    on conflict do nothing
    returning 1`,
);

/**
 * Somebody followed a link that was mailed to the address. No row if another member has proven it; of two who do so at
 * the same time, the unique index lets one through. `first`: it was not proven before.
 */
export const PROVE_EMAIL = query<{ organisationId: string; memberId: string }>()(
  "memberEmails.prove",
  OWN_TENANT,
  ({ organisationId, memberId }) => sql`
    update member_email e set proven_at = coalesce(e.proven_at, now())
    from (
      select b.proven_at is null as first from member_email b
      where b.organisation_id = ${organisationId} and b.member_id = ${memberId} for update
    ) before
    where ${TENANT}::uuid is not null and e.organisation_id = ${organisationId} and e.member_id = ${memberId}
      and not ${IS_PROVEN_ELSEWHERE}
    returning before.first`,
);

/** A row if a member of the organisation has proven the email. */
export const HOLDS_EMAIL = globalQuery<{ organisationId: string; email: string }>()(
  "memberEmails.holds",
  "tenant",
  ({ organisationId, email }) => sql`
    select e.member_id as "memberId" from member_email e
    where e.organisation_id = ${organisationId} and e.email = ${email} and e.proven_at is not null`,
);

/** Where to write to a member. The email counts only if `proven`. */
export interface MemberAddress {
  memberId: string;
  email: string;
  name: string;
  /** The name of the tenant. */
  company: string;
  passwordHash: string | null;
  proven: boolean;
}

/** Locks the member, so that what is counted for the member stays so to the end of the transaction. */
export const LOCK_ADDRESS = query<{ memberId: string }, MemberAddress>()(
  "memberEmails.lockAddress",
  OWN_TENANT,
  ({ memberId }) => sql`
    select m.id as "memberId", m.email, m.name, t.name as company, m.password_hash as "passwordHash",
      exists (
        select from member_email e
        where e.organisation_id = m.organisation_id and e.member_id = m.id and e.proven_at is not null
      ) as proven
    from tenant t join member m on m.organisation_id = t.organisation_id
    where t.id = ${TENANT} and m.id = ${memberId} and m.removed_at is null and m.deactivated_at is null
    for update of m`,
);

export const REMOVE_EMAIL = query<{ memberId: string }>()(
  "memberEmails.remove",
  OWN_TENANT,
  ({ memberId }) => sql`
    delete from member_email e using tenant t
    where t.id = ${TENANT} and e.organisation_id = t.organisation_id and e.member_id = ${memberId}`,
);

/** Comes after `REMOVE_EMAIL`, whose lock a binding waits for. */
export const REMOVE_IDENTITIES = query<{ memberId: string }>()(
  "memberEmails.removeIdentities",
  OWN_TENANT,
  ({ memberId }) => sql`
    delete from member_identity i using tenant t
    where t.id = ${TENANT} and i.organisation_id = t.organisation_id and i.member_id = ${memberId}`,
);

/**
 * Binds an account at an external issuer to the member who has proven the email that the issuer vouches for. No row if the
 * account is bound already, or the member to another account of the issuer.
 */
export const BIND_IDENTITY = query<{ issuer: string; subject: string; email: string }>()(
  "memberEmails.bindIdentity",
  OWN_TENANT,
  ({ issuer, subject, email }) => sql`
    with proven as (
      select e.organisation_id, e.member_id from tenant t join member_email e on e.organisation_id = t.organisation_id
      where t.id = ${TENANT} and e.email = ${email} and e.proven_at is not null
      for share of e
    )
    insert into member_identity (issuer, subject, organisation_id, member_id)
    select ${issuer}, ${subject}, organisation_id, member_id from proven
    on conflict do nothing
    returning member_id as "memberId"`,
);
