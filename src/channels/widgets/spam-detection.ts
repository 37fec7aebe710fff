/** Why a message may have been written by a program, as operators read it. */
export type SpamSign = "honeypot" | "no start" | "too fast" | "too late" | "links only" | "repeated text";

/** People take longer than this, and programs keep what they have once read for longer than that. */
const FASTEST_MS = 3_000;
const LATEST_MS = 24 * 3_600_000;
/** Beside a link there should be as many letters. */
const LEAST_LETTERS = 15;
const LINK = /(?:https?:\/\/|www\.)\S+|\b[\w-]+(?:\.[\w-]+)+\/\S*/gi;

/** @param age since the form was begun, in milliseconds; null where nothing of ours says so */
export function detectSpam({
  message,
  website,
  age,
  repeated,
}: {
  message: string;
  website?: string;
  age: number | null;
  repeated: boolean;
}): SpamSign[] {
  const rest = message.replace(LINK, "");
  return [
    ...(website ? ["honeypot" as const] : []),
    ...(age === null
      ? ["no start" as const]
      : age < FASTEST_MS
        ? ["too fast" as const]
        : age > LATEST_MS
          ? ["too late" as const]
          : []),
    ...(rest !== message && (rest.match(/\p{L}/gu) ?? []).length < LEAST_LETTERS ? ["links only" as const] : []),
    ...(repeated ? ["repeated text" as const] : []),
  ];
}

/** What two messages have in common that differ in case, spaces, numbers and signs; null for what is too short to tell by. */
export function textFingerprint(message: string): string | null {
  const letters = message.toLowerCase().replace(/[^\p{L}]+/gu, "");
  return letters.length < 30 ? null : letters;
}
