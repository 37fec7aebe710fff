import type { UnsupportedSentences, Wording } from "../../knowledge/agents/agent.entity.js";
import { clarification } from "../clarification.js";
import { linksIn, withoutLinks, withoutOtherLinks } from "../context/links.js";
import { ownWordsOf } from "../context/question.js";
import type { ModelTask } from "../language-model.js";
import type { KbHit, Plan } from "../plan.js";
import { escapeMarkdown } from "../../platform/markdown/escape.js";
import { canonical, type Schema } from "../tools/argument-schema.js";
import { type BuiltIn, isBuiltIn } from "../tools/built-in.js";
import type { FoundKnowledge } from "../tools/built-in.service.js";
import { failureOf, type MadeCall, type OfferedTool, type ToolOutcome, type ToolRequest } from "../tools/tool-calls.js";
import { asksOnlyAbout, ground } from "./grounding.js";
import type { Completion, ModelMessage } from "./model-server.js";
import { inSentences, promptOf, shortened, textsOf } from "./prompt.js";
import { CLAIMING, FIRST, LAST, type Phrase, phraseOf, phrasesIn } from "./connecting-phrases.js";
import { composed, type Quote, withContext } from "./quotes.js";
import { type Call, InvalidReply, type Reply, RESPOND } from "./reply.js";
import { sentencesOf } from "./sentences.js";
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
  wording: Wording;
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
  /** Whether a tool of the tenant has changed something since the last resolution, as far as the model knows. */
  private hasDone = false;
  private readonly tools: Map<string, OfferedTool>;
  /** How often each call was asked for, by tool and arguments. */
  private readonly equal = new Map<string, number>();
  private readonly refused: string[] = [];
  private calls = 0;
  /** What the contact and colleagues wrote. */
  private readonly written: readonly string[];

  constructor(
    private readonly task: Pick<ModelTask, "context" | "language" | "answered">,
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
        return { ...call, ...this.answered(call.tool, call.outcome) };
      });
    // Not what they quote or forward: that is what others wrote.
    const written = context.messages
      .filter(({ authorType }) => authorType === "contact" || authorType === "member")
      .map((message) => ownWordsOf(context, message));
    this.written = [...written, instructions];
    const quotes = given.wording === "quotes" ? this.sources : undefined;
    this.messages = promptOf({ context, instructions, language, entries, calls, quotes });
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
        this.tell(call, this.answerOf(call.request.tool, outcome));
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

  private answerOf(tool: string, outcome: Extract<ToolOutcome, { kind: "result" }>): object {
    const { value } = outcome;
    if (tool === SEARCH) {
      const { language, context } = this.task;
      const spoken = [language, context.primaryLanguage];
      const { entries } = value as { entries: FoundKnowledge[] };
      const added = this.sources.addEntries(entries.filter((entry) => spoken.includes(entry.language)));
      return {
        entries: this.given.wording === "quotes" ? added.map((entry) => inSentences(entry, this.sources)) : added,
      };
    }
    return { ...this.answered(tool, outcome), answer: shortened(value) };
  }

  /** An answer of a tool becomes a source: what its definition makes public. */
  private answered(tool: string, outcome: Extract<ToolOutcome, { kind: "result" }>): { id: string; public?: object } {
    const own = isBuiltIn(tool) ? undefined : this.tools.get(tool);
    this.hasToolAnswer ||= !isBuiltIn(tool);
    this.hasDone ||= own?.effect === "write" && failureOf(outcome) === null;
    const does = own && `${own.name} ${own.description}`;
    const id = this.sources.addAnswer(outcome.value, own?.publicFields, does);
    return { id, ...(this.given.wording === "quotes" && { public: textsOf(this.sources.sentences(id)) }) };
  }

  /** The model is told once that something is refused. If it asks again, people take over. */
  private refuse(request: ToolRequest, reason: string): Exclude<Admission, { action: "go" }> {
    const key = keyOf(request);
    if (this.refused.includes(key) || this.refused.length === MAX_REFUSED)
      return { action: "end", plan: { action: "hand_off", why: "passedOn", reason: `${named(request)}: ${reason}` } };
    this.refused.push(key);
    return { action: "tell", reason };
  }

  /** @throws InvalidReply: it quotes what is not there, or nothing */
  check(reply: Reply): void {
    if (this.given.wording !== "quotes" || reply.action === "call") return;
    if (reply.action === "answer") this.partsOf(reply);
    if (reply.action === "clarify" && !this.optionsOf(reply))
      throw new InvalidReply(`say must be two entries: ["E1", "E2"]`);
  }

  /** What is done about the model's reply, after all that does not rest on a source is taken out of it. */
  settle(reply: Exclude<Reply, { action: "call" }>): Plan {
    const { answerConfidence } = this.task.context.thresholds;
    if (reply.action === "resolve" && this.task.answered) return { action: "resolve" };
    if (reply.action === "hand_off" || reply.action === "resolve") return { action: "hand_off", why: "passedOn" };
    const quotes = this.given.wording === "quotes";
    if (reply.action === "clarify") return quotes ? this.askWhich(reply) : this.clarify(reply);
    if (reply.confidence < answerConfidence) return { action: "hand_off", why: "unsure" };
    if (quotes) return this.quote(reply);
    const { text, sources, cut } = ground(reply.text, this.sources.cited(reply.citations), this.sources.all());
    if (!text || (cut && this.given.unsupportedSentences === "hand_off"))
      return { action: "hand_off", why: "unfounded" };
    const citations = this.sources.citationsOf(sources);
    return { action: "answer", body: text, citations, confidence: reply.confidence, cutSentences: cut };
  }

  private quote(reply: Exclude<Reply, { action: "call" }>): Plan {
    const parts = this.partsOf(reply);
    const ids = new Set(parts.flatMap((part) => (typeof part === "string" ? [] : [part.source])));
    const entries = this.sources.entriesOf([...ids]);
    const phrases = phrasesIn(...entries.map(({ language }) => language), this.task.language);
    const body = composed(parts.map((part) => (typeof part === "string" ? phrases[part] : inMarkdown(part))));
    return { action: "answer", body, citations: this.sources.citationsOf([...ids]), confidence: reply.confidence };
  }

  /** What the contact reads: what was chosen, with the sentences that it cannot go without. @throws InvalidReply */
  private partsOf({ say, text }: Exclude<Reply, { action: "call" }>): (Quote | Phrase)[] {
    const phrases = say.flatMap((id) => phraseOf(id) ?? []);
    if (phrases.includes(CLAIMING) && !this.hasDone) throw new InvalidReply("P.done: no tool has changed anything");
    /** What is said before "also", and what after it. */
    const groups: Quote[][] = [[]];
    const found = say.length ? say : this.verbatimIn(text);
    for (const id of found) {
      if (id === "P.also") groups.push([]);
      if (phraseOf(id)) continue;
      const quotes = this.sources.quoted(id);
      if (!quotes) throw new InvalidReply(`say: there is no ${id.slice(0, 20)}`);
      groups.at(-1)!.push(...quotes);
    }
    const all = this.sources.sentences();
    const said = groups.map((group) => withContext(group, all)).filter((group) => group.length);
    if (!said.length && !phrases.includes(CLAIMING))
      throw new InvalidReply("say must name at least one sentence, such as E1.1");
    const known = new Set<Quote>();
    const quoted = said.flatMap((group, n) => {
      const fresh = group.filter((quote) => !known.has(quote));
      for (const quote of fresh) known.add(quote);
      return [...(n > 0 && fresh.length ? (["also"] as const) : []), ...fresh];
    });
    const of = (list: readonly Phrase[]): Phrase[] => [...new Set(phrases.filter((phrase) => list.includes(phrase)))];
    return [...of(FIRST), ...of([CLAIMING]), ...quoted, ...of(LAST)];
  }

  /** The ids of the sentences of a text that stands in the sources word for word. @throws InvalidReply: it does not */
  private verbatimIn(text: string): string[] {
    return text
      .split("\n")
      .flatMap(sentencesOf)
      .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
      .map((sentence) => {
        const quote = this.sources.verbatim(sentence);
        if (!quote)
          throw new InvalidReply("say must be ids of sentences and phrases: you cannot write words of your own");
        return quote.id;
      });
  }

  private askWhich(reply: Exclude<Reply, { action: "call" }>): Plan {
    if (this.task.context.clarified) return { action: "hand_off", why: "unsure" };
    const [first, second] = this.optionsOf(reply)!;
    return clarification(first!, second);
  }

  /** The two entries that are asked about, if there are two. */
  private optionsOf({ say, citations }: Exclude<Reply, { action: "call" }>): FoundKnowledge[] | undefined {
    const ids = [...say, ...citations].map((id) => id.split(".", 1)[0]!);
    const entries = this.sources.entriesOf(this.sources.cited(ids).map(({ id }) => id));
    return entries.length === 2 ? entries : undefined;
  }

  private clarify({ text, citations }: Exclude<Reply, { action: "call" }>): Plan {
    const { context } = this.task;
    if (context.clarified) return { action: "hand_off", why: "unsure" };
    const spoken = context.messages.map((message) => ownWordsOf(context, message));
    const tools = this.given.offered.map(({ bound: _, publicFields: __, ...tool }) => JSON.stringify(tool));
    const known = [...spoken, ...tools, this.sources.text()].join("\n");
    if (asksOnlyAbout(text, known)) return { action: "clarify", body: text.trim(), options: [] };
    const [first, second] = this.sources.entriesOf(this.sources.cited(citations).map(({ id }) => id));
    if (!first || !second) return { action: "hand_off", why: "unfounded" };
    return clarification(first, second);
  }
}

/** What a tool of the tenant answered is text: it must not become a link with another name. */
const inMarkdown = (quote: Quote): Quote =>
  quote.source.startsWith("T") ? { ...quote, text: escapeMarkdown(quote.text) } : quote;

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
