import { ConflictException, Injectable } from "@nestjs/common";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { ERASED, notFound } from "../../platform/http/errors.js";
import type { Json } from "../../platform/http/json.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import type { MessageEntity } from "../conversation.entity.js";
import type { CancelledReplyDto } from "../messages.dto.js";
import { FORGET_NAMED } from "../participants/participants.queries.js";
import { CANCEL, DETACH, GET_CANCELLED, LOCK_CONVERSATION_OF } from "./cancel-reply.queries.js";

/** Takes back replies that are held. */
@Injectable()
export class CancelReplyService {
  constructor(
    private readonly db: Database,
    private readonly outbox: OutboxService,
  ) {}

  /** @throws NotFoundException, ConflictException: it is not held, or its contact was erased */
  cancel(caller: Caller, id: string): Promise<Json<CancelledReplyDto>> {
    return this.db.transaction(caller, async (tx) => {
      const [found] = await tx.query(LOCK_CONVERSATION_OF, { id });
      if (!found) throw notFound();
      if (found.erased) throw new ConflictException(ERASED);
      // Decides between this request and the worker that would send it.
      if (!(await this.outbox.withdraw(tx, id))) throw new ConflictException(whyNot(found.deliveryStatus));
      await tx.query(CANCEL, { id });
      tx.changesWorkspace(found.workspaceId);
      const answer = await tx.read(GET_CANCELLED, { id });
      await tx.query(DETACH, { id });
      await tx.query(FORGET_NAMED, { messageId: id, self: callerId(caller) });
      return answer;
    });
  }
}

function whyNot(status: MessageEntity["deliveryStatus"]): string {
  if (status === "cancelled") return "The reply was cancelled already";
  return "Only a reply that is held can be cancelled: this message has left, or is leaving";
}
