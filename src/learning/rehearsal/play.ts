import { v7 as uuid } from "uuid";
import type { AssuranceLevel } from "../../conversations/assurance-level.js";
import type { Context } from "../../assistant/context/context.queries.js";
import { handOverText } from "../../assistant/context/texts.js";
import type { AssistantService } from "../../assistant/assistant.service.js";
import type { Saying, Thought } from "../../assistant/plan.js";
import { ATTENTION, isTold, marked } from "../../assistant/run-ending.service.js";
import type { Begun } from "../../assistant/runs.queries.js";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { type PlayedStore, Unanswered } from "./played.js";
import type { Scene } from "./scene.js";

export const PLAYED_OUTCOMES = namedEnum("PlayedOutcome", "What the assistant does about a turn of a contact.", {
  answered: "it answers",
  clarified: "it asks back",
  small_talk: "it greets, says what it is, or says that the contact is welcome",
  handed_off: "it hands over to people",
  asked_for_proof: "it has the contact prove who they are",
  asked_for_approval: "it has people approve a call of a tool",
  called_tool: "it calls a tool, and the test does not say what that answers",
  discarded: "it says nothing",
});
export type PlayedOutcome = (typeof PLAYED_OUTCOMES)[number];

/** What follows from one turn. */
export interface PlayedTurn {
  outcome: PlayedOutcome;
  /** The entries that it answers with or asks back about. */
  entries: { kbEntryId: string; question: string }[];
  /** What the contact reads. */
  says: string | null;
  /** Why it hands over, in a sentence. */
  reason: string | null;
  /** The procedure that the conversation is in, or was until this turn. */
  procedureId: string | null;
  /** The tools that it calls. */
  tools: string[];
}

/** A contact who writes. */
export interface Contact {
  channelType: string;
  subject: string | null;
  /** Null: as they write. */
  language: string | null;
  level: AssuranceLevel;
}

const RUN = { instructionsVersion: 1, attempts: 1, died: 0, overdue: false };
/** A turn may take so long. It takes some hundredths of a second. */
const TURN_MS = 10_000;

/**
 * A conversation that nobody has. The assistant thinks about each turn as it does about any message, and what it would do is
 * remembered here instead of being done.
 */
export class Play {
  private readonly conversationId = uuid();
  private readonly messages: Context["messages"] = [];
  private clarified: Context["clarified"] = null;
  /** Nobody but people says anything more. */
  over = false;

  constructor(
    private readonly caller: SystemCaller,
    private readonly scene: Scene,
    private readonly contact: Contact,
    private readonly assistant: AssistantService,
    private readonly store: PlayedStore,
  ) {}

  /** @param bodies what the contact writes before they get a reply */
  async say(bodies: readonly string[]): Promise<PlayedTurn> {
    const { agent } = this.scene;
    for (const body of bodies) this.add("inbound", "contact", body);
    const sequence = this.messages.length;
    const { conversationId } = this;
    const run: Begun = { ...RUN, id: uuid(), conversationId, sequence, agentId: agent.id, agentName: agent.name };
    const context = this.context();
    this.store.begin();
    try {
      const thought = await this.assistant.think(this.caller, run, context, Date.now() + TURN_MS);
      return this.carryOut(run, context, thought);
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      this.over = true;
      return this.turn({ outcome: "called_tool" });
    }
  }

  private context(): Context {
    const { workspaceId, primaryLanguage, thresholds, procedures } = this.scene;
    const { channelType, subject, language } = this.contact;
    const known = { workspaceId, primaryLanguage, thresholds, channelType, subject, language };
    return {
      ...known,
      off: null,
      messages: [...this.messages],
      proofs: [],
      procedures: procedures.length > 0,
      clarified: this.clarified,
    };
  }

  private add(direction: "inbound" | "outbound", authorType: string, body: string): void {
    this.messages.push({ sequence: this.messages.length + 1, direction, authorType, body });
  }

  private carryOut(run: Begun, context: Context, thought: Thought): PlayedTurn {
    const { plan, language, found } = thought;
    const questions = new Map([
      ...this.scene.said.map(({ id, question }) => [id, question] as const),
      ...found.map(({ kbEntryId, question }) => [kbEntryId, question] as const),
    ]);
    const entriesOf = (ids: readonly string[]): PlayedTurn["entries"] =>
      ids.map((kbEntryId) => ({ kbEntryId, question: questions.get(kbEntryId) ?? "" }));
    if (thought.procedure && plan.action !== "discard") this.store.save(thought.procedure);
    switch (plan.action) {
      case "answer":
        this.clarified = null;
        return this.reply(run, context, language, plan, {
          outcome: "answered",
          entries: entriesOf(plan.citations.map(({ kbEntryId }) => kbEntryId)),
        });
      case "proceed":
        if (!plan.asks) this.clarified = null;
        return this.reply(run, context, language, plan, {
          outcome: plan.asks ? "clarified" : "answered",
          entries: entriesOf(plan.entryIds),
        });
      case "clarify":
        this.clarified = { sequence: run.sequence, options: plan.options, again: this.clarified !== null };
        return this.reply(run, context, language, plan, { outcome: "clarified", entries: plan.options });
      case "converse":
        return this.reply(run, context, language, plan, { outcome: "small_talk" });
      case "hand_off": {
        this.over = true;
        const told = handOverText(plan.why, this.told(), language, context.primaryLanguage);
        const says = plan.said ? `${plan.said.body}\n\n${told}` : told;
        return this.turn({
          outcome: "handed_off",
          says: isTold(context.channelType, plan.said) ? says : null,
          reason: plan.reason ?? ATTENTION[plan.why].reason,
        });
      }
      case "wait":
        this.over = true;
        return this.turn({
          outcome: plan.for === "verification" ? "asked_for_proof" : "asked_for_approval",
          says: plan.said?.body ?? null,
        });
      case "resolve":
      case "discard":
        return this.turn({ outcome: "discarded" });
    }
  }

  private told(): string[] {
    return this.messages.filter(({ direction }) => direction === "outbound").map(({ body }) => body);
  }

  private reply(
    run: Begun,
    context: Context,
    language: string,
    plan: Saying,
    turn: Partial<PlayedTurn> & Pick<PlayedTurn, "outcome">,
  ): PlayedTurn {
    const says = marked(plan, run, context, language);
    this.add("outbound", "assistant", says);
    return this.turn({ says, ...turn });
  }

  private turn(turn: Partial<PlayedTurn> & Pick<PlayedTurn, "outcome">): PlayedTurn {
    const { procedureId, called } = this.store;
    return { entries: [], says: null, reason: null, procedureId, tools: [...called], ...turn };
  }
}

/** What is compared: what it does, with which entries, tools and words. */
export const isSame = (one: PlayedTurn, other: PlayedTurn): boolean => keyOf(one) === keyOf(other);
const keyOf = ({ outcome, entries, says, procedureId, tools }: PlayedTurn): string =>
  JSON.stringify([outcome, entries.map(({ kbEntryId }) => kbEntryId), says, procedureId, tools]);
