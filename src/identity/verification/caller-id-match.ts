import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ConversationStarted } from "../../conversations/conversation-events.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { inReach, query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { identitySettings } from "../settings/identity-settings.js";
import { addFactor } from "./assurance-level.js";

const FIND_VERIFIED_CALLER = query<{ conversationId: string }>()(
  "callerIdMatch.findVerifiedCaller",
  "restricted",
  ({ conversationId }) => sql`
    select c.contact_id as "contactId"
    from conversation c
    join contact_point p on p.tenant_id = ${TENANT} and p.contact_id = c.contact_id
      and p.kind = 'phone' and p.value = c.caller_id and p.verified_at is not null
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and ${inReach("c")}`,
);

/**
 * Adds the factor `ani_match` when a call starts whose caller ID is a verified phone number of its contact. The factor
 * raises no level, because a caller ID can be forged.
 */
@Injectable()
export class CallerIdMatch implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ConversationStarted, (tx, started) => this.addMatch(tx, started));
  }

  private async addMatch(tx: Tx, { id: conversationId, workspaceId, callerId }: ConversationStarted): Promise<void> {
    if (callerId === null) return;
    const [match] = await tx.query(FIND_VERIFIED_CALLER, { conversationId });
    if (!match) return;
    const { allowedFactors, factorLifetimeMinutes, promptVersion } = await identitySettings(tx, workspaceId);
    if (!allowedFactors.includes("ani_match")) return;
    await addFactor(tx, {
      conversationId,
      contactId: match.contactId,
      factorType: "ani_match",
      factorCategory: "possession",
      evidenceRef: "tool:caller_id",
      lifetimeMinutes: factorLifetimeMinutes,
      promptVersion: promptVersion ?? undefined,
    });
  }
}
