import { canonical, isObject, type Schema } from "../tools/argument-schema.js";

/**
 * What the contact, colleagues and approved entries say. Once a tool has answered, what a changing call says has to be in here: an
 * answer may hold what a stranger wrote, a model may do what it says, and it can write a value otherwise in any number of ways.
 */
export class TrustedText {
  /** The words of each text, with a space around each. */
  private readonly texts: string[];
  /** The same with the punctuation around the words. */
  private readonly verbatim: string[];
  private readonly numbers: ReadonlySet<number>;

  constructor(texts: readonly string[]) {
    this.texts = texts.map((text) => spaced(wordsOf(text)));
    this.verbatim = texts.map((text) => spaced(tokensOf(text)));
    this.numbers = new Set(texts.flatMap(numbersIn));
  }

  /** Whether each value in `args`, and each name that the schema does not declare, is here or is listed by the schema. */
  supports(args: unknown, schema: Schema): boolean {
    const parts = partsOf(schema);
    if (parts.some((part) => lists(part, args))) return true;
    if (Array.isArray(args)) {
      const items = either(parts.map((part) => part.items));
      return args.every((one) => this.supports(one, items));
    }
    if (isObject(args))
      return Object.entries(args).every(([name, value]) => {
        const declared = parts.flatMap(({ properties = {} }) =>
          Object.hasOwn(properties as Schema, name) ? [(properties as Schema)[name]] : [],
        );
        if (declared.length) return this.supports(value, either(declared));
        return this.says(name) && this.supports(value, either(parts.map((part) => part.additionalProperties)));
      });
    return this.says(args);
  }

  private says(value: unknown): boolean {
    if (typeof value === "number") return this.numbers.has(value);
    if (typeof value !== "string") return false;
    const [words, tokens] = [wordsOf(value), tokensOf(value)];
    // Nobody says an empty text, and a tool may clear a field with it.
    // Some tools take these for any text: they have to stand where they stood. So has what is nothing but punctuation.
    const [texts, said] = words.length && !/[*?]/.test(value) ? [this.texts, words] : [this.verbatim, tokens];
    return tokens.length > 0 && texts.some((text) => text.includes(spaced(said)));
  }
}

/** The schema itself, and all that it combines. */
const partsOf = (schema: Schema): Schema[] => [schema, ...((schema.anyOf ?? []) as Schema[]).flatMap(partsOf)];
const either = (schemas: readonly unknown[]): Schema => ({ anyOf: schemas.filter(isObject) });

/** Truth values and null are choices that a type lists. */
function lists({ enum: choices = [], type, ...part }: Schema, value: unknown): boolean {
  const types = [type].flat();
  if (typeof value === "boolean") return types.includes("boolean");
  if (value === null) return types.includes("null");
  const all = [...(choices as unknown[]), ...(Object.hasOwn(part, "const") ? [part.const] : [])];
  return all.some((choice) => canonical(choice) === canonical(value));
}

const OPENING = new Set(`"'“”„‘’«»‹›([{<#*_\``);
const CLOSING = new Set(`"'“”„‘’«»‹›)]}>*_\`.,;:!?`);

const plain = (text: string): string => text.normalize("NFKC").toLowerCase();
const tokensOf = (text: string): string[] => plain(text).split(/\s+/).filter(Boolean);
/** What stands between spaces, without the punctuation around it: what is inside, such as the dots of an address, counts. */
const wordsOf = (text: string): string[] => tokensOf(text).map(stripped).filter(Boolean);
const spaced = (words: readonly string[]): string => ` ${words.join(" ")} `;

function stripped(word: string): string {
  let [from, to] = [0, word.length];
  while (from < to && OPENING.has(word[from]!)) from++;
  while (from < to && CLOSING.has(word[to - 1]!)) to--;
  return word.slice(from, to);
}

/** Digits in groups. No part of a word, and no part of a longer one. */
const NUMERAL = /(?<![\p{L}\p{N}])(?<!\d[.,'’])(?:(?<!\S)-)?\d+(?:[.,'’]\d+)*(?![\p{L}\p{N}]|[.,'’]\d)/gu;

const numbersIn = (text: string): number[] =>
  [...plain(text).matchAll(NUMERAL)].flatMap(([numeral]) => readingsOf(numeral));

/** "1,234.5" is one number, and "1.000" may be two: a thousand, or one. */
function readingsOf(numeral: string): number[] {
  const groups = numeral.split(/[.,'’]/);
  const marks = numeral.replace(/[-\d]/g, "");
  const [whole, between, mark] = [groups.slice(0, -1), marks.slice(0, -1), marks.slice(-1)];
  const readings: number[] = [];
  if (areThousands(groups, marks)) readings.push(Number(groups.join("")));
  if ((mark === "." || mark === ",") && !between.includes(mark) && areThousands(whole, between))
    readings.push(Number(`${whole.join("")}.${groups.at(-1)!}`));
  return readings;
}

const areThousands = ([first, ...rest]: readonly string[], marks: string): boolean =>
  !rest.length || (/^-?\d{1,3}$/.test(first!) && new Set(marks).size === 1 && rest.every(({ length }) => length === 3));
