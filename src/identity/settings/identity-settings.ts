import { one, polled, projection, REACHABLE } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { FACTOR_TYPES } from "../events/identity-event.js";
import { type IdentitySettingsDto, PutIdentitySettingsDto } from "./identity-settings.dto.js";

/** What is in force where nothing was set: what a PUT that says nothing would set. */
const DEFAULTS = new PutIdentitySettingsDto();

/** The settings in force, over a row `s` that may be missing. */
export const SETTINGS = projection<IdentitySettingsDto>({
  requiredCorrectAnswers: `coalesce(s.required_correct_answers, ${DEFAULTS.requiredCorrectAnswers})`,
  maxWrongPerConversation: `coalesce(s.max_wrong_per_conversation, ${DEFAULTS.maxWrongPerConversation})`,
  maxWrongPerIdentity24h: `coalesce(s.max_wrong_per_identity24h, ${DEFAULTS.maxWrongPerIdentity24h})`,
  maxWrongPerCallerId24h: `coalesce(s.max_wrong_per_caller_id24h, ${DEFAULTS.maxWrongPerCallerId24h})`,
  magicLinkMinutes: `coalesce(s.magic_link_minutes, ${DEFAULTS.magicLinkMinutes})`,
  factorLifetimeMinutes: `coalesce(s.factor_lifetime_minutes, ${DEFAULTS.factorLifetimeMinutes})`,
  allowedFactors: `coalesce(s.allowed_factors, '{${FACTOR_TYPES.join()}}')`,
  promptVersion: "s.prompt_version",
});

export const GET_IDENTITY_SETTINGS = polled(
  one<IdentitySettingsDto, { workspaceId: string }>(
    "identity-settings.get",
    "workspace",
    `select ${SETTINGS} from workspace w left join identity_settings s on s.tenant_id = w.tenant_id and s.workspace_id = w.id where w.id = :workspaceId and ${REACHABLE}`,
  ),
);

/**
 * The settings in force in a workspace, for what proves a caller there.
 * @throws NotFoundException
 */
export async function identitySettings(tx: Tx, workspaceId: string): Promise<IdentitySettingsDto> {
  return (await tx.read(GET_IDENTITY_SETTINGS, { workspaceId })).parse();
}
