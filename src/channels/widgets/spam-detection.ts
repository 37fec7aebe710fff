/** Why a message may be spam. Operators see these. */
export type SpamSign = "honeypot" | "no start" | "too fast" | "too late" | "links only" | "repeated text" | "flood";

/** A person takes longer than the minimum. A form older than the maximum was probably stored by a program. */
const MIN_AGE_MS = 3_000;
const MAX_AGE_MS = 24 * 3_600_000;
/** A message with a link should have this many other letters. */
const MIN_LETTERS = 15;
const LINK = /(?:https?:\/\/|www\.)\S+|\b[\w-]+(?:\.[\w-]+)+\/\S*/gi;

/**
 * @param age milliseconds since the form was opened; null if `start` is missing or not signed by us
 * @param flood the form gets more messages than usual
 */
export function detectSpam({
  message,
  website,
  age,
  repeated,
  flood,
}: {
  message: string;
  website?: string;
  age: number | null;
  repeated: boolean;
  flood: boolean;
}): SpamSign[] {
  const rest = message.replace(LINK, "");
  return [
    ...(website ? ["honeypot" as const] : []),
    ...(age === null
      ? ["no start" as const]
      : age < MIN_AGE_MS
        ? ["too fast" as const]
        : age > MAX_AGE_MS
          ? ["too late" as const]
          : []),
    ...(rest !== message && (rest.match(/\p{L}/gu) ?? []).length < MIN_LETTERS ? ["links only" as const] : []),
    ...(repeated ? ["repeated text" as const] : []),
    ...(flood ? ["flood" as const] : []),
  ];
}

/** The letters of a message, equal for messages that differ only in case, spaces, digits and signs. Null if it is too short. */
export function textFingerprint(message: string): string | null {
  const letters = message.toLowerCase().replace(/[^\p{L}]+/gu, "");
  return letters.length < 30 ? null : letters;
}
