import { type Span, spansOf } from "./spans.js";

/** Digits with what separates their groups. A separator is no digit, so this is read once. */
const FIGURES = /\+?\(?\d+(?:(?: ?[-\u2013/(] ?|\) ?|[ \u00a0\u202f.,:])\d+)*/g;
/** So much of the text around a number tells what it is, in characters. */
const AROUND = 40;

const CURRENCY_BEFORE = /(?:[€$£¥₹]|\b(?:EUR|USD|GBP|CHF|Rs|SEK|NOK|DKK|PLN))\.?\s?$/i;
const CURRENCY_AFTER =
  /^\s?(?:[€$£¥₹%]|(?:eur|usd|gbp|chf|sek|nok|dkk|pln|euros?|dollars?|bucks|cents?|pounds?|pence|franken|rappen|kronen|zloty|per ?cent|prozent)\b)/i;
/** What is counted or measured is no identifier. */
const UNIT_AFTER =
  /^[ \u00a0-]?(?:(?:business |working |calendar |full )?(?:seconds?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|months?|years?)|am|pm|o'clock|(?:werk|arbeits|kalender|geschäfts)?tage?n?|sekunden?|minuten?|stunden?|uhr|nächten?|wochen?|monaten?|jahren?|times|mal|x|km|kilometers?|miles?|meilen?|m|cm|mm|meters?|feet|ft|inch(?:es)?|kg|kilos?|g|grams?|gramm|lbs?|l|litres?|liters?|ml|kwh|watts?|mah|mb|gb|tb|kb|mbit|points?|punkte?n?|steps?|stars?|sterne?n?|people|persons?|guests?|personen|gäste|items?|pieces?|stück|characters?|zeichen|users?|nutzern?|customers?|kunden|entries|einträge|degrees?|grad|°)(?![\p{L}\p{N}])/iu;

const BIRTH = /\b(?:born|birth(?:day|date)?|dob|geboren|geburtsdatum|geburtstag)\b[^.!?]{0,25}$/i;
const DATE = /^(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})|\d{4}-\d{1,2}-\d{1,2})$/;
const TIME = /^\d{1,2}[:.]\d{2}(?: ?[–-] ?\d{1,2}(?:[:.]\d{2})?)?$/;
const YEARS = /^(?:19|20)\d\d(?: ?[–/-] ?(?:(?:19|20)\d\d|\d\d))?$/;
/** 1,000 and 1.000.000, with decimals or without. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{1,2})?$|^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d{1,2})?$/;
const SPACED = /^[1-9]\d{0,2}[ \u00a0\u202f]\d{3}$/;
const DECIMAL = /^\d{1,9}[.,]\d{1,2}$/;
const ROUND = /^[1-9]\d{0,5}000$/;

const OWNER =
  "order|account|customer|client|invoice|contract|ticket|reference|ref|booking|reservation|confirmation|tracking|policy|member(?:ship)?|case|serial|card|phone|telephone|mobile|cell|fax|passport|licen[cs]e|security|verification|access|transaction|claim|meter";
/** A word that announces an identifier: `order number`, `Kundennummer`, `PIN is`, `#`. */
const ANNOUNCED = new RegExp(
  `(?:\\b(?:${OWNER})(?: (?:number|no|nr|num|id|code|pin|key))?|\\b(?:pin|tan|iban|id|code|password|passwort|kennwort)|\\p{L}{0,30}(?:nummer|nr|konto|kennung)|\\bnumber|#)\\.?(?: (?:is|was|ist|war|lautet|of|ending in|endet auf))?\\s?[:=#]?\\s?['"“„‘]?$`,
  "iu",
);
const NUMBERED = /(?:#|nummer|nr\.?|number|no\.?|id|pin|tan|code|:)\s?(?:is|ist|lautet)?\s?[:=#]?\s?['"“„‘]?$/i;

/** An identifier of letters and digits: `ORD-1234`, `AB12CD34`, `1Z999AA1`. */
const TOKEN = /[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*/gu;
const STANDARDS =
  /^(?:iso|din|en|ieee|rfc|eu|usb|http|covid|win|office|ps|mp|mpeg|iphone|ipad|galaxy|pixel|rtx|gtx)[_-]?\d/i;
const MEASURED = /^\d{1,6}\p{L}{1,5}$/u;

/** Of a car. */
const PLATE =
  /\b(?:plates?|kennzeichen)(?: (?:number|no))?(?: is| ist|:)? ?[:-]?\s{1,3}([A-Z0-9]{1,4}[ -]?[A-Z0-9]{1,5}(?:[ -][A-Z0-9]{1,4})?)\b/g;

/** Numbers that belong to one person: of accounts, orders and telephones. Prices, periods, dates, times and counts stay. */
export function identifiersIn(text: string, theirs: ReadonlySet<string>): Span[] {
  const spans = spansOf(text, PLATE, 1);
  for (const match of text.matchAll(TOKEN))
    if (isCode(match[0], text.slice(Math.max(0, match.index - AROUND), match.index)))
      spans.push({ from: match.index, to: match.index + match[0].length });
  for (const match of text.matchAll(FIGURES)) {
    const [from, to] = [match.index, match.index + match[0].length];
    const before = text.slice(Math.max(0, from - AROUND), from);
    if (isOfPerson(match[0], before, text.slice(to, to + AROUND), theirs)) spans.push({ from, to });
  }
  return spans;
}

export const digitsOf = (text: string): string => text.replace(/\D+/g, "");

function isOfPerson(said: string, before: string, after: string, theirs: ReadonlySet<string>): boolean {
  const digits = digitsOf(said);
  const figure = said.replace(/^\(/, "");
  if (DATE.test(figure)) return BIRTH.test(before);
  if (TIME.test(figure) && digits.length <= 8) return false;
  if (CURRENCY_BEFORE.test(before) || CURRENCY_AFTER.test(after)) return digits.length > 9;
  if (digits.length >= 3 && theirs.has(digits)) return true;
  if (UNIT_AFTER.test(after) && digits.length <= 9 && !figure.startsWith("+")) return false;
  if (digits.length >= 2 && ANNOUNCED.test(before) && (digits.length >= 4 || NUMBERED.test(before))) return true;
  if (YEARS.test(figure) || GROUPED.test(figure) || SPACED.test(figure) || DECIMAL.test(figure)) return false;
  if (/^\+|^\(?00?[1-9]/.test(said) && digits.length >= 6) return true;
  if (/^\d+$/.test(figure)) return digits.length >= 5 && !ROUND.test(figure);
  return digits.length >= 7 && !rangeOfShort(figure);
}

/** Several short figures, such as `2, 3 or 4` or `10 - 20`, are none. */
const rangeOfShort = (figure: string): boolean => {
  const groups = figure.split(/\D+/).filter(Boolean);
  return groups.length > 1 && /[,–:]/.test(figure) && groups.every((group) => group.length <= 2);
};

function isCode(token: string, before: string): boolean {
  const digits = digitsOf(token).length;
  if (digits === 0 || digits === token.length || !/\p{L}/u.test(token)) return false;
  if (digits >= 2 && token.length >= 4 && NUMBERED.test(before) && ANNOUNCED.test(before)) return true;
  if (digits < 3 || token.length < 6 || STANDARDS.test(token) || MEASURED.test(token)) return false;
  const words = token.split(/[_-]/).filter((part) => /\p{L}/u.test(part));
  // `2024-edition`, `1000-piece`: a number and ordinary words.
  return !words.every((word) => /^\p{Lu}?\p{Ll}{2,}$/u.test(word));
}
