import { sql, TENANT } from "../platform/database/sql.js";
import { list, one, projection, query, time } from "../platform/database/statements.js";
import type { PushSubscriptionDto } from "./push.dto.js";

const OWN = { unrestricted: "they are the member's own rows" };

const SUBSCRIPTION = projection<PushSubscriptionDto>({
  id: sql`s.id`,
  device: sql`s.device`,
  lastSuccessAt: time(sql`s.last_success_at`),
});

/** Those of ended sessions are gone. The oldest first. */
export const LIST_SUBSCRIPTIONS = list<PushSubscriptionDto, { memberId: string }>(
  "push.list",
  OWN,
  ({ memberId }) => sql`
    select ${SUBSCRIPTION} from tenant t join push_subscription s on s.organisation_id = t.organisation_id
    where t.id = ${TENANT} and s.member_id = ${memberId}
    order by s.created_at, s.id`,
);

export const GET_SUBSCRIPTION = one<PushSubscriptionDto, { id: string; memberId: string }>(
  "push.get",
  OWN,
  ({ id, memberId }) => sql`
    select ${SUBSCRIPTION} from tenant t join push_subscription s on s.organisation_id = t.organisation_id
    where t.id = ${TENANT} and s.id = ${id} and s.member_id = ${memberId}`,
);

/** Of one member at a time. */
export const LOCK_MEMBER = query<{ memberId: string }>()(
  "push.lockMember",
  OWN,
  ({ memberId }) => sql`
    select m.id from tenant t join member m on m.organisation_id = t.organisation_id
    where t.id = ${TENANT} and m.id = ${memberId}
    for no key update of m`,
);

interface SubscribeArgs {
  id: string;
  memberId: string;
  sessionId: string | null;
  device: string;
  language: string;
  endpointHash: Buffer;
  keysHash: Buffer;
  sealed: Buffer;
  max: number;
}
/**
 * Adds a subscription, or takes over the one that has its endpoint: it is the same browser if it is the member's own, or if it
 * knows the keys, too. No row if it is not, or if the member has too many.
 */
export const SUBSCRIBE = query<SubscribeArgs>()(
  "push.subscribe",
  OWN,
  (p) => sql`
    insert into push_subscription as s (
      organisation_id, id, member_id, session_id, device, language, endpoint_hash, keys_hash, sealed)
    select t.organisation_id, ${p.id}::uuid, ${p.memberId}::uuid, ${p.sessionId}::uuid, ${p.device}::text, ${p.language}::text,
      ${p.endpointHash}::bytea, ${p.keysHash}::bytea, ${p.sealed}::bytea
    from tenant t
    where t.id = ${TENANT} and (
      select count(*) from push_subscription o
      where o.organisation_id = t.organisation_id and o.member_id = ${p.memberId}
        and o.endpoint_hash <> ${p.endpointHash}::bytea
    ) < ${p.max}::int
    on conflict (organisation_id, endpoint_hash) do update set
      id = excluded.id, member_id = excluded.member_id, session_id = excluded.session_id, device = excluded.device,
      language = excluded.language, keys_hash = excluded.keys_hash, sealed = excluded.sealed
    where s.member_id = excluded.member_id or s.keys_hash = excluded.keys_hash
    returning s.id`,
);

export const COUNT_SUBSCRIPTIONS = query<{ memberId: string }>()(
  "push.count",
  OWN,
  ({ memberId }) => sql`
    select count(*)::int as count from tenant t join push_subscription s on s.organisation_id = t.organisation_id
    where t.id = ${TENANT} and s.member_id = ${memberId}`,
);
