import { HttpException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { raise } from "../../conversations/attention/raise.js";
import { MessagesService } from "../../conversations/messages.service.js";
import { Config } from "../../platform/config/config.js";
import type { Tx } from "../../platform/database/transaction.js";
import { textsFor } from "../context/spoken.js";
import { GET_BOUND } from "../tools/tool-calls.queries.js";
import { type Action, END_WAITING, HAND_OVER_ACTION, RESUME_RUN } from "./pending-actions.queries.js";

const WHY = {
  rejected: "A person rejected it",
  expired: "Nobody approved it in time",
  failed: "It could not be carried out",
} as const;

/** What follows from the end of an action: for the contact, for the run that asked, and for people. */
@Injectable()
export class FollowUp {
  constructor(
    private readonly messages: MessagesService,
    private readonly config: Config,
  ) {}

  /** The run that asked goes on with the answer. If it cannot, the contact is told in a sentence. */
  async executed(tx: Tx, action: Action): Promise<void> {
    const { ASSISTANT_CHAT_SECONDS: chatSeconds, ASSISTANT_MAIL_SECONDS: mailSeconds } = this.config;
    const resumed = await tx.query(RESUME_RUN, { runId: action.runId, chatSeconds, mailSeconds });
    if (resumed.length) return;
    await tx.query(END_WAITING, { runId: action.runId, outcome: "discarded", reason: "It was done without the run" });
    if (await this.isOurs(tx, action)) await this.tell(tx, action, "executed");
  }

  /**
   * People handle the conversation, if they do not already. What failed is theirs to look at in any case.
   * @param detail for people
   */
  async refused(tx: Tx, action: Action, why: keyof typeof WHY, detail: string | null): Promise<void> {
    const { conversationId, tool } = action;
    const reason = `${tool}: ${WHY[why]}${detail === null ? "" : `: ${detail}`}`;
    const [handed] = await tx.query(HAND_OVER_ACTION, { id: conversationId, summary: reason });
    const handedOver = handed?.changes === true && !handed.erased;
    const outcome = handedOver ? "handed_off" : "discarded";
    await tx.query(END_WAITING, { runId: action.runId, outcome, reason: WHY[why] });
    if (handedOver || why === "failed")
      await raise(tx, { conversationId, type: "handoff_requested", severity: "high", reason });
    if (handedOver) await this.tell(tx, action, "refused");
  }

  private async isOurs(tx: Tx, { conversationId, agentId, tool }: Action): Promise<boolean> {
    const [bound] = await tx.query(GET_BOUND, { conversationId, agentId, tool, runId: null });
    return bound?.off === null;
  }

  /** Whoever cannot be reached is not told. */
  private async tell(tx: Tx, { conversationId }: Action, what: "executed" | "refused"): Promise<void> {
    const body = (await textsFor(tx, conversationId))[what];
    try {
      await tx.savepoint(() => this.messages.announceWithin(tx, conversationId, { id: uuid(), body }));
    } catch (error) {
      if (!(error instanceof HttpException)) throw error;
    }
  }
}
