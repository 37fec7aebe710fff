import { linksIn, visible, withoutLinks, withoutOtherLinks } from "../context/links.js";
import {
  type Clause,
  codesIn,
  figuresIn,
  isOpposed,
  lettersOf,
  monthsIn,
  type Sentence,
  sentenceOf,
  wordsIn,
} from "./claim.js";
import { meaningOf } from "./lexicon.js";
import { greetingIn, pleasantry } from "./pleasantries.js";
import { ITEM } from "./quotes.js";
import { sentencesOf } from "./sentences.js";

/** Something that the run retrieved, and that a text may rest on. */
export interface Source {
  /** E1, E2 … are entries, T1, T2 … answers of tools. */
  id: string;
  /** What the text of an entry answers, or what a tool does. It says nothing by itself. */
  question?: string;
  text: string;
}
export interface Grounded {
  /** What is left. Empty if nothing rests on a source. */
  text: string;
  /** The ids of the sources that it rests on. */
  sources: string[];
  /** How many sentences were cut. */
  cut: number;
}

/**
 * So many words of a text are looked up in single sentences of its sources, for each sentence all its words. Real answers need a
 * hundredth of it. Past it a sentence rests on nothing: each of thousands would be compared with thousands.
 */
const MAX_LOOKUPS = 1_000_000;
/** A sentence that is longer says too much to be compared. In characters. */
const MAX_SENTENCE = 1_000;
/** So many of the words of a condition must be kept. */
const SHARE_OF_CONDITION = 0.5;
/** So many unknown words may stand beside each known one: most are the same in other words. What is known to be something else may not. */
const SHARE_OF_NEWS = 0.34;
/** So many of the words of what is denied. */
const SHARE_OF_DENIED = 0.6;
/** So many of the words that only one part of a sentence has, if the rest comes from the part before it. */
const SHARE_OF_PART = 0.5;
/** So many of a question's words must be known. */
const SHARE_OF_QUESTION = 0.5;

/** What a model writes to name a source in its text. */
const MARKERS =
  /[ \t]?(?:[[【](?:source:? ?)?[ET]?\d{1,2}(?:[,;] ?[ET]?\d{1,2})*[\]】]|\([ET]\d{1,2}(?:[,;] ?[ET]\d{1,2})*\))/giu;

/**
 * What of the text rests on the sources: each sentence must say what one of theirs says. What a sentence says is compared part by
 * part with one part of one sentence: its words or others of the same meaning, figures, names, whether it denies, on which condition
 * it holds, for how many and how much. Courtesy claims nothing, and stays. It is no proof: see `docs/assistant.md` for what passes.
 * @param cited the model names them. What stands in another source word for word finds it there
 */
export function ground(text: string, cited: readonly Source[], all: readonly Source[] = cited): Grounded {
  const allowed = new Set(cited.flatMap((source) => (isEntry(source) ? [...linksIn(source.text)] : [])));
  const prepared = cited.map((source) => ({ ...prepare(source), id: source.id }));
  const verbatim = new Map(
    all.flatMap(({ id, text: said }) =>
      said
        .split("\n")
        .flatMap(sentencesOf)
        .map((one) => [lettersOf(one), id] as const),
    ),
  );
  const used = new Set<string>();
  const lookups = { left: MAX_LOOKUPS };
  let [cut, courteous] = [0, true];
  const kept = (sentence: string): string => {
    if (!sentence.trim()) return "";
    const polite = pleasantry(sentence);
    if (polite !== undefined) return polite;
    const { greeting, rest } = greetingIn(sentence);
    // Without its link it would be half a sentence.
    const links = [...linksIn(rest)].filter((link) => !allowed.has(link));
    const quoted = links.length ? undefined : verbatim.get(lettersOf(rest));
    const rests = (one: Prepared): boolean =>
      supports(one, rest, lookups) && afterStops(rest).every((part) => supports(one, part, lookups));
    const source = links.length ? undefined : (quoted ?? prepared.find(rests)?.id);
    if (source === undefined) {
      cut++;
      return "";
    }
    used.add(source);
    courteous = false;
    return greeting + (greeting ? rest : sentence);
  };
  const lines = visible(text)
    .replace(MARKERS, "")
    .split("\n")
    .map((line) => {
      const [mark = ""] = ITEM.exec(line) ?? [];
      const said = sentencesOf(withoutMarkdown(line.slice(mark.length), allowed))
        .map(kept)
        .join("")
        .trim();
      return said && mark + said;
    });
  const left = courteous
    ? ""
    : lines
        .join("\n")
        .replace(/\n{3,}/g, "\n\n")
        .trim();
  return { text: left, sources: [...used], cut };
}

/**
 * The parts of a sentence between full stops that may belong to abbreviations, if it has any: "It is nothing else. secret" is
 * one sentence for ICU. What claims nothing is left out.
 */
