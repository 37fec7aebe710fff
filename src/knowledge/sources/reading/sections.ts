import {
  type Heading,
  headingOf,
  isAnswerHeading,
  isQuestion,
  isQuestionHeading,
  namesOthers,
  questionOf,
  withoutAttributes,
} from "./headings.js";

/** What one place of a document answers. */
export interface Section {
  question: string;
  /** Markdown. */
  answer: string;
  /** The headings above it, outermost first, with ` › ` between them. */
  section: string;
}

/** What was read in a document. */
export interface ReadDocument {
  title: string;
  /** ISO 639-1, if the document says it. */
  language: string | undefined;
  sections: Section[];
  /** Absolute addresses, without what follows `#`. */
  links: string[];
  /** There was more than is read of one document. */
  isCut: boolean;
}

const MAX_SECTIONS = 300;
const MAX_CHARACTERS = 1_000_000;
const MAX_QUESTION = 300;
/** A longer answer is cut between two paragraphs into several. */
const MAX_ANSWER = 6_000;
const MAX_PARTS = 10;
const MAX_PATH = 500;
/** Less says nothing that a question could be about. */
const MIN_WORDS = 5;
/** A list of links is a table of contents. */
const MAX_LINKED = 0.6;
/** Below all headings: a bold question, or one that opens and closes. */
export const QUESTION_LEVEL = 7;

/** `Q:` or, in bold letters, `**Q:**`. */
const marked = (words: string): RegExp => {
  const mark = `(?:${words})\\s?\\d{0,3}\\s?[:.)]`;
  return new RegExp(`^(?:${mark}|\\*\\*${mark}\\*\\*)\\s+(?=\\S)`, "i");
};
const MARKED_QUESTION = marked("Q|F|P|D|Question|Frage|Pregunta|Domanda|Pergunta");
const MARKED_ANSWER = marked("A|R|Answer|Antwort|Réponse|Respuesta|Risposta|Resposta");

/** `Q: Where is it?` is `Where is it?`. */
export const withoutMark = (question: string): string => question.replace(MARKED_QUESTION, "");

/** `2.4.1 (2026-03-01)`: what a release changed is no answer. */
const RELEASE = /^\D{0,40}\d{1,4}\.\d{1,4}(?:\.\d{1,4})?(?!\d).*\b(?:19|20)\d\d\b/;
/** A sentence that says what will be said. */
const INTRODUCES =
  /^(?:learn (?:about|how|what|when|why)\b|in this (?:article|guide|section|page)\b|this (?:article|guide|section|page) (?:cover|describe|discusse|explain|list|outline|show|walk|will)|in diesem (?:artikel|abschnitt)\b|diese[rs]? (?:artikel|abschnitt|seite) (?:beschreib|erklär|zeig)|dans cet(?:te)? (?:article|section|page)\b|cet(?:te)? (?:article|section|page) (?:décri|expliqu|présent)|en (?:este artículo|esta (?:sección|página))\b|este (?:artículo|artigo) (?:descri|explic|mostra|muestra)|neste artigo\b|in quest(?:o articolo|a (?:sezione|pagina))\b|questo articolo (?:descri|illustra|mostra|spieg))[^.!?]*[.!?:]?$/i;
const STEPS_FOLLOW =
  /\b(?:(?:these|following) steps|folgenden schritte|étapes suivantes|siguientes pasos|seguintes passos|seguenti passaggi)\b/i;
/** The line before a list of what is on the page is no longer. */
const MAX_LEAD = 80;

/** Collects the parts of a document and cuts it into questions and answers. */
export class Cutter {
  readonly sections: Section[] = [];
  isCut = false;
  private title: string;
  private path: Heading[] = [];
  /** What stands below a heading that is called `Question`. */
  private asked: string | undefined;
  private blocks: string[] = [];
  private characters = 0;
  private readonly seen = new Set<string>();
  /** Questions of pairs. A page that says in its data what it asks says it again in its text. */
  private readonly paired = new Set<string>();

  constructor(
    title: string,
    private readonly file?: string,
  ) {
    this.title = bounded(title);
  }

  /** A heading: what follows belongs to it, until the next one of its level or above. */
  heading(level: number, text: string): void {
    this.flush();
    const asked = this.asked;
    this.asked = undefined;
    let name = bounded(withoutAttributes(withoutMark(text)));
    if (!name) return;
    const above = this.path.filter((one) => one.level < level);
    if (isAnswerHeading(name)) name = asked ?? "";
    this.path = name ? [...above, headingOf(level, name, above)] : above;
    if (level === 1 && name) this.title = this.path.at(-1)!.name;
  }

  /** Markdown of one block. */
  block(markdown: string): void {
    const lines = markdown.split("\n");
    if (MARKED_QUESTION.test(markdown)) {
      const at = lines.findIndex((line) => MARKED_ANSWER.test(line));
      const asked = lines.slice(0, at < 0 ? undefined : at).join(" ");
      if (asked.length <= MAX_QUESTION) {
        this.heading(QUESTION_LEVEL, plain(asked));
        if (at >= 0) this.block(lines.slice(at).join("\n"));
        return;
      }
    }
    this.blocks.push(markdown.replace(MARKED_ANSWER, ""));
  }

