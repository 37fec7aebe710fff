import { Injectable, type OnModuleInit } from "@nestjs/common";
import { VisitorWrote } from "../channels/visitor-wrote.js";
import { type Sealer, Sealers } from "../platform/database/seal.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { LearningOriginEntity } from "./learning.entity.js";

/**
 * Notes where the conversations of visitors come from, whom a new session makes a new contact: one of them alone cannot teach
 * anything. A keyed hash says whether two come from one address, and not from which.
 */
@Injectable()
export class LearningOrigins implements OnModuleInit {
  private readonly sealer: Sealer;

  constructor(
    private readonly events: DomainEvents,
    sealers: Sealers,
  ) {
    this.sealer = sealers.for("learning origins");
  }

  onModuleInit(): void {
    this.events.handle(VisitorWrote, async (tx, { conversationId, client }) => {
      const originHash = this.sealer.hash(`${tx.caller.tenantId} ${client}`);
      await tx.insertOrIgnore(LearningOriginEntity, { conversationId, originHash });
    });
  }
}