function afterStops(sentence: string): string[] {
  const parts = sentence.split(/(?<=\p{L}[.!?]\s{1,9})(?=\p{Ll})/u);
  if (parts.length === 1) return [];
  return parts.filter((part) => {
    const { words, figures } = sentenceOf(part.trim()).whole;
    return words.size > 0 || figures.length > 0;
  });
}

/** A Markdown link is its text, and its address where that is allowed. */
const withoutMarkdown = (text: string, allowed: ReadonlySet<string>): string =>
  text.replace(/!?\[[^\]\n]{0,500}\]\([^()\n]{0,2000}\)/g, (link) => withoutOtherLinks(link, allowed));

/** Whether the text is a question that only names what is in the sources, with the contact's words. */
export function asksOnlyAbout(text: string, known: string): boolean {
  const plain = visible(text).trim();
  if (!/[?？؟]$/u.test(plain) || withoutLinks(plain) !== plain) return false;
  const words = [...wordsIn(plain)];
  const there = wordsIn(known);
  const figures = new Set(figuresIn(known));
  const share = words.length ? words.filter((word) => there.has(word)).length / words.length : 1;
  return figuresIn(plain).every((figure) => figures.has(figure)) && share >= SHARE_OF_QUESTION;
}

interface Prepared {
  isEntry: boolean;
  /** What the entry's question takes for granted. It is no support, but no news either. */
  topic: ReadonlySet<string>;
  /** Its letters and digits, with nothing between them. */
  letters: string;
  sentences: (Sentence & { letters: string })[];
  /** Of an answer of a tool: all of its values together. */
  values: { words: ReadonlySet<string>; figures: ReadonlySet<string>; denies: boolean };
}

const isEntry = ({ id }: Source): boolean => id.startsWith("E");

/** A question that asks for a particular, and so takes the rest for granted. "Why" and questions for yes or no do not. */
const ASKS_WHICH =
  /^[¿\s]*(?:when|where|what|which|who|how|wann|wo|wohin|was|welche\p{L}*|wer|wie|quand|où|quel\p{L}*|qui|comment|combien|cuándo|dónde|qué|cuál\p{L}*|quién|cómo|cuánt\p{L}*|quando|dove|cosa|qual\p{L}*|chi|come|quant\p{L}*|wanneer|waar|wat|hoe|onde|quem|como)(?!\p{L})/iu;

function prepare(source: Source): Prepared {
  const { question = "", text } = source;
  const lines = text.split("\n").flatMap((line) => sentencesOf(line));
  const said = lines
    .filter((line) => line.trim())
    .map((line) => ({ ...sentenceOf(line.trim()), letters: lettersOf(line) }));
  const takesForGranted = !isEntry(source) || ASKS_WHICH.test(question);
  return {
    isEntry: isEntry(source),
    topic: takesForGranted ? wordsIn(question) : new Set(),
    letters: lettersOf(text),
    sentences: said,
    values: {
      words: wordsIn(text),
      figures: new Set(figuresIn(text)),
      denies: said.some(({ whole }) => whole.denies),
    },
  };
}

function supports(source: Prepared, text: string, lookups: { left: number }): boolean {
  if (text.length > MAX_SENTENCE) return false;
  // A long sentence could carry a key or a number of somebody else.
  if (!codesIn(text).every((code) => source.letters.includes(code))) return false;
  const sentence = sentenceOf(text.trim());
  const { words, figures } = sentence.whole;
  if (!words.size && !figures.length) return false;
  lookups.left -= (words.size + 1) * source.sentences.length;
  if (lookups.left < 0) return false;
  const rests = (clause: Clause): boolean => source.sentences.some((_, n) => says(source, n, clause));
  if (rests(sentence.whole)) return true;
  const claiming = sentence.clauses.filter((clause) => clause.words.size || clause.figures.length);
  if (sentence.clauses.length > 1 && claiming.every(rests)) return true;
  return !source.isEntry && hasValues(source, sentence.whole, text);
}

/** Whether the sentence there says what the clause says. */
function says({ sentences, topic }: Prepared, n: number, clause: Clause): boolean {
  const { clauses, whole, goesOn, letters } = sentences[n]!;
  const before = goesOn && n > 0 ? sentences[n - 1]! : undefined;
  const excused = before ? new Set([...topic, ...before.whole.words]) : topic;
  const named = letters + (before?.letters ?? "");
  if (!clause.names.every((name) => named.includes(lettersOf(name)))) return false;
  if (clauses.length === 1) return isSaid(clause, whole, whole.words, excused);
  // Together, if no figure and no denial can get to the wrong part.
  const isOne = new Set(clauses.map(({ denies }) => denies)).size === 1;
  if (isOne && hasAllIn(clause.figures, whole.figures) && isSaid(clause, whole, whole.words, excused)) return true;
  return clauses.some((part, k) => {
    const given = new Set(clauses.slice(0, k).flatMap(({ words }) => [...words]));
    const others = new Set(clauses.flatMap(({ words }, i) => (i === k ? [] : [...words])));
    const own = [...part.words].filter((word) => !others.has(word) && !UNITS.has(word));
    const borrows = [...clause.words].some((word) => !part.words.has(word) && given.has(word));
    if (borrows && own.filter((word) => clause.words.has(word)).length < own.length * SHARE_OF_PART) return false;
    return isSaid(clause, part, new Set([...part.words, ...given]), excused);
  });
}

