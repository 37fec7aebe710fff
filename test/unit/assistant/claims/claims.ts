import fs from "node:fs";

/** What a model might write, about one entry. */
export interface Claim {
  question: string;
  source: string;
  text: string;
  faithful: boolean;
  /** What was changed, or `faithful`. */
  kind: string;
  /** Nobody looked at these while the check was made. Every other entry, so that none is in both halves. */
  heldOut: boolean;
}

/** How many claims of each kind are made by rules, beside those that were written by hand. */
const BY_RULES = 54;

/** Each is one change that leaves what the source says as it is. */
const KEEPS: ((source: string) => string)[] = [
  (source) => source.replace(/\bcannot\b/i, "can't").replace(/\b(do|does|is|are) not\b/i, "$1n't"),
  (source) =>
    source.replace(
      /^(.+), (if|unless|as long as) (.+)\.$/,
      (_, main: string, word: string, rest: string) => `${capital(word)} ${rest}, ${small(main)}.`,
    ),
  (source) => source.replace(/^If (.+?), (.+)\.$/, (_, rest: string, main: string) => `${capital(main)} if ${rest}.`),
  (source) => `Please note: ${source}`,
];
/** Each is one change after which it is false. */
const BREAKS: [kind: string, change: (source: string) => string][] = [
  ["figure", (source) => source.replace(/\d+(?=\D*$)/, (digits) => String(Number(digits) + 3))],
  ["negation", (source) => source.replace(/\b(can|is|are|do|does) not\b/i, "$1").replace(/\bcannot\b/i, "can")],
  ["negation", (source) => source.replace(/\b(can|is|are|may)\b(?! not)/i, "$1 not")],
  ["condition", (source) => source.replace(/,? (?:if|unless|as long as) .+\.$/, ".")],
  ["promise", (source) => `${source.replace(/\.$/, "")}, and you get a voucher of 10 euros.`],
];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const small = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** 300 of each. */
export function claims(): Claim[] {
  const written = fs
    .readFileSync("test/unit/assistant/claims/claims.txt", "utf8")
    .trim()
    .split(/\n\n+/)
    .map((block) => block.split("\n"));
  const all: Claim[] = [];
  const add = (n: number, text: string, kind: string): void => {
    const [source, ...lines] = written[n]!;
    const question = lines.find((line) => line.startsWith("q: "))?.slice(3) ?? "";
    all.push({ question, source: source!, text, kind, faithful: kind === "faithful", heldOut: n % 2 === 1 });
  };
  for (const [n, [, ...lines]] of written.entries())
    for (const line of lines) {
      const [, kind, text] = /^- (\w+): (.+)$/.exec(line) ?? [];
      if (line.startsWith("+ ")) add(n, line.slice(2), "faithful");
      else if (text) add(n, text, kind!);
    }
  for (let n = 0; n < BY_RULES; n++) {
    const first = written[n]![0]!.split(/(?<=\.) (?=\p{Lu})/u)[0]!;
    const turned = <T>(list: readonly T[]): T[] => list.map((_, i) => list[(i + n) % list.length]!);
    const kept = turned(KEEPS).map((change) => change(first));
    add(
      n,
      kept.find((text) => text !== first)!,
      "faithful",
    );
    const broken = turned(BREAKS).map(([kind, change]) => [kind, change(first)] as const);
    const [kind, text] = broken.find(([, one]) => one !== first)!;
    add(n, text, kind);
  }
  return all;
}
