import { type HeaderField, withoutComments } from "./header-fields.js";

/** The result of each method that a receiving server has recorded, and the domain that DMARC was about, if the server says so. */
export type RecordedResults = Readonly<Partial<Record<"spf" | "dkim" | "dmarc" | "from", string>>>;

/**
 * What the trusted server has recorded in its `Authentication-Results` (RFC 8601). Only the topmost counts, and only if it
 * is of that server: what stands below may have come with the mail.
 * @param server the server's name in the header (`authserv-id`)
 */
export function recordedBy(server: string, fields: readonly HeaderField[]): RecordedResults | undefined {
  const topmost = fields.find(({ name }) => name === "authentication-results");
  if (!topmost) return undefined;
  const [id = "", ...results] = withoutComments(topmost.value).split(";");
  // After the id there may be a version.
  if (id.trim().split(/\s/, 1)[0]!.toLowerCase() !== server.toLowerCase()) return undefined;
  const recorded: { -readonly [Name in keyof RecordedResults]: string } = {};
  for (const result of results) {
    const text = result.trim().toLowerCase();
    const [, method, value] = /^(spf|dkim|dmarc)(?:\/\d+)?\s?=\s?([a-z]+)/.exec(text) ?? [];
    // Of several signatures one that passes counts.
    if (!method || (recorded[method as keyof RecordedResults] !== undefined && value !== "pass")) continue;
    recorded[method as keyof RecordedResults] = value!;
    const from = /\sheader\.from\s?=\s?(?:\S*@)?(\S*)/.exec(text)?.[1];
    if (method === "dmarc" && from !== undefined) recorded.from = from;
  }
  return recorded;
}