  /** A list of what is on the page stands here. It is no answer, nor is the line before it. */
  contents(): void {
    const last = this.blocks.at(-1);
    if (last !== undefined && last.length <= MAX_LEAD && last.endsWith(":")) this.blocks.pop();
  }

  /** A question with its answer, which stand by themselves. */
  pair(question: string, blocks: readonly string[]): void {
    this.flush();
    const before = this.path;
    this.heading(QUESTION_LEVEL, question);
    blocks.forEach((block) => this.block(block));
    this.flush();
    this.paired.add(bounded(question));
    this.path = before;
  }

  end(): void {
    this.flush();
  }

  private flush(): void {
    // Code that is longer than an answer may be is left out.
    const blocks = this.blocks.filter((block) => !isCode(block) || block.length <= MAX_ANSWER);
    this.blocks = [];
    const own = this.path.at(-1)?.name ?? "";
    if (isQuestionHeading(own)) {
      const asked = blocks.length === 1 ? plain(blocks[0]!) : "";
      this.asked = isQuestion(asked) ? bounded(asked) : undefined;
      return;
    }
    if (!saysSomething(blocks) || this.path.some(({ text }) => RELEASE.test(text))) return;
    if (leadsOn(blocks) || (namesOthers(own) && blocks.some((block) => block.includes("](")))) return;
    const question = bounded(questionOf(this.path, this.title));
    if (!question || this.paired.has(question)) return;
    const section = [this.file, ...this.path.map(({ text }) => text)]
      .filter(Boolean)
      .join(" › ")
      .slice(0, MAX_PATH)
      .toWellFormed();
    const answers = parts(blocks);
    if (answers.length > MAX_PARTS) this.isCut = true;
    for (const [i, answer] of answers.slice(0, MAX_PARTS).entries())
      this.add(i ? `${question} (${i + 1})` : question, answer, section);
  }

  private add(question: string, answer: string, section: string): void {
    const key = JSON.stringify([question, answer]);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    if (this.sections.length >= MAX_SECTIONS || (this.characters += answer.length) > MAX_CHARACTERS) this.isCut = true;
    else this.sections.push({ question, answer, section });
  }
}

/** In one line, of a length that a question may have, and without what cannot be kept. */
const bounded = (text: string): string => {
  const line = kept(text).replace(/\s+/g, " ").trim();
  return line.length > MAX_QUESTION
    ? `${line
        .slice(0, MAX_QUESTION - 1)
        .toWellFormed()
        .trimEnd()}…`
    : line;
};
/** Nobody who reviews an entry sees these, and a language model reads them. Joiners are letters of some scripts. */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}|[\u{e0100}-\u{e01ef}]|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/gu;
/** PostgreSQL keeps no zero characters and no halves of characters. */
const kept = (text: string): string => Buffer.from(text.replace(UNSEEN, "")).toString();

const plain = (markdown: string): string => markdown.replace(/\\(?=[\\`*[\]<_#>+.)-])|\*\*/g, "");

const LINK = /\[([^[\]]*)\]\([^()]*\)/g;

/** The letters and digits, without the marks of a list. */
const lettersOf = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

const isCode = (block: string): boolean => block.startsWith("```");

/** One line, and what it speaks of is a picture or stands in other sections. */
function leadsOn([first = "", ...others]: readonly string[]): boolean {
  if (others.length || first.includes("\n")) return false;
  return /:[*_]*$/.test(first) || STEPS_FOLLOW.test(first) || INTRODUCES.test(first.replace(LINK, "$1"));
}

function saysSomething(blocks: readonly string[]): boolean {
  const prose = blocks.filter((block) => !isCode(block)).join("\n");
  const read = prose.replace(LINK, "$1");
  const words = read.match(/\p{L}[\p{L}\p{M}\p{N}'’-]*/gu)?.length ?? 0;
  if (words < MIN_WORDS) return false;
  let linked = 0;
  for (const { 1: text } of prose.matchAll(LINK)) linked += lettersOf(text!);
  return linked <= lettersOf(read) * MAX_LINKED;
}

/** Blocks as texts that are not too long. */
function parts(blocks: readonly string[]): string[] {
  const texts: string[] = [];
  let text = "";
  for (const block of blocks.flatMap(pieces)) {
    if (text && text.length + block.length + 2 > MAX_ANSWER) {
      texts.push(text);
      text = "";
    }
    text += (text && "\n\n") + block;
  }
  if (text) texts.push(text);
  return texts.map((one) => kept(one).trim()).filter(Boolean);
}

/** A block that is too long by itself is cut between two lines, or, if it has none, anywhere. */
function pieces(block: string): string[] {
  if (block.length <= MAX_ANSWER) return [block];
  const texts: string[] = [];
  let text = "";
  for (const line of block.split("\n")) {
    for (let at = 0; at === 0 || at < line.length; at += MAX_ANSWER) {
      const piece = line.slice(at, at + MAX_ANSWER);
      if (text.length + piece.length + 1 > MAX_ANSWER) {
        texts.push(text);
        text = "";
      }
      text += (text && "\n") + piece;
    }
  }
  if (text) texts.push(text);
  return texts;
}
