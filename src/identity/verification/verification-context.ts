import { hkdfSync } from "node:crypto";
import type { AssuranceLevel } from "../../conversations/assurance-level.js";
import { type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { inReach, query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { type IdentitySettingsDto } from "../settings/identity-settings.dto.js";
import { identitySettings } from "../settings/identity-settings.js";
import { type AttemptSubject, callerHash } from "./wrong-answer-caps.js";

/** The conversation in which a person proves who they are, with the settings that apply. */
export interface VerificationContext extends AttemptSubject {
  workspaceId: string;
  /** The workspace's primary language, ISO 639-1. */
  language: string;
  /** E.164, or null if it is withheld or this is not a call. */
  callerId: string | null;
  assuranceLevel: AssuranceLevel;
  settings: IdentitySettingsDto;
}

type Row = Omit<VerificationContext, "settings">;
const findStatement = (name: `verificationContext.find${"Exclusive" | "Shared"}`, lock: Sql) =>
  query<{ conversationId: string; pepper: Buffer }, Row>()(
    name,
    "restricted",
    ({ conversationId, pepper }) => sql`
      select c.id as "conversationId", c.contact_id as "contactId", c.workspace_id as "workspaceId",
        c.caller_id as "callerId", ${callerHash(pepper)} as "callerHash", c.assurance_level as "assuranceLevel",
        (select w.primary_language from workspace w where w.tenant_id = ${TENANT} and w.id = c.workspace_id) as language
      from conversation c
      join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
      where c.tenant_id = ${TENANT} and c.id = ${conversationId} and c.redacted_at is null
        and k.erased_at is null and k.deleted_at is null and ${inReach("c")}
      ${lock} for key share of k`,
  );

/** Both locks on the contact hold off an erasure. */
const FIND = {
  /** One verification step of the conversation at a time. Rows that only refer to the conversation can still be inserted. */
  exclusive: findStatement("verificationContext.findExclusive", sql`for no key update of c`),
  /** Verification steps of the same conversation can run concurrently. */
  shared: findStatement("verificationContext.findShared", sql`for key share of c`),
};

export class VerificationContexts {
  /** Goes in front of a caller ID when it is hashed. */
  readonly pepper: Buffer;

  constructor(secretKeys: readonly string[]) {
    // From the oldest key, so that wrong answers still count while the keys are rotated.
    this.pepper = Buffer.from(hkdfSync("sha256", secretKeys.at(-1)!, "", "parley caller ids", 32));
  }

  /**
   * Finds and locks the conversation, within the caller's reach.
   * @throws NotFoundException, also if the conversation or its contact was erased
   */
  async find(tx: Tx, conversationId: string, lock: keyof typeof FIND): Promise<VerificationContext> {
    const [row] = await tx.query(FIND[lock], { conversationId, pepper: this.pepper });
    if (!row) throw notFound();
    tx.changesWorkspace(row.workspaceId);
    return { ...row, settings: await identitySettings(tx, row.workspaceId) };
  }
}
