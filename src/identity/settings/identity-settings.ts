import { literal, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { one, polled, projection, REACHABLE } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { FACTOR_TYPES } from "../events/identity-event.js";
import { type IdentitySettingsDto, PutIdentitySettingsDto } from "./identity-settings.dto.js";

/** The settings of a workspace that never set any: the same as after a PUT with an empty body. */
const DEFAULTS = new PutIdentitySettingsDto();
const withDefault = (column: Sql, value: number | boolean | undefined): Sql =>
  sql`coalesce(${column}, ${literal(String(value))})`;

/** The settings in effect, from a row `s` that may be missing. */
export const SETTINGS = projection<IdentitySettingsDto>({
  requiredCorrectAnswers: withDefault(sql`s.required_correct_answers`, DEFAULTS.requiredCorrectAnswers),
  maxWrongPerConversation: withDefault(sql`s.max_wrong_per_conversation`, DEFAULTS.maxWrongPerConversation),
  maxWrongPerIdentity24h: withDefault(sql`s.max_wrong_per_identity24h`, DEFAULTS.maxWrongPerIdentity24h),
  maxWrongPerCallerId24h: withDefault(sql`s.max_wrong_per_caller_id24h`, DEFAULTS.maxWrongPerCallerId24h),
  magicLinkMinutes: withDefault(sql`s.magic_link_minutes`, DEFAULTS.magicLinkMinutes),
  requireLinkCode: withDefault(sql`s.require_link_code`, DEFAULTS.requireLinkCode),
  addressCoolOffHours: withDefault(sql`s.address_cool_off_hours`, DEFAULTS.addressCoolOffHours),
  factorLifetimeMinutes: withDefault(sql`s.factor_lifetime_minutes`, DEFAULTS.factorLifetimeMinutes),
  allowedFactors: sql`coalesce(s.allowed_factors, ${literal(`{${FACTOR_TYPES.join()}}`)})`,
  promptVersion: sql`s.prompt_version`,
});

export const GET_IDENTITY_SETTINGS = polled(
  one<IdentitySettingsDto, { workspaceId: string }>(
    "identitySettings.get",
    "restricted",
    ({ workspaceId }) => sql`
      select ${SETTINGS}
      from workspace w
      left join identity_settings s on s.tenant_id = ${TENANT} and s.workspace_id = w.id
      where w.id = ${workspaceId} and ${REACHABLE}`,
  ),
);

/**
 * The settings in effect in a workspace.
 * @throws NotFoundException
 */
export async function identitySettings(tx: Tx, workspaceId: string): Promise<IdentitySettingsDto> {
  return (await tx.read(GET_IDENTITY_SETTINGS, { workspaceId })).parse();
}
