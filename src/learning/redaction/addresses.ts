import { type Span, spansOf } from "./spans.js";

const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/gu;
const LINK = /\bhttps?:\/\/[^\s<>"'()[\]]{1,2000}/gi;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g;

const NAME = String.raw`\p{Lu}[\p{L}'’.\-]{0,30}`;
/** Streets that are no other word, however they are written. */
const STREET = "street|road|avenue|boulevard|lane";
const SHORT_STREET =
  "St|Rd|Ave|Blvd|Ln|Dr|Drive|Court|Ct|Place|Pl|Square|Sq|Way|Terrace|Close|Crescent|Parkway|Pkwy|Highway|Hwy|Row|Walk|Gardens|Hill|Mews|Street|Road|Avenue|Boulevard|Lane";
const FLAT = String.raw`(?:,? {0,2}(?:apt|apartment|unit|suite|flat|ste)\.? {0,2}#?[\p{L}\p{N}-]{1,6})?`;
const ENGLISH = [
  new RegExp(String.raw`(?<![\p{L}\p{N}])\d{1,5}[a-z]? (?:${NAME} ){1,4}(?:${SHORT_STREET})(?!\p{L})\.?${FLAT}`, "gu"),
  new RegExp(
    String.raw`(?<![\p{L}\p{N}])\d{1,5}[a-z]? (?:(?!(?:the|this|that|down|along|from|on|of|off|in|to|minutes?|hours?|days?|miles?|km|meters?|blocks?)\b)\p{L}{2,30} ){1,2}(?:${STREET})(?!\p{L})${FLAT}`,
    "giu",
  ),
];
const POSTCODE = /\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/g;

const NO_UNIT = String.raw`(?! ?(?:\p{L}|[€%°]|[:.]\d))`;
const HOUSE = String.raw` \d{1,4}(?: ?[a-h](?!\p{L}))?${NO_UNIT}`;
const GERMAN = [
  new RegExp(
    String.raw`(?<!\p{L})(?:${NAME} )?\p{L}{0,30}(?:[Ss]traße|[Ss]trasse|[Ss]tr\.|[Aa]llee|[Gg]asse|[Cc]haussee|[Pp]latz|[Ww]eg|[Dd]amm|[Uu]fer|[Rr]ing|[Ss]teig)${HOUSE}`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<!\p{L})(?:Am|An der|An den|Im|In der|Auf dem|Auf der|Unter den|Zum|Zur|Hinter der) (?!(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch|Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahre?)${NAME}${HOUSE}`,
    "gu",
  ),
];
const PO_BOX = /\b(?:p\.? ?o\.? box|postfach) \d[\d ]{0,10}/giu;

/** Email and postal addresses, bank accounts, and what a link says about one person. Towns stay. */
export function addressesIn(text: string, ours: ReadonlySet<string>): Span[] {
  const mails = spansOf(text, EMAIL).filter(({ from, to }) => !ours.has(text.slice(from, to).toLowerCase()));
  return [
    ...mails,
    ...spansOf(text, LINK).flatMap((link) => partOfLink(text, link)),
    ...[IBAN, ...ENGLISH, POSTCODE, ...GERMAN, PO_BOX].flatMap((pattern) => spansOf(text, pattern)),
  ];
}

/** What follows the `?` or `#` of a link, and a path with a long number in it, may name one person's things. */
function partOfLink(text: string, { from, to }: Span): Span[] {
  const link = text.slice(from, to);
  const origin = /^https?:\/\/[^/?#]{1,300}/i.exec(link)?.[0].length ?? link.length;
  const query = link.search(/[?#]/);
  const path = link.slice(origin, query < 0 ? undefined : query);
  if (path.split(/[/.]/).some((part) => part.replace(/\D+/g, "").length >= 4)) return [{ from: from + origin, to }];
  return query < 0 ? [] : [{ from: from + query, to }];
}
