import { plainWordsOf, reactionOf } from "../context/acts.js";
import { withoutLinks } from "../context/links.js";
import type { Option, Slot } from "./definition.js";
import { agrees } from "./phrases.js";
import type { Filled } from "./state.js";

/** One of the things that the contact may choose. */
export interface Choice extends Option {
  item?: unknown;
}
/** What a value is read by, besides the slot. */
export interface Reading {
  slot: Slot;
  choices: readonly Choice[];
  /** ISO 639-1 */
  language: string;
  /** YYYY-MM-DD */
  today: string;
}
const MAX_TEXT = 500;
const MAX_MANY = 20;
const plain = (value: string | number): Filled => ({ value, label: String(value) });

/**
 * The value in what a contact wrote. Undefined: none, or several where one is asked for. Each is found in one pass over the text.
 * @param strict whether only what cannot mean anything else is taken: a number that the text also has is no choice
 */
export function read(reading: Reading, text: string, strict = false): Filled | undefined {
  const { slot } = reading;
  switch (slot.kind) {
    case "text": {
      const value = text.trim();
      // It is said again, and nobody may have proved the address that reads it.
      return !strict && value && value.length <= (slot.maxLength ?? MAX_TEXT)
        ? { value, label: withoutLinks(value) }
        : undefined;
    }
    case "number":
      return strict ? undefined : numberIn(reading, text);
    case "email":
      return only(emailsIn(text).map(plain));
    case "date":
      return strict ? undefined : only(datesIn(reading, text).map(plain));
    case "yes_no": {
      const answer = strict ? undefined : yesOrNo(text);
      return answer === undefined ? undefined : { value: answer === "yes", label: withoutLinks(text).trim() };
    }
    case "pattern": {
      const found = codesIn(slot.pattern!, text);
      if (!slot.many) return only(found.map(plain));
      return found.length && found.length <= MAX_MANY
        ? { value: found, label: found.join(", "), labels: found }
        : undefined;
    }
    case "choice":
      return choose(reading, text, strict);
  }
}

/** All that the text has of a kind whose values nothing else looks like. */
export const codesOf = ({ kind, pattern }: Slot, text: string): string[] =>
  kind === "pattern" ? codesIn(pattern!, text) : kind === "email" ? emailsIn(text) : [];

function only<One>(found: readonly One[]): One | undefined {
  return found.length === 1 ? found[0] : undefined;
}
const distinct = <One>(found: readonly One[]): One[] => [...new Set(found)];

export const yesOrNo = (text: string): "yes" | "no" | undefined => {
  const reaction = reactionOf(text);
  return reaction === "yes" || agrees(text) ? "yes" : reaction === "no" ? "no" : undefined;
};

const WORD = /[\p{L}\p{N}]/u;
/** `#W0000000` in a text: also without the signs before its first letter or digit, and in small letters. */
function codesIn(pattern: string, text: string): string[] {
  const found: string[] = [];
  const signs = /^[^0-9a-z]*/i.exec(pattern)![0];
  const shapes = distinct([pattern, pattern.slice(signs.length)]);
  for (let at = 0; at < text.length; at++) {
    // "X#W1234567" is another code.
    const begin = signs.includes(text[at - 1] ?? " ") ? at - 2 : at - 1;
    if (WORD.test(text[begin] ?? " ")) continue;
    const code = shapes.map((shape) => codeAt(shape, text, at)).find((one) => one !== undefined);
    if (code === undefined) continue;
    found.push(code.length < pattern.length ? signs + code : code);
    at += code.length - 1;
  }
  return distinct(found);
}

function codeAt(shape: string, text: string, at: number): string | undefined {
  let code = "";
  for (let n = 0; n < shape.length; n++) {
    const [sign, given] = [shape[n]!, text[at + n] ?? ""];
    if (
      sign === "0"
        ? !/^\d$/.test(given)
        : sign === "A"
          ? !/^[a-z]$/i.test(given)
          : given.toLowerCase() !== sign.toLowerCase()
    )
      return undefined;
    code += sign === "0" ? given : sign === "A" ? given.toUpperCase() : sign;
  }
  const next = text[at + shape.length];
  return next !== undefined && WORD.test(next) ? undefined : code;
}

