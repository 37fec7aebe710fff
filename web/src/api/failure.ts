import { ConnectionError, ForbiddenError, NotFoundError, ParleyError, TimeoutError } from "@parley/sdk/core";
import i18n, { translated } from "../i18n/i18n.js";
import { SignInError } from "../session/session.js";

/** What a person is told about a failed request. */
export interface Failure {
  /** One sentence, in the member's language if we know it in that. */
  sentence: string;
  /** What the server said. Each of its sentences begins with the field that it is about, if it is about one. */
  said?: string[];
  /** For the support: finds the request in the server's log. */
  requestId?: string;
  kind: "offline" | "forbidden" | "missing" | "refused" | "broken";
}

const english = new Set<string>();
/** The language of a text, if the server said it and nobody has translated it. Screen readers read it right then. */
export const languageOf = (text: unknown): "en" | undefined =>
  typeof text === "string" && english.has(text) ? "en" : undefined;

/** What the server said, in the member's language if we know it in that. `end` makes a whole sentence of a part. */
export function spoken(said: string, end = (words: string): string => words): string {
  const parts = said.split("; ").map(translated);
  const words = translated(said) ?? (parts.includes(undefined) ? undefined : parts.join("; "));
  const sentence = end(words ?? said);
  if (words === undefined) english.add(sentence);
  return sentence;
}

export function failureOf(error: unknown): Failure {
  const requestId = error instanceof ParleyError ? error.requestId : undefined;
  if (error instanceof ConnectionError || error instanceof TimeoutError || error instanceof SignInError)
    return { kind: "offline", sentence: i18n.t("failure.offline") };
  if (error instanceof ForbiddenError) return { kind: "forbidden", sentence: i18n.t("failure.forbidden"), requestId };
  if (error instanceof NotFoundError) return { kind: "missing", sentence: i18n.t("failure.missing"), requestId };
  if (error instanceof ParleyError && error.status !== undefined && error.status < 500)
    return { kind: "refused", sentence: spoken(error.message), said: error.message.split("; "), requestId };
  return { kind: "broken", sentence: i18n.t("failure.broken"), requestId };
}
