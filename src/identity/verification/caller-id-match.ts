import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ConversationStarted } from "../../conversations/conversation-events.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { identitySettings } from "../settings/identity-settings.js";
import { addFactor } from "./assurance-level.js";

/** Records that a call comes from a number which its contact has proven. By itself that raises no level: a caller ID can be forged. */
@Injectable()
export class CallerIds implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ConversationStarted, (tx, started) => this.match(tx, started));
  }

  private async match(tx: Tx, { id: conversationId, workspaceId, callerId }: ConversationStarted): Promise<void> {
    if (callerId === null) return;
    const [match] = await tx.query<{ contactId: string }>(
      `select c.contact_id as "contactId" from conversation c
      join contact_point p on p.tenant_id = c.tenant_id and p.contact_id = c.contact_id and p.kind = 'phone' and p.value = c.caller_id and p.verified_at is not null
      where c.tenant_id = :tenant and c.id = :conversationId`,
      { conversationId },
    );
    if (!match) return;
    const {
      allowedFactors,
      factorLifetimeMinutes: lifetimeMinutes,
      promptVersion,
    } = await identitySettings(tx, workspaceId);
    if (!allowedFactors.includes("ani_match")) return;
    await addFactor(tx, {
      conversationId,
      contactId: match.contactId,
      factorType: "ani_match",
      factorCategory: "possession",
      evidenceRef: "tool:caller_id",
      lifetimeMinutes,
      promptVersion: promptVersion ?? undefined,
    });
  }
}
