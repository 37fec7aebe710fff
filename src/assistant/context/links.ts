/** Characters that are not seen: they could hide a link, or turn the text around. Joiners are letters of some scripts. */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}|(?![\n\t])\p{Cc}|[\u2028\u2029]/gu;
/** `[text](address)` and `![text](address)` */
const MARKDOWN = /!?\[([^\]\n]{0,500})\]\(([^()\n]{0,2000})\)/g;
/** Without the angle brackets around it, and the title after it. */
const addressIn = (target: string): string =>
  trimmed(target.trim().split(/\s/)[0]!.replace(/^</, "").replace(/>$/, ""));
/** Also the full stops that a browser takes for a dot. Before other than Latin letters they end a sentence. */
const DOT = String.raw`(?:[.\uff0e]|[\u3002\uff61](?=[\p{Script=Latin}\p{Nd}]))`;
/** An address with a scheme, a mail address, or a host with or without a path: what mail and chat programs make clickable. */
const LINK = new RegExp(
  [
    String.raw`\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"“”]+`,
    String.raw`\b(?:mailto|tel|sms|javascript|data|file|vbscript|whatsapp|tg|skype|callto|facetime|geo|intent):[^\s<>"“”]+`,
    String.raw`(?:[\p{L}\p{N}._%+-]{1,64}@)?(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}${DOT}){1,10}(?:xn--[a-z0-9-]+|\p{L}{2,63})(?::\d+)?(?:[/?#][^\s<>"“”]*)?`,
    String.raw`\b\d{1,3}(?:${DOT}\d{1,3}){3}(?::\d+)?(?:[/?#][^\s<>"“”]*)?`,
  ].join("|"),
  "giu",
);
const TRAILING = new Set(`.,;:!?)]}'"»…*_`);

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
  for (const [link] of plain.matchAll(LINK)) links.add(trimmed(link));
  return links;
}

/** The text with the links in `allowed`, letter for letter, and without all others. Markdown links become their text. */
export function withoutOtherLinks(text: string, allowed: ReadonlySet<string>): string {
  const plain = visible(text).replace(MARKDOWN, (_, label: string, target: string) =>
    allowed.has(addressIn(target)) ? `${label} ${addressIn(target)}` : label,
  );
  return plain.replace(LINK, (found) => {
    const link = trimmed(found);
    return allowed.has(link) ? found : found.slice(link.length);
  });
}

/** The text without any link. */
export const withoutLinks = (text: string): string => withoutOtherLinks(text, new Set());
