import type { CitationDto } from "../../conversations/messages.dto.js";
import type { FoundKnowledge } from "../tools/built-in.service.js";
import type { Source } from "./grounding.js";
import { publicIn } from "./public-fields.js";
import { type Quote, quotesOf } from "./quotes.js";

/** An entry as a model is shown it. */
export interface ShownEntry {
  /** E1, E2 … */
  id: string;
  question: string;
  answer: string;
}

/** What a run has retrieved so far, each under a short id that the model cites. */
export class Sources {
  private readonly entries = new Map<string, FoundKnowledge>();
  /** What the contact may read of each answer of a tool. */
  private readonly answers = new Map<string, { text: string; does: string }>();
  private readonly quotes: Quote[] = [];

  /** @returns the entries that are new, as the model reads them */
  addEntries(found: readonly FoundKnowledge[]): ShownEntry[] {
    const known = new Set([...this.entries.values()].map(({ kbEntryId }) => kbEntryId));
    return found
      .filter(({ kbEntryId }) => !known.has(kbEntryId))
      .map((entry) => {
        const id = `E${this.entries.size + 1}`;
        this.entries.set(id, entry);
        this.quotes.push(...quotesOf(id, entry.answer));
        return { id, question: entry.question, answer: entry.answer };
      });
  }

  /** @param publicFields of the tool @param does what it is for, in its definition's words @returns the id of the answer */
  addAnswer(value: unknown, publicFields: readonly string[] = [], does = ""): string {
    const id = `T${this.answers.size + 1}`;
    const text = publicIn(value, publicFields).join("\n");
    this.answers.set(id, { text, does });
    this.quotes.push(...quotesOf(id, text));
    return id;
  }

  /** The sentences that may be quoted, of one source or of all. */
  sentences(source?: string): readonly Quote[] {
    return source === undefined ? this.quotes : this.quotes.filter((quote) => quote.source === source);
  }

  /** What an id means: a sentence, or all of a source. Undefined if there is no such thing. */
  quoted(id: string): readonly Quote[] | undefined {
    const one = this.quotes.find((quote) => quote.id === id.trim().toUpperCase());
    if (one) return [one];
    const all = this.sentences(this.idOf(id.trim()));
    return all.length ? all : undefined;
  }

  /** Where a sentence stands word for word. */
  verbatim(sentence: string): Quote | undefined {
    const said = plain(sentence);
    return said ? this.quotes.find(({ text }) => plain(text) === said) : undefined;
  }

  /** Those that the model cites. It may also use the id of an entry itself. What is not there is left out. */
  cited(citations: readonly string[]): Source[] {
    const ids = new Set(citations.map((citation) => this.idOf(citation.trim())));
    return this.all().filter(({ id }) => ids.has(id));
  }

  /** @returns the entries among these sources, for the message */
  citationsOf(ids: readonly string[]): CitationDto[] {
    return ids.flatMap((id) => {
      const entry = this.entries.get(id);
      return entry ? [{ kbEntryId: entry.kbEntryId, score: entry.confidence }] : [];
    });
  }

  entriesOf(ids: readonly string[]): FoundKnowledge[] {
    return ids.flatMap((id) => this.entries.get(id) ?? []);
  }

  all(): Source[] {
    return [
      ...[...this.entries].map(([id, { question, answer }]) => ({ id, question, text: answer })),
      ...[...this.answers].map(([id, { text, does }]) => ({ id, question: does, text })),
    ];
  }

  /** What those with such an id say, as one text. */
  text(): string {
    return this.texts(/^/).join("\n");
  }

  /** The same, each for itself. */
  texts(ids: RegExp): string[] {
    return this.all()
      .filter(({ id }) => ids.test(id))
      .map(({ question = "", text }) => `${question}\n${text}`);
  }

  private idOf(citation: string): string {
    const short = citation.toUpperCase();
    if (this.entries.has(short) || this.answers.has(short)) return short;
    return [...this.entries].find(([, { kbEntryId }]) => kbEntryId === citation.toLowerCase())?.[0] ?? citation;
  }
}

/** Letters and digits alone, and one space between words. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(" ") ?? "";
