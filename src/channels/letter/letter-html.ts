import {
  type Direction,
  escapeHtml,
  htmlOfMarkdown,
  htmlOfText,
  lineHeight,
  type Picture,
} from "../../platform/markdown/html.js";
import type { Letter, LetterFiles, Quoted, Written } from "./letter.js";
import { directionOf, filesLine } from "./words.js";

/** Fonts that are there, the one of Windows first: its Outlook takes Times if it does not know the first. */
const FONT = `font-family:'Segoe UI',Helvetica,Arial,sans-serif;font-size:15px;${lineHeight(24)}`;
/** Quiet in light and dark. A grey would be too weak in one of the two. Outlook shows it as other text. */
const QUIET = "opacity:.7";
const LOGO_HEIGHT = 32;

/**
 * The HTML part. Plain blocks with inline styles, because Outlook's Word engine knows no more, and Gmail drops the head. No colour of
 * text or ground, so that each program's dark mode sets both.
 */
export function letterHtml({ body, letter }: Letter, files: LetterFiles): string {
  const { format, language, signature, footer, logo, quoted = [] } = letter;
  const direction = directionOf(language);
  const render = renderer(direction, files);
  const place = `lang="${escapeHtml(language)}" dir="${direction}"`;
  return `<!doctype html>
<html ${place}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
</head>
<body>
<div ${place} style="max-width:640px;${FONT};text-align:${direction === "rtl" ? "right" : "left"};word-wrap:break-word;overflow-wrap:break-word">
${render({ body, format })}${filesHtml(letter, files)}${signature ? block("24px 0 0", render({ body: signature, format: "markdown" })) : ""}${footerHtml(footer && render({ body: footer, format: "markdown" }), logo)}${quotedHtml(quoted, direction, render)}</div>
</body>
</html>
`;
}

type Render = (written: Written) => string;

function renderer(direction: Direction, { pictures }: LetterFiles): Render {
  const pictureOf = (id: string): Picture | undefined => {
    const picture = pictures.get(id);
    return picture && { url: `cid:${contentIdOf(id)}`, width: picture.width };
  };
  return ({ body, format }) =>
    format === "markdown" ? htmlOfMarkdown(body, { direction, pictureOf }) : htmlOfText(body);
}

/** The `Content-ID` of a picture in the text, by the id of its attachment. */
export const contentIdOf = (attachmentId: string): string => `${attachmentId}@parley`;

const block = (margin: string, html: string, more = ""): string =>
  `<div style="margin:${margin}${more}">\n${html}</div>\n`;

function filesHtml({ language, timeZone }: Letter["letter"], { links, linkedUntil }: LetterFiles): string {
  if (!links.length) return "";
  const lines = links.map(
    ({ fileName, size, url }) => `<a href="${escapeHtml(url)}">${escapeHtml(fileName)}</a> (${megabytes(size)})`,
  );
  return `<p style="margin:0 0 16px">${escapeHtml(filesLine(language, timeZone, linkedUntil))}<br>\n${lines.join("<br>\n")}</p>\n`;
}
const megabytes = (size: number): string => `${Math.max(0.1, size / 1e6).toFixed(1)} MB`;

function footerHtml(footer: string | undefined, logo: { url: string; name: string } | undefined): string {
  const picture = logo
    ? `<p style="margin:0 0 12px"><img src="${escapeHtml(logo.url)}" alt="${escapeHtml(logo.name)}" height="${LOGO_HEIGHT}" style="height:${LOGO_HEIGHT}px;width:auto;border:0"></p>\n`
    : "";
  const text = footer ? `<div style="font-size:12px;${lineHeight(18)};${QUIET}">\n${footer}</div>\n` : "";
  return picture || text ? block("24px 0 0", picture + text) : "";
}

/** Its class and type are what Gmail and Apple Mail fold it by. */
function quotedHtml(quoted: readonly Quoted[], direction: Direction, render: Render): string {
  const [newest, ...older] = quoted;
  if (!newest) return "";
  const side = direction === "rtl" ? "right" : "left";
  const heading = (text: string): string => `<p style="margin:0 0 8px;${QUIET}">${escapeHtml(text)}</p>\n`;
  const inside = [render(newest), ...older.map((one) => heading(one.heading) + render(one))].join("");
  return `<div class="gmail_quote" style="margin:24px 0 0">
${heading(newest.heading)}<blockquote type="cite" class="gmail_quote" style="margin:0;padding-${side}:12px;border-${side}:2px solid #a3a3a3">
${inside}</blockquote>
</div>
`;
}
