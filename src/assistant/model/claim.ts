import { visible } from "../context/links.js";
import { isOpposed, meaningOf, MONTHS } from "./lexicon.js";

/** A part of a sentence that says one thing: what is compared of it. */
export interface Clause {
  /** What its words say, but for those that say nothing. */
  words: ReadonlySet<string>;
  /** Numbers, in their order. */
  figures: readonly string[];
  /** With Latin letters and digits, such as "W-1234567" or "9am". */
  codes: readonly string[];
  /** Names of something, as far as capitals tell. Empty in German. */
  names: readonly string[];
  denies: boolean;
  /** What must be so that it holds. */
  condition?: {
    words: ReadonlySet<string>;
    figures: readonly string[];
    denies: boolean;
    /** It holds also if that is not so. */
    anyway: boolean;
    /** It holds only then. */
    limits: boolean;
  };
  /** It says that something holds for all, always, or everywhere. */
  all: boolean;
  only: boolean;
  most: boolean;
  least: boolean;
  must: boolean;
  may: boolean;
}
export interface Sentence {
  clauses: readonly Clause[];
  whole: Clause;
  /** It goes on about what the sentence before it is about. */
  goesOn: boolean;
}

const list = (words: string): string =>
  words
    .split(/[|\n]/)
    .map((word) => word.trim())
    .filter(Boolean)
    .join("|");
const anyOf = (words: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list(words)})(?![\\p{L}\\p{N}])`, "iu");

const DENIAL = anyOf(`not|no|never|nothing|none|nobody|neither|nor|without|unable|impossible|cannot|no longer
  nicht|kein(?:e[nmrs]?)?|nie|niemals|nichts|niemand(?:en|em)?|ohne|weder|unmöglich
  ne|n|pas|jamais|rien|aucune?|sans|ni
  no|nunca|nada|nadie|sin|tampoco|ningún|ninguna
  non|mai|niente|nessuno|senza|né
  niet|geen|nooit|niets|niemand|zonder
  não|nunca|nada|ninguém|sem|nem`);
const ALL =
  anyOf(`all|every|everyone|everybody|everything|everywhere|anyone|anybody|anything|anywhere|whatever|whichever|whenever|always|forever
  any time|anytime|around the clock|24\\/7|worldwide|at all times|as many|as much|as long as you (?:like|want)|any
  alle[nmrs]?|jede[nmrs]?|jederzeit|immer|überall|sämtliche|alles|weltweit|rund um die uhr
  tous|toutes?|chaque|toujours|partout|tout|n'importe
  todos|todas|todo|cada|siempre|cualquier|cualquiera
  tutti|tutte|ogni|sempre|qualsiasi|ovunque
  alle|elke|ieder|iedereen|altijd|overal
  todos|todas|cada|sempre|qualquer`);
const ONLY = anyOf(
  `only|solely|exclusively|nothing but|nobody but|no one but|nur|ausschließlich|lediglich|seulement|uniquement|solo|sólo|solamente|únicamente|soltanto|alleen|slechts|uitsluitend|só|apenas|somente`,
);
const MOST = anyOf(
  `at most|up to|at the most|maximum|maximal|no more than|at the latest|within|höchstens|bis zu|maximal|innerhalb|binnen|au plus|jusqu'à|au maximum|como máximo|hasta|al massimo|fino a|entro|hoogstens|tot|binnen|no máximo|até`,
);
const LEAST = anyOf(
  `at least|minimum|at the least|no less than|mindestens|wenigstens|au moins|al menos|como mínimo|almeno|minstens|ten minste|pelo menos|no mínimo`,
);
const MUST = anyOf(
  `must|have to|has to|need to|needs to|required|obliged|should|muss|müssen|musst|doit|devez|doivent|il faut|debe|deben|deve|devono|moet|moeten|devem`,
);
const MAY = anyOf(
  `can|may|could|might|possible|allowed|kann|können|darf|dürfen|möglich|peut|pouvez|peuvent|puede|pueden|può|possono|kan|kunnen|kunt|mag|mogen|pode|podem`,
);
/** Also if that is not so. */
const ANYWAY =
  /(?<!\p{L})(?:even (?:if|when|though|after|before)|regardless|auch wenn|selbst wenn|même (?:si|quand)|aunque|incluso si|también|anche se|ook als|zelfs als|mesmo (?:se|que))(?!\p{L})/iu;
