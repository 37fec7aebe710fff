import { HttpException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { WAIT } from "../../conversations/actions/actions.queries.js";
import { ASSURANCE_LEVELS, type DemandedLevel } from "../../conversations/assurance-level.js";
import { MessagesService } from "../../conversations/messages.service.js";
import { type Choose, VerificationService } from "../../identity/verification/verification.service.js";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { after, type Spoken, textsFor } from "../context/spoken.js";
import { fill } from "../context/texts.js";
import { endCall, GET_BOUND, LOCK_CONVERSATION } from "./tool-calls.queries.js";
import type { ToolRun } from "./tool-calls.js";
import {
  NOTE_ANSWER,
  NOTE_QUESTION,
  OPEN_QUESTION,
  type OpenQuestion,
  VERIFIER_VERSION,
} from "./verification-dialogue.queries.js";

/** Under this name the questions are kept, and agents list it. */
export const ASK_VERIFICATION = "ask_verification";

/** What came of a question, or of the contact's answer to it. */
export type Verified =
  /** The contact is asked: the run ends, and their next message is the answer. */
  | { kind: "asked" }
  /** They are who they say, as sure as it was asked for. `until`: the last message of their answer. */
  | { kind: "verified"; until: number }
  /** People take over. */
  | { kind: "failed"; reason: string };
type Asked = Exclude<Verified, { kind: "verified" }>;
/** A question that is to end. */
interface Ending {
  id: string;
  result: "passed" | "failed" | "needless";
  /** The last message of the answer, if one was compared. */
  until?: number;
}

interface Asking {
  /**
   * Ends in the transaction that asks the next question. If none can be asked, it stays open until people have the conversation:
   * what the contact writes until then may be meant as an answer, too
   */
  answered?: Ending;
  /** What the contact is told before it. */
  said?: Spoken | undefined;
  /** Keeps, in the same transaction, that this was told. */
  told?: ((tx: Tx) => Promise<void>) | undefined;
}

/** Asks the workspace's questions in the conversation. The contact's next message is the answer. */
@Injectable()
export class VerificationDialogue {
  constructor(
    private readonly db: Database,
    private readonly verification: VerificationService,
    private readonly messages: MessagesService,
  ) {}

  /**
   * Asks the next question, unless one is open, or a person took over meanwhile.
   * @param asking what goes with it
   */
  async ask(caller: SystemCaller, run: ToolRun, level: DemandedLevel, asking: Asking = {}): Promise<Asked> {
    if (level === "high-assurance")
      return { kind: "failed", reason: `It needs the assurance level ${level}, which questions do not prove` };
    try {
      return await this.verification.asking(caller, run.conversationId, (tx, choose) =>
        this.put(tx, run, level, choose, asking),
      );
    } catch (error) {
      if (error instanceof HttpException) return { kind: "failed", reason: error.message };
      throw error;
    }
  }

  /**
   * Takes the contact's message as the answer to the question that is open.
   * @param run of that message. The run that asked may be carried out once more, because its process died: then nobody has
   * answered yet
   * @param answer the contact's own words
   * @returns undefined if the message answers no question
   */
  async answer(
    caller: SystemCaller,
    run: ToolRun & { sequence: number },
    answer: string,
  ): Promise<Verified | undefined> {
    const open = await this.openQuestion(caller, run);
    if (!open) return undefined;
    if (run.sequence < open.sequence) return { kind: "asked" };
    if (isReached(open) && open.correct === null) {
      // By another proof. What the contact writes now is no answer.
      await this.close(caller, { id: open.id, result: "needless" });
      return undefined;
    }
    const { correct, reached } = open.correct === null ? await this.compare(caller, run, open, answer) : open;
    const answered: Ending = { id: open.id, result: correct ? "passed" : "failed", until: run.sequence };
    if (!isReached({ ...open, reached })) return this.ask(caller, run, open.level, { answered });
    const until = (open.correct === null ? null : open.answered) ?? run.sequence;
    await this.close(caller, { ...answered, until });
    return { kind: "verified", until };
  }

  private async compare(
    caller: SystemCaller,
    { conversationId, sequence }: ToolRun & { sequence: number },
    { id, questionId, reached }: OpenQuestion,
    answer: string,
  ): Promise<Pick<OpenQuestion, "correct" | "reached">> {
    const promptVersion = await this.db.transaction(caller, async (tx) => {
      await tx.query(NOTE_ANSWER, { id, sequence });
      return await this.versionIn(tx, conversationId);
    });
    const by = { promptVersion };
    try {
      const compared = await this.verification.answer(caller, conversationId, { questionId, answer }, by);
      const { result, assuranceLevel } = compared.parse();
      return { correct: result === "passed", reached: assuranceLevel };
    } catch (error) {
      // It is no question any more, or a process has died of comparing it. Whether there can be another one, asking it says.
      if (error instanceof HttpException) return { correct: false, reached };
      throw error;
    }
  }

  private async openQuestion(caller: SystemCaller, { conversationId }: ToolRun): Promise<OpenQuestion | undefined> {
    const [open] = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(OPEN_QUESTION, { conversationId });
    });
    return open;
  }

  /** In one transaction, the question is chosen, asked and noted, and the one before it ends. */
  private async put(
    tx: Tx,
    run: ToolRun,
    level: DemandedLevel,
    choose: Choose,
    { answered, said, told }: Asking,
  ): Promise<Asked> {
    const { conversationId, agentId, id: runId, attempts } = run;
    const refused = (reason: string): Asked => {
      tx.changesNothingVisible();
      return { kind: "failed", reason };
    };
    const [locked] = await tx.query(LOCK_CONVERSATION, { conversationId });
    if (!locked) return refused("The conversation does not exist any more");
    const [open] = await tx.query(OPEN_QUESTION, { conversationId });
    if (open && open.id !== answered?.id) {
      tx.changesNothingVisible();
      return { kind: "asked" };
    }
    const [bound] = await tx.query(GET_BOUND, { conversationId, agentId, tool: ASK_VERIFICATION, runId, attempts });
    if (!bound || bound.off !== null) return refused(bound?.off ?? "The agent is gone");
    const promptVersion = await this.versionIn(tx, conversationId);
    const [question] = (await choose({ count: 1, promptVersion })).questions;
    if (!question) return refused("There is no question to ask");
    const { questionId, prompt } = question;
    const { prove, proveMore } = await textsFor(tx, conversationId);
    const asks = fill(answered ? proveMore : prove, { prompt });
    const messageId = uuid();
    const message = after(said, asks);
    await this.messages.announceWithin(tx, conversationId, { id: messageId, ...message });
    await told?.(tx);
    await tx.query(WAIT, { id: conversationId });
    if (answered) await end(tx, answered);
    await tx.query(NOTE_QUESTION, { id: uuid(), conversationId, runId, messageId, questionId, level });
    return { kind: "asked" };
  }

  private async versionIn(tx: Tx, conversationId: string): Promise<string | undefined> {
    tx.changesNothingVisible();
    const [verifier] = await tx.query(VERIFIER_VERSION, { conversationId });
    return verifier?.version;
  }

  private close(caller: SystemCaller, question: Ending): Promise<boolean> {
    return this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return end(tx, question);
    });
  }
}

const end = (tx: Tx, { id, ...value }: Ending): Promise<boolean> => endCall(tx, id, { kind: "result", value });

const isReached = ({ level, reached }: Pick<OpenQuestion, "level" | "reached">): boolean =>
  ASSURANCE_LEVELS.indexOf(reached) >= ASSURANCE_LEVELS.indexOf(level);
