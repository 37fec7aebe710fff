import type { OutboundClient } from "../../platform/outbound/outbound.client.js";
import { readPath } from "./json-path.js";

/** A look-up tool of the customer's: tells about a person what questions can be asked about. */
export interface LookupSource {
  name: string;
  url: string;
  /** The whole `Authorization` header, such as `Bearer …`. */
  authorization: string | null;
  questions: readonly { key: string; path: string }[];
}

/** By what the tool finds the person. */
export interface LookupContact {
  id: string;
  externalId: string | null;
  name: string | null;
  emails: readonly string[];
  phones: readonly string[];
}

/**
 * Asks the tool about the contact.
 * @returns what is on file for each question, by its key; null where the tool knows nothing
 * @throws OutboundError
 */
export async function lookUp(
  outbound: OutboundClient,
  { url, authorization, questions }: LookupSource,
  { id, externalId, name, emails, phones }: LookupContact,
): Promise<Map<string, string | null>> {
  const known = await outbound.fetchJson(url, {
    method: "POST",
    body: { contactId: id, externalId, name, emails, phones },
    ...(authorization !== null && { headers: { authorization } }),
  });
  return new Map(questions.map(({ key, path }) => [key, readPath(known, path)]));
}
