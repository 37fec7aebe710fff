import { DENIAL } from "../../knowledge/review/contradiction.js";
import { sentencesIn } from "../../knowledge/review/sentences.js";
import { wordsOf } from "../../knowledge/review/similarity.js";
import { COMMON_WORDS } from "../context/phrases.js";
import { linksIn, visible, withoutLinks, withoutOtherLinks } from "../context/links.js";

/** Something that the run retrieved, and that a text may rest on. */
export interface Source {
  /** E1, E2 … are entries, T1, T2 … answers of tools. */
  id: string;
  /** What the text of an entry answers. It supports words, but says nothing itself. */
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

/** So many of a sentence's words must be in its source. */
const SHARE = 0.5;
/** Answers of tools are names and values, not sentences: fewer words are the same. */
const SHARE_OF_VALUES = 0.3;

/**
 * So many words of a text are looked up in single sentences of its sources, for each sentence all its words. Real answers need a
 * hundredth of it. Past it a sentence rests on nothing: each of thousands would be compared with thousands.
 */
const MAX_LOOKUPS = 1_000_000;

/** Words that claim nothing. */
const EMPTY = new Set(
  [
    ...COMMON_WORDS,
    ...`also and any are but can could does for from get has have her his its let may more must one our please shall should some tell than that their
    them then there these they this those too was were what when which who why will would you yes your here just about into only
    aber alle auch auf aus bei bin bitte dann dass dem den denn des dich dir doch durch dies diese dieser dieses einem einen einer eines euch
    für gerne hat hier hätte ihm ihn ihnen ihrem ihren ihrer ihres immer man mehr meinem meinen meiner mich mir muss nach können könnte
    noch nur oder schon sehr sein seine sich sind sollte über uns unser vom von vor war warum weil welche wenn werden wird wurde würde zum zur`.split(
      /\s+/,
    ),
  ].flatMap(wordsOf),
);
const NUMBERS = new Map(
  [
    "two three four five six seven eight nine ten eleven twelve",
    "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "deux trois quatre cinq six sept huit neuf dix onze douze",
  ].flatMap((words) => words.split(" ").map((word, n) => [wordsOf(word)[0]!, String(n + 2)] as const)),
);
/** The mark of an item of a list. */
const ITEM = /^\s*(?:[-*•–]|\d{1,3}[.)])\s+/;
/** What a model writes to name a source in its text. */
const MARKERS =
  /[ \t]?(?:[[【](?:source:? ?)?[ET]?\d{1,2}(?:[,;] ?[ET]?\d{1,2})*[\]】]|\([ET]\d{1,2}(?:[,;] ?[ET]\d{1,2})*\))/giu;

/** ICU goes on if a small letter follows, as after an abbreviation. After a longer word, what follows is a sentence of its own. */
const NEXT = /(?<=\p{L}{5}[.!?]\s)(?=\p{Ll})/u;
/** With the spaces after each. A question mark within an address ends nothing. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const line of text.split("\n"))
    for (const [n, segment] of sentencesIn(line)
      .flatMap((one) => one.split(NEXT))
      .entries())
      if (n > 0 && /[.!?][\p{L}\p{N}]$/u.test(sentences.at(-1)!.slice(-1) + segment[0]!))
        sentences.push(sentences.pop()! + segment);
      else sentences.push(segment);
  return sentences;
}

/**
 * What of the text rests on the sources: each sentence must say what one of them says. This compares words, figures and
 * negation, so that it needs nobody's word for it. It is no proof: a sentence made of an entry's own words may still twist it.
 */
export function ground(text: string, sources: readonly Source[]): Grounded {
  const allowed = new Set(sources.flatMap((source) => (isEntry(source) ? [...linksIn(source.text)] : [])));
  const prepared = sources.map((source) => ({ ...prepare(source), id: source.id }));
  const used = new Set<string>();
  const lookups = { left: MAX_LOOKUPS };
  let cut = 0;
  const rests = (sentence: string): boolean => {
    if (!sentence.trim()) return false;
    const source = prepared.find((one) => supports(one, sentence, lookups));
    if (source) used.add(source.id);
    else cut++;
    return source !== undefined;
  };
  const lines = visible(text)
    .replace(MARKERS, "")
    .split("\n")
    .map((line) => {
      const [mark = ""] = ITEM.exec(line) ?? [];
      const sentences = sentencesOf(withoutOtherLinks(line.slice(mark.length), allowed));
      const kept = sentences.filter(rests).join("").trim();
      return kept && mark + kept;
    });
  const left = lines.join("\n").replace(/\n{3,}/g, "\n\n");
  return { text: left.trim(), sources: [...used], cut };
}

