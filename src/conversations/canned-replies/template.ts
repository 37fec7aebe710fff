import { namedEnum } from "../../platform/enums/named-enum.js";
import { escapeMarkdown } from "../../platform/markdown/escape.js";

/** What a canned reply can say about its conversation. `docs/conversations.md` lists them, too. */
export const VARIABLES = namedEnum("CannedReplyVariable", "What a canned reply can say about its conversation.", [
  "contact.name",
  "contact.firstName",
  "member.name",
  "member.firstName",
  "conversation.id",
  "conversation.subject",
  "workspace.name",
  "brand.name",
]);
export type Variable = (typeof VARIABLES)[number];
export type Values = Partial<Record<Variable, string | null>>;

/** In one text. Together with the longest text and the longest values, what is filled in still fits into a message. */
const MAX_VARIABLES = 50;

/**
 * `{{contact.firstName}}`, or `{{contact.firstName | there}}` with what to write where there is no value. There is one way to
 * match, so the time is linear in the length of the text.
 */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

function parse(inside: string): { name: string; fallback: string | undefined } {
  const bar = inside.indexOf("|");
  return bar < 0
    ? { name: inside.trim(), fallback: undefined }
    : { name: inside.slice(0, bar).trim(), fallback: inside.slice(bar + 1).trim() };
}

const isVariable = (name: string): name is Variable => (VARIABLES as readonly string[]).includes(name);

/** @returns a sentence about the first thing that is wrong with a text, or undefined */
export function problemOf(body: string): string | undefined {
  let count = 0;
  for (const [written, inside = ""] of body.matchAll(PLACEHOLDER)) {
    if (!isVariable(parse(inside).name))
      return `${written.slice(0, 100)} is not a variable. Use one of ${VARIABLES.join(", ")}`;
    if (++count > MAX_VARIABLES) return `body has more than ${MAX_VARIABLES} variables`;
  }
  if (/\{\{|\}\}/.test(body.replace(PLACEHOLDER, " ")))
    return "body has {{ or }} without its counterpart. A variable is written {{contact.name}}";
  return undefined;
}

/**
 * Puts the values into a text. A variable without a value and without a fallback stays as it is, so that whoever sends the
 * text sees it.
 * @returns the text, and the variables that stayed
 */
export function fill(body: string, values: Values): { body: string; missing: Variable[] } {
  const missing = new Set<Variable>();
  const filled = body.replace(PLACEHOLDER, (written: string, inside: string) => {
    const { name, fallback } = parse(inside);
    if (!isVariable(name)) return written;
    const value = values[name]?.trim().replace(/\s+/g, " ");
    // A name is text, not Markdown.
    if (value) return escapeMarkdown(value);
    if (fallback !== undefined) return fallback;
    missing.add(name);
    return written;
  });
  return { body: filled, missing: [...missing] };
}
