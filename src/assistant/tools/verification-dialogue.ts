import { HttpException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { MessagesService } from "../../conversations/messages.service.js";
import { LEVELS } from "../../identity/verification/assurance-level.js";
import { VerificationService } from "../../identity/verification/verification.service.js";
import type { DemandedLevel } from "../../knowledge/policies/policy-entry.entity.js";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { BEGIN_CALL, END_CALL, GET_BOUND, LOCK_CONVERSATION, OPEN_QUESTION } from "./tool-calls.queries.js";
import type { ToolRun } from "./tool-calls.js";

/** Under this name the questions are kept, and agents list it. */
export const ASK_VERIFICATION = "ask_verification";

const TEXTS: Record<string, { first: string; again: string }> = {
  en: {
    first: "Before I go on, I have to know that it is you. {prompt}",
    again: "Thank you. One more question. {prompt}",
  },
  de: {
    first: "Bevor ich weitermache, muss ich wissen, dass Sie es sind. {prompt}",
    again: "Danke. Noch eine Frage. {prompt}",
  },
};

/** What came of a question, or of the contact's answer to it. */
export type Verified =
  /** The contact is asked: the run ends, and their next message is the answer. */
  | { kind: "asked" }
  /** They are who they say, as sure as it was asked for. */
  | { kind: "verified" }
  /** People take over. */
  | { kind: "failed"; reason: string };

/** Asks the workspace's questions in the conversation. The contact's next message is the answer. */
@Injectable()
export class VerificationDialogue {
  constructor(
    private readonly db: Database,
    private readonly verification: VerificationService,
    private readonly messages: MessagesService,
  ) {}

  /** Asks the next question, unless a person took over meanwhile. */
  async ask(
    caller: SystemCaller,
    run: ToolRun,
    level: DemandedLevel,
    text: "first" | "again" = "first",
  ): Promise<Exclude<Verified, { kind: "verified" }>> {
    if (level === "high-assurance")
      return { kind: "failed", reason: `It needs the assurance level ${level}, which questions do not prove` };
    try {
      const { questions } = (await this.verification.ask(caller, run.conversationId, { count: 1 })).parse();
      const [question] = questions;
      if (!question) return { kind: "failed", reason: "There is no question to ask" };
      return await this.put(caller, run, { ...question, level }, text);
    } catch (error) {
      if (error instanceof HttpException) return { kind: "failed", reason: error.message };
      throw error;
    }
  }

  /**
   * Takes the contact's message as the answer to the question that is open.
   * @param answer the contact's own words
   * @returns undefined if no question is open
   */
  async answer(caller: SystemCaller, run: ToolRun, answer: string): Promise<Verified | undefined> {
    const open = await this.openQuestion(caller, run);
    if (!open) return undefined;
    const { questionId, level } = open.arguments as { questionId: string; level: DemandedLevel };
    try {
      const compared = (await this.verification.answer(caller, run.conversationId, { questionId, answer })).parse();
      await this.close(caller, open.id, compared.result);
      if (LEVELS.indexOf(compared.assuranceLevel) >= LEVELS.indexOf(level)) return { kind: "verified" };
      return await this.ask(caller, run, level, "again");
    } catch (error) {
      if (!(error instanceof HttpException)) throw error;
      await this.close(caller, open.id, "failed");
      return { kind: "failed", reason: error.message };
    }
  }

  /** Ends the question that is open, if there is one, without an answer. */
  async withdraw(caller: SystemCaller, run: ToolRun): Promise<void> {
    const open = await this.openQuestion(caller, run);
    if (open) await this.close(caller, open.id, "withdrawn");
  }

  private async openQuestion(caller: SystemCaller, { conversationId }: ToolRun) {
    const [open] = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(OPEN_QUESTION, { conversationId, tool: ASK_VERIFICATION });
    });
    return open;
  }

  private put(
    caller: SystemCaller,
    run: ToolRun,
    question: { questionId: string; prompt: string; level: DemandedLevel },
    text: "first" | "again",
  ): Promise<Exclude<Verified, { kind: "verified" }>> {
    return this.db.transaction(caller, async (tx) => {
      const { conversationId, agentId, id: runId } = run;
      const [locked] = await tx.query(LOCK_CONVERSATION, { conversationId });
      if (!locked) return { kind: "failed", reason: "The conversation does not exist any more" };
      const [bound] = await tx.query(GET_BOUND, { conversationId, agentId, tool: ASK_VERIFICATION, runId });
      if (!bound || bound.off !== null) return { kind: "failed", reason: bound?.off ?? "The agent is gone" };
      const { questionId, prompt, level } = question;
      const body = (TEXTS[bound.language] ?? TEXTS.en!)[text].replace("{prompt}", () => prompt);
      await this.messages.announceWithin(tx, conversationId, { id: uuid(), body });
      await tx.query(BEGIN_CALL, {
        id: uuid(),
        conversationId,
        runId,
        tool: ASK_VERIFICATION,
        arguments: JSON.stringify({ questionId, level }),
        hash: questionId,
        effect: "read",
      });
      return { kind: "asked" };
    });
  }

  private close(caller: SystemCaller, id: string, result: string): Promise<void> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await tx.query(END_CALL, { id, outcome: JSON.stringify({ kind: "result", value: { result } }) });
    });
  }
}
