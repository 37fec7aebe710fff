import { sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, query } from "../platform/database/statements.js";

/** `keptFor`: the rule's period. */
export interface Due {
  keptFor: string;
  batch: number;
}
interface Removed {
  removed: number;
}
const WHOLE_TENANT = { unrestricted: "the daily task works for the whole tenant" } as const;

export const SWEEP_AUDIT_LOG = query<{ batch: number }, Removed>()(
  "retention.sweep-audit-log",
  WHOLE_TENANT,
  ({ batch }) => sql`select sweep_audit_log(${TENANT}, ${batch}) as removed`,
);

export const SWEEP_SECURITY_LOG = query<{ batch: number }, Removed>()(
  "retention.sweep-security-log",
  WHOLE_TENANT,
  ({ batch }) => sql`select sweep_security_log(${TENANT}, ${batch}) as removed`,
);

export const REMOVE_IDEMPOTENCY_KEYS = query<Due>()(
  "retention.idempotency-keys",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from idempotency_key where tenant_id = ${TENANT} and fingerprint in (
      select k.fingerprint from idempotency_key k
      where k.tenant_id = ${TENANT} and k.created_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

export const REMOVE_MAIL_DELIVERIES = query<Due>()(
  "retention.mail-deliveries",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from mail_delivery where tenant_id = ${TENANT} and (channel_id, content) in (
      select d.channel_id, d.content from mail_delivery d
      where d.tenant_id = ${TENANT} and d.created_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

export const REMOVE_MAIL_TOKENS = query<Due>()(
  "retention.mail-tokens",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from mail_token where tenant_id = ${TENANT} and (channel_id, token) in (
      select t.channel_id, t.token from mail_token t
      where t.tenant_id = ${TENANT} and t.created_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

/** With the outbox entries that sent them. */
export const REMOVE_WEBHOOK_DELIVERIES = query<Due>()(
  "retention.webhook-deliveries",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    with removed as (
      delete from webhook_delivery d where d.tenant_id = ${TENANT} and d.id in (
        select w.id from webhook_delivery w
        where w.tenant_id = ${TENANT} and w.created_at < now() - ${keptFor}::interval limit ${batch})
      returning 1
    ), sent as (
      delete from outbox_message m where m.tenant_id = ${TENANT} and m.id in (
        select o.id from outbox_message o
        where o.tenant_id = ${TENANT} and o.status in ('sent', 'dead', 'captured') and o.kind = 'webhook'
          and o.channel_id is null and o.created_at < now() - ${keptFor}::interval
        limit 2 * ${batch}::int)
    )
    select from removed`,
);

/** Files that only they name are uploads without a message from then on. */
export const REMOVE_DRAFTS = query<Due>()(
  "retention.drafts",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from draft where tenant_id = ${TENANT} and (conversation_id, member_id) in (
      select d.conversation_id, d.member_id from draft d
      where d.tenant_id = ${TENANT} and d.updated_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

export const REMOVE_BULK_ACTIONS = query<Due>()(
  "retention.bulk-actions",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from bulk_action where tenant_id = ${TENANT} and id in (
      select b.id from bulk_action b
      where b.tenant_id = ${TENANT} and b.created_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

/** With their steps, which a foreign key deletes, and the procedures. Also those that are not over: they quote the contact as well. */
export const REMOVE_ASSISTANT_RUNS = query<Due>()(
  "retention.assistant-runs",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    with procedures as (
      delete from procedure_run where tenant_id = ${TENANT} and id in (
        select o.id from procedure_run o
        where o.tenant_id = ${TENANT} and o.started_at < now() - ${keptFor}::interval limit ${batch})
    )
    delete from assistant_run where tenant_id = ${TENANT} and id in (
      select r.id from assistant_run r
      where r.tenant_id = ${TENANT} and r.created_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

export const REMOVE_SUGGESTIONS = query<Due>()(
  "retention.suggestions",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from suggestion where tenant_id = ${TENANT} and id in (
      select s.id from suggestion s
      where s.tenant_id = ${TENANT} and s.created_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

/** What still waits, or is being carried out, stays until it is over. */
export const REMOVE_PENDING_ACTIONS = query<Due>()(
  "retention.pending-actions",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from pending_action where tenant_id = ${TENANT} and id in (
      select a.id from pending_action a
      where a.tenant_id = ${TENANT} and a.created_at < now() - ${keptFor}::interval
        and a.status not in ('pending', 'approved')
      limit ${batch})
    returning 1`,
);

export const REMOVE_LEARNING_EVIDENCE = query<Due>()(
  "retention.learning-evidence",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from learning_evidence where tenant_id = ${TENANT} and id in (
      select v.id from learning_evidence v
      where v.tenant_id = ${TENANT} and v.created_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

export const REMOVE_LEARNING_ORIGINS = query<Due>()(
  "retention.learning-origins",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from learning_origin where tenant_id = ${TENANT} and conversation_id in (
      select o.conversation_id from learning_origin o
      where o.tenant_id = ${TENANT} and o.created_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

export const REMOVE_MAGIC_LINKS = query<Due>()(
  "retention.magic-links",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from magic_link where tenant_id = ${TENANT} and id in (
      select l.id from magic_link l
      where l.tenant_id = ${TENANT} and l.expires_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

export const REMOVE_ONE_TIME_CODES = query<Due>()(
  "retention.one-time-codes",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from one_time_code where tenant_id = ${TENANT} and id in (
      select o.id from one_time_code o
      where o.tenant_id = ${TENANT} and o.expires_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

export const REMOVE_EID_REQUESTS = query<Due>()(
  "retention.eid-requests",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from eid_request where tenant_id = ${TENANT} and id in (
      select r.id from eid_request r
      where r.tenant_id = ${TENANT} and r.finished_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

/** The row stays: what the member wrote and did names its id. */
export const FORGET_REMOVED_MEMBERS = query<Due>()(
  "retention.removed-members",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    update member set name = '', email = ''
    where organisation_id = (select t.organisation_id from tenant t where t.id = ${TENANT}) and id in (
      select m.id from member m
      where m.organisation_id = (select t.organisation_id from tenant t where t.id = ${TENANT})
        and m.removed_at < now() - ${keptFor}::interval and (m.name <> '' or m.email <> '') limit ${batch})
    returning 1`,
);

export const REMOVE_MEMBER_LINKS = query<Due>()(
  "retention.member-links",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from member_link
    where organisation_id = (select t.organisation_id from tenant t where t.id = ${TENANT}) and id in (
      select l.id from member_link l
      where l.organisation_id = (select t.organisation_id from tenant t where t.id = ${TENANT})
        and l.expires_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

/** Members belong to the organisation, so the sessions of both sides go with whichever side comes first. */
export const REMOVE_MEMBER_SESSIONS = query<Due>()(
  "retention.member-sessions",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from member_session
    where organisation_id = (select t.organisation_id from tenant t where t.id = ${TENANT}) and id in (
      select s.id from member_session s
      where s.organisation_id = (select t.organisation_id from tenant t where t.id = ${TENANT})
        and s.expires_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

export const REMOVE_PENDING_SIGN_INS = query<Due>()(
  "retention.pending-sign-ins",
  WHOLE_TENANT,
  ({ keptFor, batch }) => sql`
    delete from pending_sign_in
    where organisation_id = (select t.organisation_id from tenant t where t.id = ${TENANT}) and id in (
      select p.id from pending_sign_in p
      where p.organisation_id = (select t.organisation_id from tenant t where t.id = ${TENANT})
        and p.expires_at < now() - ${keptFor}::interval limit ${batch})
    returning 1`,
);

export const REMOVE_LOGIN_ATTEMPTS = globalQuery<{ keptFor: string }>()(
  "retention.login-attempts",
  "control",
  ({ keptFor }) => sql`delete from login_attempt where started_at < now() - ${keptFor}::interval returning 1`,
);

export const REMOVE_RATE_WINDOWS = globalQuery<{ keptFor: string }>()(
  "retention.rate-windows",
  "control",
  ({ keptFor }) => sql`delete from rate_window where started_at < now() - ${keptFor}::interval returning 1`,
);