const MARKERS =
  list(`only if|only when|unless|if|when|while|as long as|as soon as|once|provided(?: that)?|in case|until|before|after|except|other than
  wenn|falls|sofern|solange|sobald|außer|bevor|nachdem|bis
  si|s'il|s'ils|quand|lorsque|tant que|à condition que|sauf|avant|après|dès que
  cuando|siempre que|excepto|salvo|antes de|después de
  se|quando|purché|tranne|salvo|prima|dopo
  als|indien|tenzij|zolang|behalve|voordat|nadat
  exceto|antes de|depois de`);
/** From the word on that begins it to the next comma. A relative clause is one too, where it limits. */
const CONDITION = new RegExp(`(?<!\\p{L})(?:${MARKERS})(?!\\p{L})[^,;:]*`, "giu");
/** A limit with a figure. */
const LIMIT =
  /(?<!\p{L})(?:from|over|above|under|below|more than|less than|ab|über|unter|mehr als|weniger als|à partir de|dès|plus de|moins de|a partir de|más de|menos de|da|oltre|più di|meno di|vanaf|boven|onder|meer dan|minder dan|mais de)\s[^,;:.\d]{0,12}\d[\d.,]*(?:\s\p{L}+)?/giu;
const RANGE = /^\s*(?:to|until|bis|à|a|tot|até|-|–)(?!\p{L})/u;

const GOES_ON =
  /(?<!\p{L})(?:it|its|they|them|their|theirs|es|er|ihn|ihm|dies\p{L}*|danach|ils?|elles?|cela|ceci|esto|eso|questo|ciò|dit|deze|isto|isso)(?!\p{L})|^(?:then|after(?:wards| that)|otherwise|this|that|these|those|here|there|dann|das)(?!\p{L})/iu;
/** If not. */
const UNLESS = /(?<!\p{L})(?:unless|tenzij|es sei denn|außer wenn|à moins que|a menos que|a meno che)(?!\p{L})/iu;
/** With these, it holds under the condition and under no other. */
const LIMITS =
  /(?<!\p{L})(?:only|as long as|while|until|nur|solange|bis|tant que|seulement|mientras|solo|sólo|finché|zolang|alleen|enquanto|só)(?!\p{L})/iu;

const NUMBERS = new Map(
  `zero null|one|two zwei deux dos due twee dois duas twice zweimal|three drei trois tres tre drie três|four vier quatre cuatro quattro quatro|five fünf cinq cinco cinque vijf|six sechs seis sei zes|seven sieben sept siete sette zeven sete|eight acht huit ocho otto oito|nine neun neuf nueve nove negen|ten zehn dix diez dieci tien dez|eleven elf onze once undici|twelve zwölf douze doce dodici twaalf doze|thirteen dreizehn treize|fourteen vierzehn quatorze catorce quattordici veertien catorze|fifteen fünfzehn quinze quince quindici vijftien|sixteen|seventeen|eighteen|nineteen|twenty zwanzig vingt veinte venti twintig vinte`
    .split("|")
    .flatMap((words, n) =>
      words.split(" ").map((word) => [word.normalize("NFKD").replace(/\p{M}/gu, ""), String(n)] as const),
    )
    .concat([
      ["thirty", "30"],
      ["dreißig", "30"],
      ["trente", "30"],
      ["treinta", "30"],
      ["trenta", "30"],
      ["dertig", "30"],
      ["trinta", "30"],
      ["half", "0.5"],
    ]),
);
/** As words of Spanish and English that are something else too, these are no numbers. */
NUMBERS.delete("once");
/** What "one" must stand before to be a number. */
const COUNTED =
  /^(?:day|year|month|week|hour|minute|time|item|bag|piece|working|business|order|person|card|euro|dollar|percent)/;

