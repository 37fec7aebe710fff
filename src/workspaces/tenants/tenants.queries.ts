import type { Environment } from "../../platform/caller/caller.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { globalQuery, type NoArgs, one, projection, query, time } from "../../platform/database/statements.js";
import type { TenantDto, UpdateTenantDto } from "./tenants.dto.js";

const OWN_TENANT = { unrestricted: "members see the tenant that they belong to" };

/** The quota of attachments is the one for tenants that have none of their own. */
export const GET_TENANT = one<TenantDto, { attachmentQuota: number }>(
  "tenants.get",
  OWN_TENANT,
  ({ attachmentQuota }) => sql`
    select ${projection<TenantDto>({
      id: sql`t.id`,
      name: sql`t.name`,
      environment: sql`t.environment`,
      erasureKey: sql`(select k.public_key from signing_key k where k.tenant_id = ${TENANT})`,
      webhooksPreview: sql`t.webhooks_preview`,
      signInValidMinutes: sql`t.sign_in_valid_minutes`,
      requireSecondFactor: sql`t.require_second_factor`,
      attachmentBytes: sql`coalesce(u.bytes, 0)`,
      attachmentQuotaBytes: sql`coalesce(u.quota_bytes, ${attachmentQuota}::bigint)`,
      createdAt: time(sql`t.created_at`),
    })}
    from tenant t left join attachment_usage u on u.tenant_id = ${TENANT}
    where t.id = ${TENANT}`,
);

/** Both sides have one name and the same rules for signing in. Each has a webhooks preview of its own. */
export const UPDATE_TENANT = query<UpdateTenantDto>()(
  "tenants.update",
  OWN_TENANT,
  ({ name, webhooksPreview, signInValidMinutes, requireSecondFactor }) => sql`
    update tenant t set
      name = coalesce(${name}, t.name),
      sign_in_valid_minutes = coalesce(${signInValidMinutes}, t.sign_in_valid_minutes),
      require_second_factor = coalesce(${requireSecondFactor}, t.require_second_factor),
      webhooks_preview = case
        when t.id = ${TENANT} then coalesce(${webhooksPreview}, t.webhooks_preview)
        else t.webhooks_preview
      end
    from tenant own
    where own.id = ${TENANT} and t.organisation_id = own.organisation_id`,
);

/** By the organisation's id at the authentication provider. Gives the live side. */
export const FIND_TENANT_BY_EXTERNAL_ID = globalQuery<{ externalId: string }>()(
  "tenants.findByExternalId",
  "everywhere",
  ({ externalId }) => sql`select id from tenant where external_id = ${externalId}`,
);

export const FIND_TEST_SIDE = globalQuery<{ organisationId: string }>()(
  "tenants.findTestSide",
  "tenant",
  ({ organisationId }) => sql`
    select id from tenant where organisation_id = ${organisationId} and environment = 'test'`,
);

/** An id names one side. A name names the live side of all tenants that have it. */
export const FIND_TENANTS = globalQuery<{ tenant: string }, { id: string; name: string; environment: Environment }>()(
  "tenants.find",
  "everywhere",
  ({ tenant }) => sql`
    select id, name, environment from tenant
    where id::text = lower(${tenant}) or name = ${tenant} and environment = 'live' limit 2`,
);

export const LIST_LIVE_TENANTS = globalQuery<NoArgs>()(
  "tenants.listLive",
  "everywhere",
  () => sql`select id, name from tenant where environment = 'live' order by created_at`,
);
