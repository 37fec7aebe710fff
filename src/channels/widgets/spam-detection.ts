/** Why a message may be spam. Operators see these. */
export type SpamSign = "honeypot" | "no start" | "too fast" | "too late" | "links only" | "repeated text" | "flood";

/** A person takes longer than the minimum. A form older than the maximum was probably stored by a program. */
const MIN_AGE_MS = 3_000;
const MAX_AGE_MS = 24 * 3_600_000;
/** A message with a link should have this many other letters. */
const MIN_LETTERS = 15;
const SCHEME = /https?:\/\/|www\./i;
const HOST_CHARACTER = /[\w.-]/;

/** The part of a word before the link in it, such as `(https://example.org)`; undefined if there is none. */
function beforeLink(word: string): string | undefined {
  const scheme = word.search(SCHEME);
  for (let slash = word.indexOf("/"), host = 0; slash >= 0; host = slash + 1, slash = word.indexOf("/", host)) {
    if (scheme >= 0 && scheme < slash) break;
    let from = slash;
    while (from > host && HOST_CHARACTER.test(word[from - 1]!)) from--;
    // `example.org/`, but not `and/or`.
    if (word.slice(from, slash).split(".").filter(Boolean).length > 1) return word.slice(0, from);
  }
  return scheme < 0 ? undefined : word.slice(0, scheme);
}

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
  const words = message.split(/\s+/);
  const rests = words.map(beforeLink);
  const hasLink = rests.some((rest) => rest !== undefined);
  const rest = words.map((word, at) => rests[at] ?? word).join(" ");
  return [
    ...(website ? ["honeypot" as const] : []),
    ...(age === null
      ? ["no start" as const]
      : age < MIN_AGE_MS
        ? ["too fast" as const]
        : age > MAX_AGE_MS
          ? ["too late" as const]
          : []),
    ...(hasLink && (rest.match(/\p{L}/gu) ?? []).length < MIN_LETTERS ? ["links only" as const] : []),
    ...(repeated ? ["repeated text" as const] : []),
    ...(flood ? ["flood" as const] : []),
  ];
}

/** The letters of a message, equal for messages that differ only in case, spaces, digits and signs. Null if it is too short. */
export function textFingerprint(message: string): string | null {
  const letters = message.toLowerCase().replace(/\P{L}+/gu, "");
  return letters.length < 30 ? null : letters;
}
