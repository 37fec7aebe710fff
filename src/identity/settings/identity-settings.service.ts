import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { one, polled, projection, REACHABLE } from "../../platform/database/statement.js";
import type { Json } from "../../platform/http/json.js";
import { GET_IDENTITY_SETTINGS } from "./identity-settings.js";
import type {
  IdentitySettingsDto,
  PutIdentitySettingsDto,
  PutRetentionSettingsDto,
  RetentionSettingsDto,
} from "./identity-settings.dto.js";

const RETENTION = projection<RetentionSettingsDto>({ identityRetentionMonths: "w.identity_retention_months" });
const GET_RETENTION = polled(
  one<RetentionSettingsDto, { workspaceId: string }>(
    "retention-settings.get",
    "workspace",
    `select ${RETENTION} from workspace w where w.id = :workspaceId and ${REACHABLE}`,
  ),
);

@Injectable()
export class IdentitySettingsService {
  constructor(private readonly db: Database) {}

  get(caller: Caller, workspaceId: string): Promise<Json<IdentitySettingsDto>> {
    return this.db.read(caller, GET_IDENTITY_SETTINGS, { workspaceId });
  }

  /** Replaces all of them. */
  put(caller: Caller, workspaceId: string, body: PutIdentitySettingsDto): Promise<Json<IdentitySettingsDto>> {
    return this.db.transaction(caller, async (tx) => {
      tx.within(workspaceId);
      await tx.query(
        `insert into identity_settings (tenant_id, workspace_id, required_correct_answers, max_wrong_per_conversation, max_wrong_per_identity24h,
          max_wrong_per_caller_id24h, magic_link_minutes, factor_lifetime_minutes, allowed_factors, prompt_version)
        select w.tenant_id, w.id, :requiredCorrectAnswers, :maxWrongPerConversation, :maxWrongPerIdentity24h,
          :maxWrongPerCallerId24h, :magicLinkMinutes, :factorLifetimeMinutes, :allowedFactors, :promptVersion
        from workspace w where w.id = :workspaceId and ${REACHABLE}
        on conflict (tenant_id, workspace_id) do update set
          required_correct_answers = excluded.required_correct_answers, max_wrong_per_conversation = excluded.max_wrong_per_conversation,
          max_wrong_per_identity24h = excluded.max_wrong_per_identity24h, max_wrong_per_caller_id24h = excluded.max_wrong_per_caller_id24h,
          magic_link_minutes = excluded.magic_link_minutes, factor_lifetime_minutes = excluded.factor_lifetime_minutes,
          allowed_factors = excluded.allowed_factors, prompt_version = excluded.prompt_version`,
        { ...body, workspaceId },
      );
      return tx.read(GET_IDENTITY_SETTINGS, { workspaceId });
    });
  }

  retention(caller: Caller, workspaceId: string): Promise<Json<RetentionSettingsDto>> {
    return this.db.read(caller, GET_RETENTION, { workspaceId });
  }

  putRetention(
    caller: Caller,
    workspaceId: string,
    { identityRetentionMonths }: PutRetentionSettingsDto,
  ): Promise<Json<RetentionSettingsDto>> {
    return this.db.transaction(caller, async (tx) => {
      tx.within(workspaceId);
      await tx.query(
        `update workspace w set identity_retention_months = :identityRetentionMonths, updated_at = now() where w.id = :workspaceId and ${REACHABLE}`,
        { workspaceId, identityRetentionMonths },
      );
      return tx.read(GET_RETENTION, { workspaceId });
    });
  }
}
