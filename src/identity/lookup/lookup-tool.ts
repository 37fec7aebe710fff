import type { OutboundClient } from "../../platform/outbound/outbound.client.js";
import { readPath } from "./json-path.js";

/** The customer's look-up tool: a URL that returns what is on file about a person, as JSON. */
export interface LookupSource {
  name: string;
  url: string;
  /** The whole `Authorization` header, such as `Bearer …`. */
  authorization: string | null;
  questions: readonly { key: string; path: string }[];
}

/** What the tool finds the person by. */
export interface LookupContact {
  id: string;
  externalId: string | null;
  name: string | null;
  emails: readonly string[];
  phones: readonly string[];
}

/**
 * Asks the tool about the contact.
 * @returns the answer on file for each question's key, or null if the tool has none
 * @throws OutboundError
 */
export async function lookUp(
  outbound: OutboundClient,
  { url, authorization, questions }: LookupSource,
  { id, externalId, name, emails, phones }: LookupContact,
): Promise<Map<string, string | null>> {
  const found = await outbound.fetchJson(url, {
    method: "POST",
    body: { contactId: id, externalId, name, emails, phones },
    ...(authorization !== null && { headers: { authorization } }),
  });
  return new Map(questions.map(({ key, path }) => [key, readPath(found, path)]));
}
