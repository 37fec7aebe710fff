import type { UnsupportedSentences } from "../../knowledge/agents/agent.entity.js";
import { clarification } from "../clarification.js";
import { linksIn, withoutLinks, withoutOtherLinks } from "../context/links.js";
import { ownWordsOf } from "../context/question.js";
import type { ModelTask } from "../language-model.js";
import type { KbHit, Plan } from "../plan.js";
import { canonical, type Schema } from "../tools/argument-schema.js";
import { type BuiltIn, isBuiltIn } from "../tools/built-in.js";
import type { FoundKnowledge } from "../tools/built-in.service.js";
import type { MadeCall, OfferedTool, ToolOutcome, ToolRequest } from "../tools/tool-calls.js";
import { asksOnlyAbout, ground } from "./grounding.js";
import type { Completion, ModelMessage } from "./model-server.js";
import { promptOf, shortened } from "./prompt.js";
import { type Call, type InvalidReply, type Reply, RESPOND } from "./reply.js";
import { Sources } from "./sources.js";
import { TrustedText } from "./taint.js";

const MAX_CALLS = 8;
const MAX_EQUAL_CALLS = 3;
const MAX_REFUSED = 3;

interface Given {
  offered: readonly OfferedTool[];
  instructions: string;
  hits: readonly KbHit[];
  made: readonly MadeCall[];
  unsupportedSentences: UnsupportedSentences;
}
type Admission =
  | { action: "go"; request: ToolRequest; tainted: boolean }
  | { action: "tell"; reason: string }
  | { action: "end"; plan: Plan };

/** What was said to the model and by it in one run, and what follows from it. It writes nothing. */
export class ModelConversation {
  readonly messages: ModelMessage[];
  private readonly sources = new Sources();
  /** Whether the model knows what a tool of the tenant has answered, which others may have written. */
  private hasToolAnswer = false;
  private readonly tools: Map<string, OfferedTool>;
  /** How often each call was asked for, by tool and arguments. */
  private readonly equal = new Map<string, number>();
  private readonly refused: string[] = [];
  private calls = 0;
  /** What the contact and colleagues wrote. */
  private readonly written: readonly string[];

  constructor(
    private readonly task: ModelTask,
    private readonly given: Given,
  ) {
    const { context, language } = task;
    const { offered, instructions, hits, made } = given;
    this.tools = new Map(offered.map((tool) => [tool.name, tool]));
    const entries = this.sources.addEntries(hits.map(knowledgeOf));
    // What was searched before is found again where it matters.
    const calls = made
      .filter(({ tool }) => tool !== SEARCH)
      .map((call) => {
        if (call.outcome.kind !== "result") return call;
        this.hasToolAnswer ||= !isBuiltIn(call.tool);
        return { ...call, id: this.sources.addAnswer(call.outcome.value) };
      });
    // Not what they quote or forward: that is what others wrote.
    const written = context.messages
      .filter(({ authorType }) => authorType === "contact" || authorType === "member")
      .map((message) => ownWordsOf(context, message));
    this.written = [...written, instructions];
    this.messages = promptOf({ context, instructions, language, entries, calls });
  }

  /** Repeats what the model asked for: the protocol wants it before the answers. */
  begin({ content, calls }: Completion): void {
    const asked = calls.map(({ id, name, arguments: text }) => ({
      id,
      type: "function",
      function: { name, arguments: text },
    }));
    this.messages.push({ role: "assistant", content, ...(asked.length && { tool_calls: asked }) });
    for (const { id, name } of calls)
      if (name === RESPOND.name && calls.length > 1)
        this.tell({ id }, { ignored: "Respond once you have read the answers of the tools" });
  }

  /** Tells the model why its output cannot be used. */
  explain(completion: Completion, { message }: InvalidReply): void {
    const { calls } = completion;
    const refusal = { invalid: message };
    if (!calls.length) {
      this.begin(completion);
      this.tell({ id: "" }, refusal);
      return;
    }
    this.begin({ ...completion, calls });
    for (const { id, name } of calls) if (name !== RESPOND.name || calls.length === 1) this.tell({ id }, refusal);
  }

  tell({ id }: Pick<Call, "id">, value: object): void {
    const content = JSON.stringify(value);
    this.messages.push(id ? { role: "tool", tool_call_id: id, content } : { role: "user", content });
  }

  /** Whether the call is put to `ToolCalls`, which decides about it. */
  admit({ request }: Call): Admission {
    const key = keyOf(request);
    const times = (this.equal.get(key) ?? 0) + 1;
    this.equal.set(key, times);
    const loops = {
      action: "hand_off",
      why: "failed",
      reason: `The language model calls ${named(request)} again and again`,
    } as const;
    if (times > MAX_EQUAL_CALLS || ++this.calls > MAX_CALLS) return { action: "end", plan: loops };
    const tool = this.tools.get(request.tool);
    if (!tool) return this.refuse(request, "There is no such tool");
    const tainted = this.hasToolAnswer && !this.isFounded(request, tool);
    return { action: "go", request: this.withoutLinks(request), tainted };
  }

