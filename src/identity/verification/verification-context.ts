import { hkdfSync } from "node:crypto";
import type { Tx } from "../../platform/database/transaction.js";
import { inReach } from "../../platform/database/statement.js";
import { notFound } from "../../platform/http/errors.js";
import { type IdentitySettingsDto } from "../settings/identity-settings.dto.js";
import { identitySettings } from "../settings/identity-settings.js";
import type { AssuranceLevel } from "./assurance-level.js";
import { CALLER_HASH, type Subject } from "./wrong-answer-caps.js";

/** The conversation in which somebody is to prove who they are. */
export interface Situation extends Subject {
  workspaceId: string;
  language: string;
  callerId: string | null;
  assuranceLevel: AssuranceLevel;
  settings: IdentitySettingsDto;
}

/** Finds it, within the caller's reach, and holds it: against an erasure, and where `alone` against other steps of the same proof. */
export class Situations {
  /** Goes before a caller ID when it is hashed. */
  readonly pepper: Buffer;

  constructor(secretKeys: readonly string[]) {
    // The oldest key's, so that wrong answers stay counted while the keys change.
    this.pepper = Buffer.from(hkdfSync("sha256", secretKeys.at(-1)!, "", "parley caller ids", 32));
  }

  /**
   * The lock lets those pass who only refer to the conversation: an attempt that is being taken has its locks in another order.
   * @throws NotFoundException
   */
  async find(tx: Tx, conversationId: string, lock: "alone" | "shared"): Promise<Situation> {
    const [row] = await tx.query<Omit<Situation, "settings">>(
      `select c.id as "conversationId", c.contact_id as "contactId", c.workspace_id as "workspaceId", c.caller_id as "callerId", ${CALLER_HASH} as "callerHash",
        c.assurance_level as "assuranceLevel", (select w.primary_language from workspace w where w.tenant_id = c.tenant_id and w.id = c.workspace_id) as language
      from conversation c join contact k on k.tenant_id = c.tenant_id and k.id = c.contact_id
      where c.tenant_id = :tenant and c.id = :conversationId and c.redacted_at is null and k.erased_at is null and k.deleted_at is null and ${inReach("c")}
      for ${lock === "alone" ? "no key update" : "key share"} of c for key share of k`,
      { conversationId, pepper: this.pepper },
    );
    if (!row) throw notFound();
    tx.within(row.workspaceId);
    return { ...row, settings: await identitySettings(tx, row.workspaceId) };
  }
}
