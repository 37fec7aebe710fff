import { ConflictException, Injectable } from "@nestjs/common";
import { recordAuditEntry } from "../../audit/audit-entries.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { LOCK_CONVERSATION_OF } from "../../conversations/actions/cancel-reply.queries.js";
import { ERASED, notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";

/** Sends messages again that were given up, when somebody asks for it. */
@Injectable()
export class DeadLettersService {
  constructor(
    private readonly db: Database,
    private readonly outbox: OutboxService,
  ) {}

  /** @throws NotFoundException, ConflictException: it was sent already, or can never be sent */
  retry(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      if (!(await this.requeue(tx, id))) throw notFound();
      return ok();
    });
  }

  /**
   * A message of a conversation within the caller's reach.
   * @throws NotFoundException, ConflictException: it was sent already, it can never be sent, or its contact was erased
   */
  retryMessage(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const [found] = await tx.query(LOCK_CONVERSATION_OF, { id });
      if (!found) throw notFound();
      if (found.erased) throw new ConflictException(ERASED);
      if (!(await this.requeue(tx, id))) throw new ConflictException("Only a message that Parley sends can be retried");
      return ok();
    });
  }

  /** @returns whether there is such a message in the outbox */
  private async requeue(tx: Tx, id: string): Promise<boolean> {
    tx.changesNothingVisible();
    const found = await this.outbox.retry(tx, id);
    if (!found) return false;
    if (found.status === "captured") throw new ConflictException("On the test side nothing leaves");
    if (found.status === "sent") throw new ConflictException("It was sent already");
    if (found.status === "dead")
      await recordAuditEntry(tx, {
        change: "updated",
        resourceType: "outboxMessage",
        resourceId: id,
        conversationId: found.conversationId ?? undefined,
        fields: ["status"],
      });
    return true;
  }
}
