import { HttpException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { AttentionSeverity, AttentionType } from "../conversations/attention/attention-item.entity.js";
import { raise } from "../conversations/attention/raise.js";
import { MessagesService } from "../conversations/messages.service.js";
import type { SystemCaller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { escapeMarkdown } from "../platform/markdown/escape.js";
import type { HandOverReason } from "../quality/reports/hand-over-reasons.js";
import type { RunOutcome, WaitsFor } from "./assistant.entity.js";
import type { Context } from "./context/context.queries.js";
import { formatOf, type Saying, type Plan, type Step, type Thought } from "./plan.js";
import { save } from "./procedures/procedure-runs.queries.js";
import { isMailed, withoutProofs } from "./context/question.js";
import { type Begun, END, HAND_OVER, type Held, HOLD, RESOLVE_ANSWERED, RETURN, TAKE } from "./runs.queries.js";
import { shortened, summaryOf } from "./summary.js";
import { after, type Spoken } from "./context/spoken.js";
import { handOverText, textsIn } from "./context/texts.js";
import type { Why } from "./context/why.js";
import { LIST_CHANGING, lineOf } from "./tools/calls-made.js";
import { stepsAsJson } from "./tools/steps.queries.js";

/** How long a message waits for the next one of its burst. */
export const WAIT_SECONDS = 1.5;

/** So long a contact may take to show who they are. People have as long to approve something, unless the tool says otherwise. */
const VERIFICATION_HOURS = 24;

/** There the contact waits for a reply, so they are told that it will take longer. On mail the colleague's reply is the next thing they get. */
const ANNOUNCED_ON = ["webchat", "sms", "api"];

/** Whether the contact is told that people take over: in chats, and wherever a procedure says something before it. */
export const isTold = (channelType: string, said: Spoken | undefined): boolean =>
  said !== undefined || ANNOUNCED_ON.includes(channelType);

interface Told {
  /** For reports. */
  code: HandOverReason;
  type: AttentionType;
  severity: AttentionSeverity;
  reason: string;
}
/** What a colleague is told, by the reason for the hand-off. */
export const ATTENTION: Record<Why, Told> = {
  nothingFound: { code: "nothing_found", type: "kb_gap", severity: "medium", reason: "No approved entry answers" },
  unsure: {
    code: "unsure",
    type: "low_confidence",
    severity: "medium",
    reason: "The assistant was not sure enough to answer",
  },
  wantsPerson: {
    code: "wants_person",
    type: "handoff_requested",
    severity: "high",
    reason: "The contact asks for a person",
  },
  passedOn: {
    code: "passed_on",
    type: "handoff_requested",
    severity: "medium",
    reason: "The assistant passes the conversation on",
  },
  unfounded: {
    code: "unfounded",
    type: "low_confidence",
    severity: "medium",
    reason: "What the assistant wrote rests on no entry",
  },
  usedUp: {
    code: "used_up",
    type: "handoff_requested",
    severity: "high",
    reason: "The assistant has used up its tokens",
  },
  failed: { code: "failed", type: "handoff_requested", severity: "high", reason: "The assistant failed to answer" },
  repeated: {
    code: "repeated",
    type: "low_confidence",
    severity: "medium",
    reason: "The contact got this answer before and still asks",
  },
  details: {
    code: "details",
    type: "handoff_requested",
    severity: "medium",
    reason: "The contact gave details that a person has to act on",
  },
  complaint: {
    code: "complaint",
    type: "handoff_requested",
    severity: "medium",
    reason: "The contact complains or asks about what has happened",
  },
  opposite: {
    code: "opposite",
    type: "low_confidence",
    severity: "medium",
    reason: "The contact means something else than the closest entry",
  },
  notHelped: {
    code: "not_helped",
    type: "low_confidence",
    severity: "medium",
    reason: "The contact says that the answer did not help",
  },
  angry: { code: "angry", type: "handoff_requested", severity: "high", reason: "The contact is angry" },
};

interface Ended {
  /** Null if the run waits. */
  outcome: RunOutcome | null;
  reason: string | null;
  waitsFor?: WaitsFor;
  handOverReason?: HandOverReason;
  /** What was sent, or done instead. */
  sent?: object;
}
const discarded = (reason: string): Ended => ({ outcome: "discarded", reason });

/** Ends a run: what it decided, its steps and its outcome are one transaction, so each happens once or not at all. */
@Injectable()
export class RunEndingService {
  constructor(
    private readonly db: Database,
    private readonly messages: MessagesService,
  ) {}

  /** @throws ConflictException (the channel does not send it), NotFoundException (the entry is no longer approved) */
  end(caller: SystemCaller, run: Begun, context: Context, thought: Thought): Promise<void> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const [held] = await tx.query(HOLD, { conversationId: run.conversationId });
      if (!held || !(await tx.query(TAKE, { id: run.id, attempts: run.attempts })).length) return;
      tx.changesWorkspace(held.workspaceId);
      const began = Date.now();
      const ended = await this.carryOut(tx, run, held, context, thought);
      const { outcome, reason, waitsFor = null, handOverReason = null, sent } = ended;
      const steps: Step[] = [...thought.steps];
      if (sent)
        steps.push({ type: "send", at: new Date(began).toISOString(), durationMs: Date.now() - began, detail: sent });
      // What was not said was not asked, either.
      if (thought.procedure && outcome !== "discarded") await save(tx, thought.procedure);
      const waitHours = waitsFor === "verification" ? VERIFICATION_HOURS : null;
      await tx.query(END, {
        id: run.id,
        outcome,
        reason,
        waitsFor,
        handOverReason,
        waitHours,
        steps: stepsAsJson(steps),
      });
      await tx.query(RETURN, { conversationId: run.conversationId, waitSeconds: WAIT_SECONDS });
    });
  }

  private carryOut(tx: Tx, run: Begun, held: Held, context: Context, thought: Thought): Promise<Ended> {
    const { plan } = thought;
    switch (plan.action) {
      case "discard":
        return Promise.resolve(discarded(plan.reason));
      case "answer":
      case "proceed":
      case "clarify":
      case "converse":
        return this.say(tx, run, held, { ...plan, body: marked(plan, run, context, thought.language) });
      case "hand_off":
        return this.handOver(tx, run, held, context, thought, plan);
      case "resolve":
        return this.resolve(tx, run, held);
      case "wait":
        return this.wait(tx, run, held, context, thought, plan);
    }
  }

  private async say(tx: Tx, { conversationId, agentId, sequence }: Begun, held: Held, plan: Saying): Promise<Ended> {
    const answer = { agentId, body: plan.body, bodyFormat: formatOf(plan), afterSequence: sequence };
    if (plan.action === "converse") {
      const messageId = await this.messages.answerWithin(tx, conversationId, answer);
      return messageId
        ? { outcome: "small_talk", reason: null, sent: { messageId } }
        : discarded(whyNot(held, sequence));
    }
    if (plan.action === "proceed") {
      const { asks, choices } = plan;
      const citations = plan.entryIds.map((kbEntryId) => ({ kbEntryId, score: 1 }));
      const messageId = await this.messages.answerWithin(tx, conversationId, { ...answer, citations, asks, choices });
      if (!messageId) return discarded(whyNot(held, sequence));
      return { outcome: asks ? "clarified" : "answered", reason: null, sent: { messageId } };
    }
    if (plan.action === "clarify") {
      const { options, choices } = plan;
      const messageId = await this.messages.answerWithin(tx, conversationId, { ...answer, asks: true, choices });
      if (!messageId) return discarded(whyNot(held, sequence));
      return { outcome: "clarified", reason: null, sent: { messageId, ...(options.length && { options }) } };
    }
    const { citations, confidence, cutSentences } = plan;
    const messageId = await this.messages.answerWithin(tx, conversationId, { ...answer, citations, confidence });
    if (!messageId) return discarded(whyNot(held, sequence));
    return { outcome: "answered", reason: null, sent: { messageId, ...(cutSentences && { cutSentences }) } };
  }

  private async resolve(tx: Tx, { conversationId, sequence }: Begun, held: Held): Promise<Ended> {
    const [resolved] = await tx.query(RESOLVE_ANSWERED, { id: conversationId, sequence });
    if (!resolved?.changes || resolved.erased) return discarded(whyNot(held, sequence));
    return discarded("The contact needs nothing more: the conversation is resolved");
  }

  private async wait(
    tx: Tx,
    { conversationId, sequence }: Begun,
    held: Held,
    { channelType, primaryLanguage }: Context,
    { language }: Thought,
    { for: waitsFor, said }: Extract<Plan, { action: "wait" }>,
  ): Promise<Ended> {
    if (held.handlingMode === "human" || held.resolved || held.lastTurn > sequence)
      return discarded(whyNot(held, sequence));
    const waiting = { outcome: null, reason: null, waitsFor };
    // What verifies the contact asks them by itself, after what was said.
    if (waitsFor === "verification" || !ANNOUNCED_ON.includes(channelType)) return waiting;
    const text = textsIn(language, primaryLanguage).approval;
    const messageId = await this.tell(tx, conversationId, after(said, text));
    return { ...waiting, ...(messageId && { sent: { messageId } }) };
  }

  private async handOver(
    tx: Tx,
    { conversationId, sequence }: Begun,
    held: Held,
    context: Context,
    { question, language, found }: Thought,
    { why, reason: cause, said }: Extract<Plan, { action: "hand_off" }>,
  ): Promise<Ended> {
    const calls = await tx.query(LIST_CHANGING, { conversationId });
    const lines = calls.map((call) => lineOf(call, context.primaryLanguage));
    const summary = [summaryOf(withoutProofs(context), sequence, question, why, found), ...lines].join("\n");
    const [handed] = await tx.query(HAND_OVER, { id: conversationId, sequence, summary });
    if (!handed?.changes || handed.erased) return discarded(whyNot(held, sequence));
    const { code, type, severity, reason } = ATTENTION[why];
    const open = calls.filter(({ outcome }) => outcome === null).map((call) => `. ${lineOf(call, "en")}`);
    await raise(tx, { conversationId, type, severity, reason: `${reason}: “${shortened(question)}”${open.join("")}` });
    const text = handOverText(why, saidIn(context), language, context.primaryLanguage);
    const isAnnounced = isTold(context.channelType, said);
    const messageId = isAnnounced ? await this.tell(tx, conversationId, after(said, text)) : undefined;
    const outcome = why === "failed" ? "failed" : "handed_off";
    const ended = { outcome, reason: `${cause ?? reason}${open.join("")}`, handOverReason: code } as const;
    return { ...ended, ...(messageId && { sent: { messageId } }) };
  }

  /** It is no reply: the contact waits on. Whoever cannot be reached is not told. */
  private async tell(tx: Tx, conversationId: string, spoken: Spoken): Promise<string | undefined> {
    const id = uuid();
    try {
      await tx.savepoint(() => this.messages.announceWithin(tx, conversationId, { id, ...spoken }));
      return id;
    } catch (error) {
      if (error instanceof HttpException) return undefined;
      throw error;
    }
  }
}

/** Mails and texts have no place but their own words to say that no person wrote them. Each mail says it, and the first text. */
export function marked(
  plan: Saying,
  { agentName }: Pick<Begun, "agentName">,
  { channelType, messages, primaryLanguage }: Context,
  language: string,
): string {
  const isMarked =
    isMailed(channelType) || (channelType === "sms" && !messages.some(({ authorType }) => authorType === "assistant"));
  const { mark } = textsIn(language, primaryLanguage);
  if (!isMarked) return plan.body;
  const name = agentName !== null && formatOf(plan) === "markdown" ? escapeMarkdown(agentName) : agentName;
  return `${plan.body}\n\n— ${name === null ? mark : `${name}, ${mark}`}`;
}

const saidIn = ({ messages }: Context): string[] =>
  messages.filter(({ direction }) => direction === "outbound").map(({ body }) => body);

function whyNot({ handlingMode, resolved, lastTurn }: Held, sequence: number): string {
  if (handlingMode === "human") return "A person handles the conversation";
  if (lastTurn > sequence) return "Something was said after the message";
  return resolved ? "The conversation is resolved" : "The assistant is off or paused";
}
