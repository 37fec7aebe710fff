import type { Environment } from "../../platform/caller/caller.js";
import { literal, sql, TENANT } from "../../platform/database/sql.js";
import { one, projection, query, time } from "../../platform/database/statements.js";
import { IS_ADMITTED } from "../members/members.queries.js";
import type { SecondFactorType } from "./second-factor.entity.js";
import type { SecondFactorDto, SecondFactorsDto } from "./second-factors.dto.js";

/** So many wrong codes of an authenticator app within a day, then only passkeys and recovery codes work. */
export const MAX_WRONG_CODES = 20;
const CODE_WINDOW = sql`interval '1 day'`;
/** Wrong second factors after which a sign-in begins again with the password. */
const MAX_TRIES = literal("5");
/** How long a passkey that is being added may take. */
const ADDING = sql`interval '10 minutes'`;

const OWN = { unrestricted: "it is the member's own" };
const BEFORE_SIGN_IN = { unrestricted: "a sign-in has no reach yet, and it is the member's own" };
const ORGANISATION = sql`(select t.organisation_id from tenant t where t.id = ${TENANT})`;

const FACTOR = projection<SecondFactorDto>({
  id: sql`f.id`,
  type: sql`f.type`,
  name: sql`f.name`,
  createdAt: time(sql`f.created_at`),
  lastUsedAt: time(sql`f.last_used_at`),
});

export const GET_SECOND_FACTORS = one<SecondFactorsDto, { memberId: string }>(
  "secondFactors.list",
  OWN,
  ({ memberId }) => sql`
    select ${projection<SecondFactorsDto>({
      required: sql`t.require_second_factor`,
      factors: sql`(
        select coalesce(json_agg(r), '[]') from (
          select ${FACTOR} from second_factor f
          where f.organisation_id = ${ORGANISATION} and f.member_id = ${memberId} and f.confirmed_at is not null
          order by f.created_at, f.id
        ) r
      )`,
      recoveryCodesLeft: sql`(
        select count(*) from recovery_code c
        where c.organisation_id = ${ORGANISATION} and c.member_id = ${memberId} and c.used_at is null
      )`,
    })}
    from tenant t where t.id = ${TENANT}`,
);

export const GET_SECOND_FACTOR = one<SecondFactorDto, { memberId: string; id: string }>(
  "secondFactors.get",
  OWN,
  ({ memberId, id }) => sql`
    select ${FACTOR} from second_factor f
    where f.organisation_id = ${ORGANISATION} and f.member_id = ${memberId} and f.id = ${id}
      and f.confirmed_at is not null`,
);

/** What a sign-in of the member can ask for. Locks the member, so that what is counted stays as it is. */
export const LOCK_OWN_MEMBER = query<{ memberId: string }>()(
  "secondFactors.lockMember",
  OWN,
  ({ memberId }) => sql`
    select m.email, m.name, t.require_second_factor as required
    from tenant t join member m on m.organisation_id = t.organisation_id
    where t.id = ${TENANT} and m.id = ${memberId} and ${IS_ADMITTED}
    for no key update of m`,
);

/** What a passkey signs while it is added. Works once, and for ten minutes. */
export const TAKE_CHALLENGE = query<{ memberId: string; id: string }>()(
  "secondFactors.takeChallenge",
  OWN,
  ({ memberId, id }) => sql`
    with taken as (
      select f.id, f.challenge from second_factor f
      where f.organisation_id = ${ORGANISATION} and f.member_id = ${memberId} and f.id = ${id}
        and f.confirmed_at is null and f.challenge is not null and f.created_at > now() - ${ADDING}
      for update
    )
    update second_factor f set challenge = null from taken
    where f.organisation_id = ${ORGANISATION} and f.id = taken.id
    returning taken.challenge`,
);

/** An authenticator app, of which a try was counted. */
export interface CountedCode {
  id: string;
  sealed: Buffer;
  tries: number;
  /** Seconds until the window of wrong codes ends. */
  wait: number;
}

/**
 * Counts a try before the code is compared, so that of any number of simultaneous guesses no more than the limit are compared.
 * `confirmed`: whether the member is still adding the app. Each app has a secret (`second_factor_totp_secret`).
 */