/** Contractions are taken apart, and so are words that begin with an article. */
const apart = (text: string): string =>
  visible(text)
    .replaceAll("’", "'")
    .replace(/\bcan'?t\b|\bcannot\b/giu, "can not")
    .replace(/\bwon't\b/giu, "will not")
    .replace(/n't\b/giu, " not")
    .replace(/\b(i|you|he|she|it|we|they|that|there|who|what)'(?:re|ll|ve|s|m|d)\b/giu, "$1")
    .replace(/(?<=\p{L})'s?(?!\p{L})/gu, "")
    .replace(/(?<!\p{L})(l|d|j|m|t|c|s|n|qu|jusqu|puisqu|lorsqu)'(?=\p{L})/giu, "$1 ")
    .replace(/\bone(?= of)\b/giu, "")
    .replace(/%/g, " percent ")
    .replace(/€|\bEUR\b/g, " euro ")
    .replace(/\$|\bUSD\b/g, " dollar ")
    .replace(/£|\bGBP\b/g, " pound ")
    .replace(/(?<=\d)(?=\p{L})/gu, " ")
    .replace(/\bno less than\b/giu, "at least")
    .replace(/\bno more than\b/giu, "at most")
    .replace(/\bmore than\b/giu, "over")
    .replace(/\bless than\b/giu, "under")
    .replace(/\b(?:free of charge|for free|at no cost)\b/giu, "free")
    .replace(/\bno longer\b/giu, "not")
    .replace(/\b(?:is|are) no need to\b/giu, "need not")
    .replace(/\b(\p{L}+)-(?=\p{L})/gu, "$1 ");

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}]/gu;
const WORD = /[\p{L}\p{M}]+/gu;

export const lettersOf = (text: string): string =>
  visible(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** What has Latin letters and digits, such as "W-1234567" or "9am". */
export const codesIn = (text: string): string[] =>
  (visible(text).match(/[\p{Script=Latin}\p{N}\p{Pd}_]+/gu) ?? [])
    .filter((word) => /\p{L}/u.test(word) && /\p{N}/u.test(word))
    .map(lettersOf);

const MONTH = new Map(
  MONTHS.trim()
    .split("\n")
    .flatMap((names, n) => names.split(" ").map((name) => [name, String(n + 1)] as const)),
);

/** Numbers in digits, also of words. "2,000" and "2000" are one number, and so are "50" and "50.00". */
export function figuresIn(text: string): string[] {
  const digits = visible(text)
    .replace(/(\d)[,.'’ ](?=\d{3}(?!\d))/g, "$1")
    .replace(/(\d)[.,]0+(?!\d)/g, "$1")
    .replace(/(\d),(?=\d)/g, "$1.");
  const figures: string[] = [];
  const tokens = digits.toLowerCase().match(/\d+(?:\.\d+)*|[\p{L}\p{M}]+/gu) ?? [];
  for (const [n, token] of tokens.entries()) {
    if (/^\d/.test(token))
      figures.push(
        ...(token.split(".").length > 2 ? token.split(".") : [token]).map((one) => one.replace(/^0+(?=\d)/, "")),
      );
    else {
      const number = NUMBERS.get(token.normalize("NFKD").replace(/\p{M}/gu, ""));
      if (number !== undefined && (number !== "1" || COUNTED.test(tokens[n + 1] ?? ""))) figures.push(number);
    }
  }
  return figures;
}
/** The number of a month that the text names, for a date in digits. */
export const monthsIn = (text: string): string[] =>
  (text.toLowerCase().match(WORD) ?? []).flatMap((word) => MONTH.get(word) ?? []);

/** What words say. `orderId` is two words. */
export function wordsIn(text: string): Set<string> {
  const words = apart(text)
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
    .replaceAll("_", " ")
    .replace(UNSPACED, " $& ")
    .toLowerCase()
    .match(WORD);
  return new Set(
    (words ?? [])
      .filter((word) => !NUMBERS.has(word.normalize("NFKD").replace(/\p{M}/gu, "")) && !DENIED.has(word))
      .map(meaningOf)
      .filter((meaning) => meaning.length > 1 || /[^\p{ASCII}]/u.test(meaning)),
  );
}
/** They are compared as what they are, not as words. */
const DENIED: ReadonlySet<string> = new Set(
  [DENIAL, ALL, ONLY, MUST, MAY]
    .flatMap(({ source }) => source.match(/(?<=[:|])\p{L}+(?=[|)])/gu) ?? [])
    .concat(
      "keine keiner keinem keinen keines jede jeder jedes jedem jeden aller alles toute aucune niemandem niemanden".split(
        " ",
      ),
    ),
);

const GERMAN = /(?<!\p{L})(?:der|die|das|und|ist|sind|nicht|Sie|wir|ein|eine|kann|können|wird|ab|für)(?!\p{L})/u;
function namesIn(text: string): string[] {
  if (GERMAN.test(text)) return [];
  // Not at the beginning, and not where a list of words in quotation marks begins.
  return [...text.matchAll(/(?<=[\p{L}\p{N},;)%] )\p{Lu}[\p{L}\p{N}]+/gu)]
    .map(([name]) => name.toLowerCase())
    .filter((name) => name !== "i" && meaningOf(name) !== "" && !name.endsWith("nbsp"));
}

function clauseOf(text: string): Clause {
  const said = apart(text);
  const conditions = [...(said.match(CONDITION) ?? []), ...limitsIn(said)];
  const main = said.replace(CONDITION, " ");
  const inCondition = conditions.join(" ");
  const anyway = ANYWAY.test(said);
  return {
    words: wordsIn(text),
    figures: figuresIn(said),
    codes: codesIn(text),
    names: namesIn(text),
    denies: DENIAL.test(main),
    ...(conditions.length && {
      condition: {
        words: wordsIn(inCondition),
        figures: figuresIn(inCondition),
        denies: DENIAL.test(said.match(CONDITION)?.join(" ") ?? "") !== UNLESS.test(inCondition),
        anyway,
        limits: LIMITS.test(said),
      },
    }),
    all: ALL.test(
      said
        .replace(/\b(?:not|without|nor) (?:\p{L}+ ){0,3}(?:any(?:thing|one|body|where)?|all)\b/giu, "")
        .replace(/\bany other\b/giu, "other"),
    ),
    only: ONLY.test(said),
    most: MOST.test(said),
    least: LEAST.test(said),
    must: MUST.test(main),
    may: MAY.test(main),
  };
}

/** "From 8 to 6" and "over 2 of 3 days" limit nothing by themselves. */
const limitsIn = (text: string): string[] =>
  [...text.matchAll(LIMIT)].flatMap(({ 0: limit, index }) =>
    RANGE.test(text.slice(index + limit.length)) ? [] : [limit],
  );

const BREAK =
  /[;:–—]\s|,\s(?=(?:and|but|or|und|aber|oder|sondern|et|mais|y|pero|sino|e|ma|en|maar|mas)\s)|,\s(?=(?:as well|nor)\s)|\s(?=(?:but|aber|mais|pero|maar|mas|although|obwohl)\s)/u;
const AND = /\s(?=(?:and|und|et|y|e|en)\s)/u;

/** What a sentence says, one thing each. Lists stay whole. */
export function sentenceOf(text: string): Sentence {
  const whole = clauseOf(text);
  const parts: string[] = [];
  for (const part of text.split(BREAK)) {
    let open = "";
    for (const piece of part.split(AND)) {
      const joined = open ? `${open} ${piece}` : piece;
      if (!open || !isClause(open) || !isClause(piece)) open = joined;
      else {
        parts.push(open);
        open = piece;
      }
    }
    if (open.trim()) parts.push(open);
  }
  return { whole, clauses: parts.length > 1 ? parts.map(clauseOf) : [whole], goesOn: GOES_ON.test(text) };
}

/** It has enough words for a statement of its own, or a figure or a denial that belongs to it alone. */
const isClause = (text: string): boolean =>
  wordsIn(text).size >= 3 || ((figuresIn(text).length > 0 || DENIAL.test(apart(text))) && wordsIn(text).size >= 1);

export { isOpposed };
