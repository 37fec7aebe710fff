import MarkdownIt from "markdown-it";
import { decodeText } from "../../../platform/charsets/decode-text.js";
import { htmlOfDocx } from "./docx.js";
import { readHtml } from "./html.js";
import { htmlOfPdf } from "./pdf.js";
import type { ReadDocument } from "./sections.js";

/** How a document is written. */
export type Format = "html" | "markdown" | "pdf" | "docx";

const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const FORMATS: readonly [Format, RegExp, RegExp][] = [
  ["html", /^(?:text\/html|application\/xhtml\+xml)$/, /\.x?html?$/i],
  ["pdf", /^application\/pdf$/, /\.pdf$/i],
  ["docx", new RegExp(`^${DOCX.replace(/\./g, "\\.")}$`), /\.docx$/i],
  ["markdown", /^text\/(?:markdown|x-markdown)$/, /\.(?:md|markdown|mdx|txt)$/i],
];

/** By its type, or, where that says little, by its name. Undefined: it is none that can be read. */
export function formatOf(contentType: string, name: string): Format | undefined {
  const type = contentType.split(";", 1)[0]!.trim().toLowerCase();
  const known = FORMATS.find(([, types]) => types.test(type));
  if (known) return known[0];
  // A server that does not know an extension says `text/plain`, and one of an archive is not looked into.
  const says = /^(?:|text\/plain|application\/(?:octet-stream|zip))$/.test(type);
  const named = says ? FORMATS.find(([, , names]) => names.test(name))?.[0] : undefined;
  return named ?? (type === "text/plain" ? "markdown" : undefined);
}

export interface Unread {
  bytes: Uint8Array;
  format: Format;
  contentType: string;
  url?: string;
  file?: string;
}

/** @throws Error: it cannot be read */
export async function readDocument({ bytes, format, contentType, url, file }: Unread): Promise<ReadDocument> {
  const named = { ...(url !== undefined && { url }), ...(file !== undefined && { file }) };
  if (format === "pdf") {
    const { html, title } = await htmlOfPdf(new Uint8Array(bytes));
    return readHtml(html, { ...named, title: title || nameOf(file ?? url ?? "") });
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (format === "docx") return readHtml(htmlOfDocx(buffer), { ...named, title: nameOf(file ?? url ?? "") });
  const text = textIn(buffer, contentType);
  if (format === "html") return readHtml(text, named);
  const { body, title } = withoutFrontMatter(text);
  return readHtml(markdown.render(body), { ...named, title: title || nameOf(file ?? url ?? "") });
}

/** Its HTML is read like any other, and none of it gets into an answer. */
const markdown = new MarkdownIt({ html: true, maxNesting: 100 });

const FRONT_MATTER = /^---\r?\n([\s\S]{0,10000}?)\r?\n---\r?\n/;

function withoutFrontMatter(text: string): { body: string; title: string } {
  const [whole = "", facts = ""] = FRONT_MATTER.exec(text) ?? [];
  const title =
    /^title:[ \t]*(\S.*)$/m
      .exec(facts)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, "$2") ?? "";
  return { body: text.slice(whole.length), title };
}

/** `refund_policy.docx` is called `refund policy`. */
const nameOf = (path: string): string => {
  const name = path.split(/[?#]/)[0]!.split("/").filter(Boolean).at(-1) ?? "";
  return name
    .replace(/\.[a-z\d]{1,8}$/i, "")
    .replace(/[_-]+/g, " ")
    .trim();
};

const CHARSET = /charset\s*=\s*["']?([\w-]{1,40})/i;

function textIn(bytes: Buffer, contentType: string): string {
  const declared = CHARSET.exec(contentType)?.[1] ?? CHARSET.exec(bytes.toString("latin1", 0, 2_000))?.[1] ?? "utf-8";
  const label = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : declared;
  try {
    return decodeText(bytes, label);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
