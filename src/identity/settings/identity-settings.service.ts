import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { sql } from "../../platform/database/sql.js";
import { one, polled, projection, query, REACHABLE } from "../../platform/database/statements.js";
import type { Json } from "../../platform/http/json.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import { GET_IDENTITY_SETTINGS } from "./identity-settings.js";
import type {
  IdentitySettingsDto,
  PutIdentitySettingsDto,
  PutRetentionSettingsDto,
  RetentionSettingsDto,
} from "./identity-settings.dto.js";

const REPLACE_SETTINGS = query<PutIdentitySettingsDto & { workspaceId: string }>()(
  "identitySettings.replace",
  "restricted",
  (s) => sql`
    insert into identity_settings (tenant_id, workspace_id, required_correct_answers, max_wrong_per_conversation,
      max_wrong_per_identity24h, max_wrong_per_caller_id24h, magic_link_minutes, require_link_code,
      address_cool_off_hours, factor_lifetime_minutes, allowed_factors, prompt_version)
    select w.tenant_id, w.id, ${s.requiredCorrectAnswers}, ${s.maxWrongPerConversation},
      ${s.maxWrongPerIdentity24h}, ${s.maxWrongPerCallerId24h}, ${s.magicLinkMinutes}, ${s.requireLinkCode},
      ${s.addressCoolOffHours}, ${s.factorLifetimeMinutes}, ${s.allowedFactors}, ${s.promptVersion}
    from workspace w
    where w.id = ${s.workspaceId} and ${REACHABLE}
    on conflict (tenant_id, workspace_id) do update set
      required_correct_answers = excluded.required_correct_answers,
      max_wrong_per_conversation = excluded.max_wrong_per_conversation,
      max_wrong_per_identity24h = excluded.max_wrong_per_identity24h,
      max_wrong_per_caller_id24h = excluded.max_wrong_per_caller_id24h,
      magic_link_minutes = excluded.magic_link_minutes,
      require_link_code = excluded.require_link_code,
      address_cool_off_hours = excluded.address_cool_off_hours,
      factor_lifetime_minutes = excluded.factor_lifetime_minutes,
      allowed_factors = excluded.allowed_factors,
      prompt_version = excluded.prompt_version`,
);

const GET_RETENTION = polled(
  one<RetentionSettingsDto, { workspaceId: string }>(
    "retentionSettings.get",
    "restricted",
    ({ workspaceId }) => sql`
      select ${projection<RetentionSettingsDto>({ identityRetentionMonths: sql`w.identity_retention_months` })}
      from workspace w
      where w.id = ${workspaceId} and ${REACHABLE}`,
  ),
);

@Injectable()
export class IdentitySettingsService {
  constructor(private readonly db: Database) {}

  get(caller: Caller, workspaceId: string): Promise<Json<IdentitySettingsDto>> {
    return this.db.read(caller, GET_IDENTITY_SETTINGS, { workspaceId });
  }

  /** Replaces all settings. */
  put(caller: Caller, workspaceId: string, body: PutIdentitySettingsDto): Promise<Json<IdentitySettingsDto>> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesWorkspace(workspaceId);
      await tx.query(REPLACE_SETTINGS, { ...body, workspaceId });
      return tx.read(GET_IDENTITY_SETTINGS, { workspaceId });
    });
  }

  getRetention(caller: Caller, workspaceId: string): Promise<Json<RetentionSettingsDto>> {
    return this.db.read(caller, GET_RETENTION, { workspaceId });
  }

  putRetention(
    caller: Caller,
    workspaceId: string,
    { identityRetentionMonths }: PutRetentionSettingsDto,
  ): Promise<Json<RetentionSettingsDto>> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesWorkspace(workspaceId);
      await tx.update(WorkspaceEntity, { id: workspaceId }, { identityRetentionMonths, updatedAt: () => "now()" });
      return tx.read(GET_RETENTION, { workspaceId });
    });
  }
}