export const COUNT_CODE = query<{ memberId: string; confirmed: boolean }, CountedCode, "sealed">()(
  "secondFactors.countCode",
  BEFORE_SIGN_IN,
  ({ memberId, confirmed }) => sql`
    update second_factor f set
      tries = case when f.tries_since < now() - ${CODE_WINDOW} then 1 else f.tries + 1 end,
      tries_since = case when f.tries_since < now() - ${CODE_WINDOW} then now() else f.tries_since end
    where f.organisation_id = ${ORGANISATION} and f.member_id = ${memberId} and f.type = 'totp'
      and (f.confirmed_at is not null) = ${confirmed}::boolean
    returning f.id, f.sealed, f.tries, ceil(extract(epoch from f.tries_since + ${CODE_WINDOW} - now()))::int as wait`,
);

/** Accepts a right code unless a code of the same or a later time step was accepted before. */
export const USE_CODE = query<{ id: string; step: number }>()(
  "secondFactors.useCode",
  BEFORE_SIGN_IN,
  ({ id, step }) => sql`
    update second_factor f set
      last_step = ${step}::int, last_used_at = now(), tries = greatest(f.tries - 1, 0),
      confirmed_at = coalesce(f.confirmed_at, now())
    where f.organisation_id = ${ORGANISATION} and f.id = ${id}
      and (f.last_step is null or f.last_step < ${step}::int)
    returning f.id`,
);

export const USE_RECOVERY_CODE = query<{ memberId: string; hash: string }, { left: number }>()(
  "secondFactors.useRecoveryCode",
  BEFORE_SIGN_IN,
  ({ memberId, hash }) => sql`
    update recovery_code c set used_at = now()
    where c.organisation_id = ${ORGANISATION} and c.member_id = ${memberId} and c.hash = ${hash} and c.used_at is null
    returning (
      select count(*)::int - 1 from recovery_code o
      where o.organisation_id = ${ORGANISATION} and o.member_id = ${memberId} and o.used_at is null
    ) as left`,
);

export const USE_PASSKEY = query<{ id: string; before: number; after: number }>()(
  "secondFactors.usePasskey",
  BEFORE_SIGN_IN,
  ({ id, before, after }) => sql`
    update second_factor f set counter = ${after}::bigint, last_used_at = now()
    where f.organisation_id = ${ORGANISATION} and f.id = ${id} and f.counter = ${before}::bigint
    returning f.id`,
);

export interface Methods {
  types: SecondFactorType[];
  passkeys: { id: string; transports: string[] }[];
  recoveryCodes: boolean;
}

/** What a sign-in of the member can be completed with. */
export const GET_METHODS = query<{ memberId: string }, Methods>()(
  "secondFactors.methods",
  BEFORE_SIGN_IN,
  ({ memberId }) => sql`
    select coalesce(array_agg(distinct f.type), '{}') as types,
      coalesce(
        jsonb_agg(jsonb_build_object('id', f.credential_id, 'transports', f.transports)) filter (where f.type = 'passkey'),
        '[]') as passkeys,
      exists (
        select from recovery_code c
        where c.organisation_id = ${ORGANISATION} and c.member_id = ${memberId} and c.used_at is null
      ) as "recoveryCodes"
    from second_factor f
    where f.organisation_id = ${ORGANISATION} and f.member_id = ${memberId} and f.confirmed_at is not null`,
);

interface Pending {
  memberId: string;
  email: string;
  environment: Environment;
  tenantId: string;
  challenge: string | null;
}

/** Counts a try of a sign-in that waits for its second factor. No row after five tries, after five minutes, or once it is done. */
export const TRY_PENDING = query<{ id: string; tokenHash: string }, Pending>()(
  "secondFactors.tryPending",
  BEFORE_SIGN_IN,
  ({ id, tokenHash }) => sql`
    update pending_sign_in p set tries = p.tries + 1
    from tenant t, member m
    where p.organisation_id = ${TENANT} and p.id = ${id} and p.token_hash = ${tokenHash}
      and p.tries < ${MAX_TRIES}::int and p.expires_at > now()
      and t.organisation_id = ${TENANT} and t.environment = p.environment
      and m.organisation_id = ${TENANT} and m.id = p.member_id and ${IS_ADMITTED}
    returning p.member_id as "memberId", m.email, p.environment, t.id as "tenantId", p.challenge`,
);
