import { escapeHtml } from "../../../platform/markdown/html.js";

const MAX_PAGES = 1_000;
const MAX_CHARACTERS = 3_000_000;
/** What stands out by this much is a heading. */
const STANDS_OUT = 1.15;
const MAX_HEADING = 150;
/** A gap of so many lines begins a paragraph. */
const PARAGRAPH_GAP = 1.6;
/** A line at the same place of so many pages is a header or a footer. */
const REPEATED_ON = 3;

interface Line {
  text: string;
  size: number;
  y: number;
  page: number;
}
/** What is used of pdf.js. The package's types name files that it does not have. */
interface Pdf {
  numPages: number;
  getPage: (n: number) => Promise<{ getTextContent: () => Promise<{ items: Item[] }>; cleanup: () => void }>;
  getMetadata: () => Promise<{ info: { Title?: unknown } }>;
  destroy: () => Promise<void>;
}
interface Item {
  str?: string;
  transform?: number[];
  hasEOL?: boolean;
}

/**
 * A PDF as HTML: paragraphs, and headings where the letters are larger. A PDF says nothing of either, so both are guesses.
 * @throws Error: it cannot be read
 */
export async function htmlOfPdf(bytes: Uint8Array): Promise<{ html: string; title: string }> {
  // Half a second and 30 MB, for those that are read.
  const { getDocumentProxy } = await import("unpdf");
  const pdf = (await getDocumentProxy(bytes, {
    verbosity: 0,
    isEvalSupported: false,
    disableFontFace: true,
  })) as unknown as Pdf;
  const lines: Line[] = [];
  let characters = 0;
  for (let n = 1; n <= Math.min(pdf.numPages, MAX_PAGES) && characters < MAX_CHARACTERS; n++) {
    const page = await pdf.getPage(n);
    const found = linesOf((await page.getTextContent()).items, n);
    page.cleanup();
    for (const line of found) characters += line.text.length;
    lines.push(...found);
  }
  const { info } = await pdf.getMetadata().catch(() => ({ info: { Title: undefined } }));
  await pdf.destroy();
  return { html: htmlOf(withoutRepeated(lines)), title: typeof info.Title === "string" ? info.Title.trim() : "" };
}

function linesOf(items: readonly Item[], page: number): Line[] {
  const lines: Line[] = [];
  let line: Line | undefined;
  for (const { str = "", transform: [, , c = 0, d = 0, , y = 0] = [], hasEOL } of items) {
    if (str.trim()) {
      const size = Math.hypot(c, d);
      if (line && Math.abs(line.y - y) > Math.max(size, line.size) * 0.5) {
        lines.push(line);
        line = undefined;
      }
      line ??= { text: "", size, y, page };
      line.size = Math.max(line.size, size);
    }
    if (line) line.text += str;
    if (hasEOL && line) {
      lines.push(line);
      line = undefined;
    }
  }
  if (line) lines.push(line);
  return lines.map((one) => ({ ...one, text: one.text.replace(/\s+/g, " ").trim() }));
}

/** Page numbers differ, so digits do not count. */
function withoutRepeated(lines: readonly Line[]): Line[] {
  const key = ({ text, y }: Line): string => `${Math.round(y / 4)} ${text.replace(/\d+/g, "#")}`;
  const pages = new Map<string, Set<number>>();
  for (const line of lines) {
    const on = pages.get(key(line));
    if (on) on.add(line.page);
    else pages.set(key(line), new Set([line.page]));
  }
  return lines.filter((line) => pages.get(key(line))!.size < REPEATED_ON && !/^[\d\s.–-]*$/.test(line.text));
}

/** The size in which most of the text is. */
function bodySize(lines: readonly Line[]): number {
  const counts = new Map<number, number>();
  for (const { size, text } of lines) {
    const rounded = Math.round(size * 2) / 2;
    counts.set(rounded, (counts.get(rounded) ?? 0) + text.length);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

function htmlOf(lines: readonly Line[]): string {
  const body = bodySize(lines);
  const isHeading = ({ size, text }: Line): boolean =>
    size > body * STANDS_OUT && text.length <= MAX_HEADING && /\p{L}/u.test(text);
  const sizes = [...new Set(lines.filter(isHeading).map(({ size }) => Math.round(size)))].sort((a, b) => b - a);
  const html: string[] = [];
  let paragraph: Line[] = [];
  let heading: Line[] = [];
  const end = (): void => {
    if (heading.length) {
      const level = Math.min(1 + sizes.indexOf(Math.round(heading[0]!.size)), 6);
      html.push(`<h${level}>${escapeHtml(joined(heading))}</h${level}>\n`);
    }
    if (paragraph.length) html.push(paragraphOf(paragraph));
    [heading, paragraph] = [[], []];
  };
  for (const [i, line] of lines.entries()) {
    const last = lines[i - 1];
    if (isHeading(line)) {
      // A heading of two lines.
      if (!heading.length || Math.round(heading[0]!.size) !== Math.round(line.size) || heading.length > 2) end();
      heading.push(line);
      continue;
    }
    if (heading.length || (last && beginsParagraph(last, line))) end();
    paragraph.push(line);
  }
  end();
  return html.join("");
}

const BULLET = /^[•◦▪‣–*-]\s+(?=\S)/;

function beginsParagraph(last: Line, line: Line): boolean {
  if (BULLET.test(line.text) || last.text.endsWith("?")) return true;
  // A page may end within a paragraph.
  if (last.page !== line.page) return /[.!:]$/.test(last.text);
  return last.y - line.y > Math.max(last.size, line.size) * PARAGRAPH_GAP;
}

function paragraphOf(lines: readonly Line[]): string {
  const text = joined(lines);
  if (BULLET.test(text)) return `<ul><li>${escapeHtml(text.replace(BULLET, ""))}</li></ul>\n`;
  return `<p>${text.endsWith("?") ? `<strong>${escapeHtml(text)}</strong>` : escapeHtml(text)}</p>\n`;
}

/** A word that was divided at the end of a line is one again. */
const joined = (lines: readonly Line[]): string =>
  lines
    .reduce(
      (text, line) =>
        /\p{L}-$/u.test(text) && /^\p{Ll}/u.test(line.text) ? text.slice(0, -1) + line.text : `${text} ${line.text}`,
      "",
    )
    .trim();