/** Without the signs of links: it is said again, and a language model may have named it. */
const EMAIL = /^[\p{L}\p{N}._%+'&=~-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}$/u;
const emailsIn = (text: string): string[] =>
  distinct(
    text
      .split(/[\s<>()[\],;"]/)
      .map((word) =>
        word
          .replace(/^(?:mailto:)?['“”‘’]?/i, "")
          .replace(/[.!?'“”‘’:]$/, "")
          .toLowerCase(),
      )
      .filter((word) => word.length <= 254 && EMAIL.test(word)),
  );

const NUMBER = /(?<![\p{L}\p{N}.,])[-−+]?\d+(?:[.,'’]\d+)*(?![\p{L}\p{N}])/gu;
function numberIn({ slot: { min = -Infinity, max = Infinity }, language }: Reading, text: string): Filled | undefined {
  const found = distinct([...text.matchAll(NUMBER)].map(([digits]) => numberOf(digits, language)));
  const value = only(found);
  return value !== undefined && Number.isFinite(value) && value >= min && value <= max ? plain(value) : undefined;
}

/** The last of two kinds of signs is the decimal one. One alone before three digits is, where the language writes it so. */
function numberOf(digits: string, language: string): number {
  const text = digits.replace(/['’]/g, "").replace("−", "-");
  const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","));
  if (last < 0) return Number(text);
  const [sign, ofLanguage] = [text[last]!, language === "en" ? "." : ","];
  const other = sign === "." ? "," : ".";
  const times = text.split(sign).length - 1;
  const isDecimal = times === 1 && (text.includes(other) || text.length - last !== 4 || sign === ofLanguage);
  const whole = (isDecimal ? text.slice(0, last) : text).replace(/[.,]/g, "");
  return Number(isDecimal ? `${whole}.${text.slice(last + 1)}` : whole);
}

const DAY_MS = 86_400_000;
const dayOf = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined;
};
const ISO = /(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/g;
const DOTTED = /(?<!\d)(\d{1,2})([./])(\d{1,2})\2(\d{4})(?!\d)/g;
const NAMED =
  /(?:(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.|º)?\s+(?:of |de )?)?(\p{L}{3,12})\.?\s+(?:(?:de )?(\d{4})|(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?)(?!\d)/giu;

/** Days in a text, in the order of the world: day, month, year. In English, 3/4/2026 is two days, and so it is none. */
function datesIn({ language, today }: Reading, text: string): string[] {
  const found: (string | undefined)[] = [];
  for (const [, year, month, day] of text.matchAll(ISO)) found.push(dayOf(Number(year), Number(month), Number(day)));
  for (const [, first, sign, second, year] of text.matchAll(DOTTED)) {
    found.push(dayOf(Number(year), Number(second), Number(first)));
    if (sign === "/" && language === "en") found.push(dayOf(Number(year), Number(first), Number(second)));
  }
  for (const [, before, name, year, behind, last] of text.matchAll(NAMED)) {
    const month = monthsOf(language).get(name!.toLowerCase());
    const [day, of] = [before ?? behind, year ?? last];
    if (month && day && of) found.push(dayOf(Number(of), month, Number(day)));
  }
  if (!found.length) {
    const words = ` ${plainWordsOf(text).join(" ")} `;
    const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    for (const days of [-1, 0, 1]) {
      const said = plainWordsOf(relative.format(days, "day")).join(" ");
      if (words.includes(` ${said} `))
        found.push(new Date(Date.parse(today) + days * DAY_MS).toISOString().slice(0, 10));
    }
  }
  return distinct(found.filter((day) => day !== undefined));
}

const months = new Map<string, Map<string, number>>();
function monthsOf(language: string): Map<string, number> {
  const known = months.get(language);
  if (known) return known;
  const made = new Map<string, number>();
  for (const one of distinct(["en", language]))
    for (const month of ["long", "short"] as const)
      for (let n = 1; n <= 12; n++) {
        const parts = new Intl.DateTimeFormat(one, { day: "numeric", month }).formatToParts(Date.UTC(2026, n - 1, 15));
        made.set(
          parts
            .find(({ type }) => type === "month")!
            .value.replace(/\.$/, "")
            .toLowerCase(),
          n,
        );
      }
  months.set(language, made);
  return made;
}

/** What stands beside a number that chooses, and chooses nothing. */
const BESIDE = new Set(
  `the one ones please number option options no nr pls and i want would like choose take id die der das den bitte nummer und ich nehme le la les svp numero et el il lo los por favor y per favore e de het graag en alstublieft o os um a uma i mean meine item items`.split(
    " ",
  ),
);
const ORDINALS = [
  "first erste ersten erster erstes premier premiere primero primera primo prima eerste primeiro primeira",
  "second zweite zweiten zweiter zweites deuxieme seconde segundo segunda secondo seconda tweede",
  "third dritte dritten dritter drittes troisieme tercero tercera terzo terza derde terceiro terceira",
].map((line) => new Set(line.split(" ")));
const ALL = new Set(
  "all everything both alle alles beide beides tout tous toutes todo todos todas ambos ambas tutto tutti tutte entrambi entrambe allemaal allebei tudo".split(
    " ",
  ),
);
/** Words that choose nothing, whatever is called by them. */
const COMMON = new Set(
  `the a an of and or for with in on to my i it its is please want would like that this one from some have has as them these those items return exchange change
  der die das ein eine und oder fur mit in auf zu mein meine ich es ist bitte le la les un une et ou pour avec dans mon ma je est
  el la los las un una y o para con en mi yo es il lo gli un una e per con in mio mia de het een en of voor met in mijn ik is
  o a os as um uma e ou para com em meu minha eu`.split(/\s+/),
);

/** A choice with its words, which are found out once, however many parts a text has. */
interface Spoken extends Choice {
  /** Its value, between spaces. */
  said: string;
  /** Its label and its synonyms, likewise. */
  names: string[];
}
const spaced = (words: readonly string[]): string => (words.length ? ` ${words.join(" ")} ` : "");
const spokenOf = (choice: Choice): Spoken => ({
  ...choice,
  said: spaced(plainWordsOf(String(choice.value))),
  names: [choice.label, ...(choice.synonyms ?? [])].map((name) => spaced(plainWordsOf(name))),
});

function choose({ slot, choices: given }: Reading, text: string, strict: boolean): Filled | undefined {
  if (!given.length) return undefined;
  const choices = given.map(spokenOf);
  const words = plainWordsOf(text);
  const byNumber = strict ? undefined : numbered(words, choices, slot.many === true);
  const chosen = byNumber ?? (slot.many ? several(text, choices, strict) : listOf(namedIn(text, choices, strict)));
  if (!chosen?.length) return undefined;
  return slot.many ? filledOf(chosen) : chosen.length === 1 ? filledOfOne(chosen[0]!) : undefined;
}
const listOf = (one: Choice | undefined): Choice[] | undefined => one && [one];

const filledOfOne = ({ value, label, item }: Choice): Filled => ({
  value,
  label,
  ...(item !== undefined && { item }),
});
const filledOf = (chosen: readonly Choice[]): Filled => ({
  value: chosen.map(({ value }) => value),
  label: chosen.map(({ label }) => label).join("; "),
  labels: chosen.map(({ label }) => label),
  item: chosen.map(({ item }) => item ?? null),
});

/** "2", "the second", "1 and 3", "all": nothing but numbers of the list. */
function numbered(words: readonly string[], choices: readonly Spoken[], many: boolean): Choice[] | undefined {
  const telling = words.filter((word) => !BESIDE.has(word));
  if (!telling.length) return undefined;
  if (many && telling.some((word) => ALL.has(word)) && telling.every((word) => ALL.has(word) || COMMON.has(word)))
    return [...choices];
  const places = telling.map((word) =>
    /^\d{1,2}$/.test(word) ? Number(word) : 1 + ORDINALS.findIndex((ordinals) => ordinals.has(word)),
  );
  if (places.some((place) => place < 1 || place > choices.length)) return undefined;
  // Things may be called by numbers too: "10".
  if (telling.some((word) => /^\d/.test(word) && choices.some(({ names }) => names[0] === ` ${word} `)))
    return undefined;
  return distinct(places).map((place) => choices[place - 1]!);
}

const PART = /[,;\n]|\s(?:and|und|et|y|e|en|&|\+)\s/iu;
/** Each part of the text names one. */
function several(text: string, choices: readonly Spoken[], strict: boolean): Choice[] | undefined {
  const parts = text.split(PART).filter((part) => plainWordsOf(part).some((word) => !COMMON.has(word)));
  if (parts.length < 2) return listOf(namedIn(text, choices, strict));
  const named = parts.slice(0, MAX_MANY + 1).map((part) => namedIn(part, choices, strict));
  if (named.length <= MAX_MANY && named.every((one) => one !== undefined)) return distinct(named);
  const withCommas = choices
    .filter(({ label }) => PART.test(label))
    .map(({ names, ...choice }) => ({ ...choice, names: names.slice(0, 1) }));
  const whole = namedIn(text, withCommas, true);
  return listOf(whole && choices.find(({ value }) => value === whole.value));
}

/** The one that is named: by its value, by its label or a synonym, or by the most of the words that tell it from the others. */
function namedIn(text: string, choices: readonly Spoken[], strict: boolean): Choice | undefined {
  const words = plainWordsOf(text);
  const said = spaced(words);
  const has = (name: string): boolean => name !== "" && said.includes(name);
  const byValue = choices.filter((choice) => has(choice.said));
  if (byValue.length) return only(byValue);
  const byName = choices.filter(({ names }) => names.some(has));
  if (byName.length || strict) return only(byName);
  const spoken = new Set(words.filter((word) => !COMMON.has(word)));
  const counts = choices.map(
    ({ names }) => new Set(names.flatMap((name) => name.split(" ").filter((word) => spoken.has(word)))).size,
  );
  const most = Math.max(...counts);
  return most > 0 ? only(choices.filter((_, n) => counts[n] === most)) : undefined;
}