  /** What colleagues read of it has no other links than what the contact reads: those in entries. */
  private withoutLinks(request: ToolRequest): ToolRequest {
    const name = isBuiltIn(request.tool) ? FOR_STAFF[request.tool] : undefined;
    const { [name ?? ""]: text } = (request.arguments ?? {}) as Record<string, unknown>;
    if (name === undefined || typeof text !== "string") return request;
    const allowed = new Set(this.sources.texts(/^E/).flatMap((entry) => [...linksIn(entry)]));
    return { ...request, arguments: { ...(request.arguments as object), [name]: withoutOtherLinks(text, allowed) } };
  }

  /** Whether all that the call says comes from people, entries, the schema or the server. */
  private isFounded({ arguments: args }: ToolRequest, { parameters, bound = [] }: OfferedTool): boolean {
    const given = Object.entries(args ?? {}).filter(([name]) => !bound.includes(name));
    const trusted = new TrustedText([...this.written, ...this.sources.texts(/^E/)]);
    return trusted.supports(Object.fromEntries(given), parameters as Schema);
  }

  /** Tells the model what came of a call. @returns how the run ends, if it does */
  learn(call: Call, outcome: ToolOutcome): Plan | undefined {
    switch (outcome.kind) {
      case "result":
        this.tell(call, this.answerOf(call.request.tool, outcome.value));
        return undefined;
      case "refused": {
        const refused = this.refuse(call.request, outcome.reason);
        if (refused.action === "end") return refused.plan;
        this.tell(call, { refused: outcome.reason });
        return undefined;
      }
      case "waits":
        return { action: "wait", for: outcome.for };
      case "escalated":
        return { action: "hand_off", why: "passedOn", reason: outcome.reason };
    }
  }

  private answerOf(tool: string, value: unknown): object {
    if (tool === SEARCH) {
      const { language, context } = this.task;
      const spoken = [language, context.primaryLanguage];
      const { entries } = value as { entries: FoundKnowledge[] };
      return { entries: this.sources.addEntries(entries.filter((entry) => spoken.includes(entry.language))) };
    }
    this.hasToolAnswer ||= !isBuiltIn(tool);
    return { id: this.sources.addAnswer(value), answer: shortened(value) };
  }

  /** The model is told once that something is refused. If it asks again, people take over. */
  private refuse(request: ToolRequest, reason: string): Exclude<Admission, { action: "go" }> {
    const key = keyOf(request);
    if (this.refused.includes(key) || this.refused.length === MAX_REFUSED)
      return { action: "end", plan: { action: "hand_off", why: "passedOn", reason: `${named(request)}: ${reason}` } };
    this.refused.push(key);
    return { action: "tell", reason };
  }

  /** What is done about the model's reply, after all that does not rest on a source is taken out of it. */
  settle(reply: Exclude<Reply, { action: "call" }>): Plan {
    const { answerConfidence } = this.task.context.thresholds;
    if (reply.action === "resolve" && this.task.answered) return { action: "resolve" };
    if (reply.action === "hand_off" || reply.action === "resolve") return { action: "hand_off", why: "passedOn" };
    if (reply.action === "clarify") return this.clarify(reply);
    if (reply.confidence < answerConfidence) return { action: "hand_off", why: "unsure" };
    const { text, sources, cut } = ground(reply.text, this.sources.cited(reply.citations));
    if (!text || (cut && this.given.unsupportedSentences === "hand_off"))
      return { action: "hand_off", why: "unfounded" };
    const citations = this.sources.citationsOf(sources);
    return { action: "answer", body: text, citations, confidence: reply.confidence, cutSentences: cut };
  }

  private clarify({ text, citations }: Exclude<Reply, { action: "call" }>): Plan {
    const { context } = this.task;
    if (context.clarified) return { action: "hand_off", why: "unsure" };
    const spoken = context.messages.map((message) => ownWordsOf(context, message));
    const tools = this.given.offered.map(({ bound: _, ...tool }) => JSON.stringify(tool));
    const known = [...spoken, ...tools, this.sources.text()].join("\n");
    if (asksOnlyAbout(text, known)) return { action: "clarify", body: text.trim(), options: [] };
    const [first, second] = this.sources.entriesOf(this.sources.cited(citations).map(({ id }) => id));
    if (!first || !second) return { action: "hand_off", why: "unfounded" };
    return clarification(first, second);
  }
}

/** The tool whose answers are entries, which may be cited. Its answers are the workspace's own words. */
const SEARCH = "search_knowledge" satisfies BuiltIn;

/** What people read, by the tool that writes it. */
const FOR_STAFF: Partial<Record<BuiltIn, string>> = { add_note: "body", hand_off: "reason", propose_booking: "title" };

const knowledgeOf = ({ entry: { id: kbEntryId, question, answer, language }, confidence }: KbHit): FoundKnowledge => ({
  kbEntryId,
  question,
  answer,
  language,
  confidence,
});

const named = ({ tool }: ToolRequest): string => withoutLinks(tool.slice(0, 100));
const keyOf = ({ tool, arguments: args }: ToolRequest): string => `${tool} ${canonical(args)}`;