/** Whether the text is a question that only names what is in the sources, with the contact's words. */
export function asksOnlyAbout(text: string, known: string): boolean {
  const plain = visible(text).trim();
  if (!/[?？؟]$/u.test(plain) || withoutLinks(plain) !== plain) return false;
  const words = contentOf(plain);
  const there = new Set(contentOf(known));
  const figures = new Set(figuresIn(known));
  return figuresIn(plain).every((figure) => figures.has(figure)) && shareOf(words, there) >= SHARE;
}

interface Prepared {
  isEntry: boolean;
  figures: Set<string>;
  /** Its letters and digits, with nothing between them. */
  letters: string;
  words: Set<string>;
  sentences: { words: Set<string>; denial: Denial }[];
}

const isEntry = ({ id }: Source): boolean => id.startsWith("E");

function prepare(source: Source): Prepared {
  const { question = "", text } = source;
  return {
    isEntry: isEntry(source),
    figures: new Set(figuresIn(text)),
    letters: lettersOf(text),
    words: new Set(contentOf(`${question}\n${text}`)),
    sentences: sentencesOf(text).map((sentence) => ({
      words: new Set(contentOf(sentence)),
      denial: denialIn(sentence),
    })),
  };
}

function supports(
  { isEntry: said, figures, letters, words, sentences }: Prepared,
  sentence: string,
  lookups: { left: number },
): boolean {
  const own = contentOf(sentence);
  const named = figuresIn(sentence);
  if (!named.every((figure) => figures.has(figure))) return false;
  // A long sentence could carry a key or a number of somebody else: half of its words may be others than the source's.
  if (!codesIn(sentence).every((code) => letters.includes(code))) return false;
  if (!own.length) return false;
  if (shareOf(own, words) < (said ? SHARE : SHARE_OF_VALUES)) return false;
  if (!said) return true;
  lookups.left -= own.length * sentences.length;
  if (lookups.left < 0) return false;
  const closest = sentences.reduce<Prepared["sentences"][number] | undefined>(
    (best, one) => (best && shareOf(own, best.words) >= shareOf(own, one.words) ? best : one),
    undefined,
  );
  return closest !== undefined && deniesTheSame(closest.denial, denialIn(sentence));
}

const shareOf = (words: readonly string[], there: ReadonlySet<string>): number =>
  words.length ? words.filter((word) => there.has(word)).length / words.length : 1;

const ALSO_DENIAL = /\b(?:nothing|none|nobody|neither|nor|unable|impossible|nichts|niemand\w*|rien|aucune?)\b/i;
const denies = (text: string): boolean => DENIAL.test(text) || ALSO_DENIAL.test(text);
/** A condition, up to the next comma: "if you do not have them, call us" denies nothing. */
const CONDITION = /\b(?:if|when|in case|wenn|falls|sofern|si|quand)\b[^,;:]*/giu;

interface Denial {
  claim: boolean;
  /** Undefined if it has no condition. */
  condition?: boolean;
}
function denialIn(sentence: string): Denial {
  const plain = sentence.replaceAll("’", "'");
  const conditions = plain.match(CONDITION);
  const claim = denies(plain.replace(CONDITION, ""));
  return conditions ? { claim, condition: denies(conditions.join(" ")) } : { claim };
}

const deniesTheSame = (one: Denial, other: Denial): boolean =>
  one.claim === other.claim &&
  (one.condition === undefined || other.condition === undefined || one.condition === other.condition);

/** Words that claim something, without their endings. `orderId` is two words. */
function contentOf(text: string): string[] {
  const words = wordsOf(text.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ").replaceAll("_", " "));
  return words
    .filter((word) => !EMPTY.has(word) && !/^\d+$/.test(word) && !NUMBERS.has(word))
    .filter((word) => word.length > 2 || /[^\p{ASCII}]/u.test(word))
    .map((word) => (word.length > 5 ? word.slice(0, 5) : word.replace(/s$/, "")));
}

const lettersOf = (text: string): string =>
  visible(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** What has Latin letters and digits, such as "W-1234567" or "9am". */
const codesIn = (text: string): string[] =>
  (visible(text).match(/[\p{Script=Latin}\p{N}\p{Pd}_]+/gu) ?? [])
    .filter((word) => /\p{L}/u.test(word) && /\p{N}/u.test(word))
    .map(lettersOf);

/** Numbers in digits, also of words. "2,000" and "2000" are one number, and so are "50" and "50.00". */
function figuresIn(text: string): string[] {
  const plain = visible(text)
    .replace(/(\d)[,.'’ ](?=\d{3}(?!\d))/g, "$1")
    .replace(/(\d)[.,]0+(?!\d)/g, "$1");
  const digits = (plain.match(/\d+/g) ?? []).map((digit) => digit.replace(/^0+(?=\d)/, ""));
  return [...digits, ...wordsOf(text).flatMap((word) => NUMBERS.get(word) ?? [])];
}
