import type { CitationDto } from "../../conversations/messages.dto.js";
import type { FoundKnowledge } from "../tools/built-in.service.js";
import type { Source } from "./grounding.js";
import type { ShownEntry } from "./prompt.js";

/** What a run has retrieved so far, each under a short id that the model cites. */
export class Sources {
  private readonly entries = new Map<string, FoundKnowledge>();
  private readonly answers = new Map<string, string>();

  /** @returns the entries that are new, as the model reads them */
  addEntries(found: readonly FoundKnowledge[]): ShownEntry[] {
    const known = new Set([...this.entries.values()].map(({ kbEntryId }) => kbEntryId));
    return found
      .filter(({ kbEntryId }) => !known.has(kbEntryId))
      .map((entry) => {
        const id = `E${this.entries.size + 1}`;
        this.entries.set(id, entry);
        return { id, question: entry.question, answer: entry.answer };
      });
  }

  /** @returns the id of the answer */
  addAnswer(value: unknown): string {
    const id = `T${this.answers.size + 1}`;
    this.answers.set(id, textOf(value));
    return id;
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
      ...[...this.answers].map(([id, text]) => ({ id, text })),
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

/** The names and values of an answer, a line each. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => (Array.isArray(value) ? textOf(inner) : `${name}: ${textOf(inner)}`))
    .join("\n");
}