const UNITS: ReadonlySet<string> = wordsIn(
  "percent euro dollar pound day week month year hour minute item am pm Tag Woche Monat Jahr jour mois an",
);

/** All figures of a sentence in their order, or it has one at most. */
const hasAllIn = (figures: readonly string[], all: readonly string[]): boolean =>
  new Set(all).size <= 1 || !figures.length ? true : figures.join(" ") === all.join(" ");

/** @param there the words that the clause may have @param excused no support, but no news either */
function isSaid(said: Clause, source: Clause, there: ReadonlySet<string>, excused: ReadonlySet<string>): boolean {
  if (!said.figures.every((figure) => source.figures.includes(figure))) return false;
  let [supported, news] = [0, 0];
  for (const word of said.words) {
    if (has(there, word)) supported++;
    else if (!has(excused, word) && !(word === NEED && source.must)) news += word.startsWith("=") ? 2 : 1;
    if (isOpposed(word, source.words) && !source.words.has(word)) return false;
  }
  if (!supported && !said.figures.length) return false;
  if (news > Math.floor(supported * SHARE_OF_NEWS)) return false;
  if (isContrary(said, source)) return keepsAmount({ ...said, may: false }, source);
  if (said.denies !== source.denies) return false;
  // What is denied of fewer things is less than what is denied of all of them.
  const words = [...source.words];
  if (said.denies && words.filter((word) => said.words.has(word)).length < words.length * SHARE_OF_DENIED) return false;
  return keepsCondition(said, source) && keepsAmount(said, source);
}

/** "Only while it is pending" is "not once it is not pending". */
const isContrary = ({ condition, denies }: Clause, source: Clause): boolean =>
  condition !== undefined &&
  source.condition?.limits === true &&
  denies !== source.denies &&
  condition.denies !== source.condition.denies &&
  !condition.anyway;
const NEED = meaningOf("need");

/** Compound words are their parts: "Versandkosten". */
function has(there: ReadonlySet<string>, word: string): boolean {
  if (there.has(word)) return true;
  if (word.length < 8 || word.startsWith("=")) return false;
  for (const one of there)
    if (one.length >= 4 && word.startsWith(one)) {
      const rest = word.slice(one.length).replace(/^(?:s|es|n|en)(?=.{3})/u, "");
      if ([...there].some((other) => other.length >= 3 && rest.startsWith(other))) return true;
    }
  return false;
}

/** A condition that is left out, or taken away, makes another claim. */
function keepsCondition(said: Clause, source: Clause): boolean {
  const [own, there] = [said.condition, source.condition];
  if (own?.anyway && !there?.anyway) return false;
  if (!there) return !own?.denies || source.denies;
  const words = [...there.words];
  const kept = words.filter((word) => said.words.has(word)).length;
  if (kept < words.length * SHARE_OF_CONDITION && !(own && words.length === 1)) return false;
  if (there.figures.length && !there.figures.some((figure) => said.figures.includes(figure))) return false;
  return !own || own.denies === there.denies;
}

function keepsAmount(said: Clause, source: Clause): boolean {
  if (said.all && !source.all) return false;
  if (said.only && !source.only && !source.condition) return false;
  if (said.most && !source.most) return false;
  if (said.least && !source.least) return false;
  if (said.must && !source.must && source.may) return false;
  return !(said.may && !said.must && source.must && !source.may && !said.denies);
}

/** Names and values are no sentences: what is said of them has their words and figures, and what the tool does. */
function hasValues({ values, topic }: Prepared, said: Clause, text: string): boolean {
  if (said.all || said.only || said.most || said.least || said.must) return false;
  if (said.denies !== values.denies) return false;
  const months = monthsIn(text);
  if (![...said.figures, ...months].every((figure) => values.figures.has(figure))) return false;
  let known = 0;
  for (const word of said.words) {
    if (has(values.words, word)) known++;
    else if (!topic.has(word) && !MONTH_WORDS.has(word)) return false;
  }
  return known > 0 || said.figures.length > 0;
}
const MONTH_WORDS: ReadonlySet<string> = wordsIn(
  "January February March April June July August September October November December",
);
