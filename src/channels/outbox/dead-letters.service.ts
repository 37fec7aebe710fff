import { ConflictException, Injectable } from "@nestjs/common";
import { recordAuditEntry } from "../../audit/audit-entries.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { Outbox } from "../../platform/outbox/outbox.service.js";

/** Sends messages again that were given up, when an admin asks for it. */
@Injectable()
export class DeadLetters {
  constructor(
    private readonly db: Database,
    private readonly outbox: Outbox,
  ) {}

  /** @throws NotFoundException, ConflictException: it was sent already, or can never be sent */
  retry(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const found = await this.outbox.retry(tx, id);
      if (!found) throw notFound();
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
      return ok();
    });
  }
}
