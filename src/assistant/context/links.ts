import { parse } from "tldts";

/** Characters that are not seen: they could hide a link, or turn the text around. Joiners are letters of some scripts. */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}|(?![\n\t])\p{Cc}|[\u2028\u2029]/gu;
/** `[text](address)` and `![text](address)` */
const MARKDOWN = /!?\[([^\]\n]{0,500})\]\(([^()\n]{0,2000})\)/g;
/** Without the angle brackets around it, and the title after it. */
const addressIn = (target: string): string =>
  trimmed(target.trim().split(/\s/)[0]!.replace(/^</, "").replace(/>$/, ""));
/** Letters of scripts in which U+3002 and U+FF61 end sentences, with no space behind them. */
const CJK = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]`;
/** Also the full stops that a browser takes for a dot. Before these letters they end a sentence, unless `dotted` says otherwise. */
const DOT = String.raw`(?:[.\uff0e\u2024\ufe52]|[\u3002\uff61](?=(?!${CJK})[\p{L}\p{Nd}]))`;
/** What may be the dot before a top-level domain of these letters, as in `evil。中国`: whole words on both sides. */
const BEFORE_DOMAIN = new RegExp(
  [
    // Behind a Latin letter or digit.
    String.raw`(?<=[\p{Script=Latin}\p{Nd}])[\u3002\uff61](?=(${CJK}{1,20})(?![\p{L}\p{M}\p{N}_-]))`,
    // Behind others if a path follows, or if nothing stands beside it: a sentence would end with a full stop.
    String.raw`(?<=\p{L})[\u3002\uff61](?=(${CJK}{1,20})[/:?#][a-z0-9])`,
    String.raw`(?<=(?<![^\s(<"“「『（《〈【［：])[\p{L}\p{N}-]{1,63})[\u3002\uff61](?=(${CJK}{1,20})(?![^\s)>"”」』）》〉】］]))`,
  ].join("|"),
  "giu",
);
/** The two full stops of a host that begins with `www`, which no sentence ends with. */
const IN_WWW =
  /(?<=(?<![a-z\d])www(?:[.\uff0e\u2024\ufe52\u3002\uff61][\p{L}\p{N}-]{1,63})?)[\u3002\uff61](?=\p{L})/giu;
/** The text as long as it is, with a dot for each full stop before a top-level domain. */
const dotted = (text: string): string =>
  text
    .replace(IN_WWW, ".")
    .replace(BEFORE_DOMAIN, (stop, ...words: (string | undefined)[]) =>
      parse(`a.${words.slice(0, 3).find(Boolean)}`).isIcann ? "." : stop,
    );
/** Where a word begins. An underscore is no part of it: Markdown makes emphasis of it. */
const BEGIN = String.raw`(?<![a-z\d])`;
/** An address with a scheme, a mail address, or a host with or without a path: what mail and chat programs make clickable. */
const LINK = new RegExp(
  [
    String.raw`[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"“”]+`,
    String.raw`${BEGIN}(?:mailto|tel|sms|javascript|data|file|vbscript|whatsapp|tg|skype|callto|facetime|geo|intent):[^\s<>"“”]+`,
    String.raw`(?:[\p{L}\p{N}._%+-]{1,64}@)?(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}${DOT}){1,10}(?:xn--[a-z0-9-]+|\p{L}{2,63})(?::\d+)?(?:[/?#][^\s<>"“”]*)?`,
    String.raw`${BEGIN}\d{1,3}(?:${DOT}\d{1,3}){3}(?::\d+)?(?:[/?#][^\s<>"“”]*)?`,
  ].join("|"),
  "giu",
);
const TRAILING = new Set(`.,;:!?)]}'"»…*_`);

/** Links that are nested deeper than this were written to hide one. Nothing is kept of such a text. */
const MAX_PASSES = 20;

/** Without the punctuation of the sentence around it. */
function trimmed(link: string): string {
  let end = link.length;
  while (end > 0 && TRAILING.has(link[end - 1]!)) end--;
  return link.slice(0, end);
}

/** Without characters that are not seen. */
export const visible = (text: string): string => text.normalize("NFC").replace(UNSEEN, "");

/** All links in the text, as they stand there. */
export function linksIn(text: string): Set<string> {
  const links = new Set<string>();
  const plain = visible(text).replace(MARKDOWN, (_, label: string, target: string) => {
    links.add(addressIn(target));
    return ` ${label} `;
  });
  for (const {
    0: { length },
    index,
  } of dotted(plain).matchAll(LINK))
    links.add(trimmed(plain.slice(index, index + length)));
  return links;
}

/** The text with the links in `allowed`, letter for letter, and without all others. Markdown links become their text. */
export function withoutOtherLinks(text: string, allowed: ReadonlySet<string>): string {
  // What stood around a link can be one without it: `1.2.3.4https://evil`.
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const rest = onceWithout(text, allowed);
    if (rest === text) return text;
    text = rest;
  }
  return "";
}

function onceWithout(text: string, allowed: ReadonlySet<string>): string {
  const plain = visible(text).replace(MARKDOWN, (_, label: string, target: string) =>
    allowed.has(addressIn(target)) ? `${label} ${addressIn(target)}` : label,
  );
  return dotted(plain).replace(LINK, ({ length }, at: number) => {
    const found = plain.slice(at, at + length);
    const link = trimmed(found);
    return allowed.has(link) ? found : found.slice(link.length);
  });
}

/** The text without any link. */
export const withoutLinks = (text: string): string => withoutOtherLinks(text, new Set());

/** The text with the links of `source`, letter for letter, and without all others. A Markdown link that stands there as a whole stays whole. */
export function withLinksOf(source: string, text: string): string {
  const allowed = linksIn(source);
  const whole = [...new Set(source.match(MARKDOWN))];
  if (!whole.length) return withoutOtherLinks(text, allowed);
  return text
    .split(new RegExp(`(${whole.map((link) => link.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|")})`))
    .map((part, n) => (n % 2 ? part : withoutOtherLinks(part, allowed)))
    .join("");
}
