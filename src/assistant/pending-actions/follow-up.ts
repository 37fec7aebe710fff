import { HttpException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { raise } from "../../conversations/attention/raise.js";
import { MessagesService } from "../../conversations/messages.service.js";
import { Config } from "../../platform/config/config.js";
import type { Tx } from "../../platform/database/transaction.js";
import { textsFor } from "../context/spoken.js";
import { ADD_TO_SUMMARY, lineOf } from "../tools/calls-made.js";
import { GET_BOUND } from "../tools/tool-calls.queries.js";
import { type Action, END_REFUSED, HAND_OVER_ACTION, RESUME_RUN } from "./pending-actions.queries.js";
import { AssistantRunEntity } from "../assistant.entity.js";
import { IsNull } from "typeorm";

const WHY = {
  rejected: "A person rejected it",
  expired: "Nobody approved it in time",
  failed: "It could not be carried out",
} as const;

const DONE = { kind: "result" };

/** What follows from the end of an action: for the contact, for the run that asked, and for people. */
@Injectable()
export class FollowUp {
  constructor(
    private readonly messages: MessagesService,
    private readonly config: Config,
  ) {}

  /** The run that asked goes on with the answer. If it cannot, the contact is told in a sentence, or people are if they took over. */
  async executed(tx: Tx, action: Action): Promise<void> {
    const { ASSISTANT_CHAT_SECONDS: chatSeconds, ASSISTANT_MAIL_SECONDS: mailSeconds } = this.config;
    const resumed = await tx.query(RESUME_RUN, { runId: action.runId, chatSeconds, mailSeconds });
    if (resumed.length) return;
    // Unless a take-over has ended it.
    await tx.update(
      AssistantRunEntity,
      { id: action.runId, outcome: IsNull(), waitsFor: "approval" },
      {
        waitsFor: null,
        outcome: "discarded",
        reason: "It was done without the run",
        endedAt: () => "clock_timestamp()",
      },
    );
    const { conversationId: id, agentId, tool } = action;
    const [bound] = await tx.query(GET_BOUND, { conversationId: id, agentId, tool, runId: null });
    if (!bound) return;
    if (bound.off === null) return this.tell(tx, action, "executed");
    // The assistant says nothing to the contact any more, so whoever handles the conversation has to.
    const line = lineOf({ ...action, outcome: DONE }, bound.primaryLanguage);
    await tx.query(ADD_TO_SUMMARY, { id, line });
  }

  /**
   * People handle the conversation, if they do not already. What failed is theirs to look at in any case.
   * @param detail for people
   */
  async refused(tx: Tx, action: Action, why: keyof typeof WHY, detail: string | null): Promise<void> {
    const { conversationId, tool } = action;
    const reason = `${tool}: ${WHY[why]}${detail === null ? "" : `: ${detail}`}`;
    await tx.query(END_REFUSED, { runId: action.runId, reason: WHY[why] });
    const [handed] = await tx.query(HAND_OVER_ACTION, { id: conversationId, reason });
    const handedOver = handed?.changes === true && !handed.erased;
    if (handedOver || why === "failed")
      await raise(tx, { conversationId, type: "handoff_requested", severity: "high", reason });
    if (handedOver) await this.tell(tx, action, "refused");
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
