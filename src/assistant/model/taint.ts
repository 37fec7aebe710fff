/**
 * What tools have answered, to tell whether an argument comes out of it. An answer may hold what a stranger wrote, and a model
 * may do what it says.
 */
export class ToolAnswers {
  private readonly values = new Set<string>();
  /** Letters and digits of all answers: what is longer is found wherever it stands in one. */
  private text = "";

  /** Also what is in it, at any depth. */
  add(value: unknown): void {
    for (const leaf of leavesOf(value)) {
      this.values.add(plain(leaf));
      this.text += ` ${plain(leaf)}`;
      for (const name of namesIn(leaf)) this.values.add(name);
    }
  }

  /**
   * Whether a value in `args` is in the answers, or a name, number or address in it is, but not in what the contact wrote.
   * @param trusted what the contact and the workspace wrote
   * @param choices values that the tool's schema lists: to choose one of them says nothing
   */
  taint(args: unknown, trusted: string, choices: ReadonlySet<string>): boolean {
    const known = new Set([...namesIn(trusted), ...trusted.split(/\s+/).map(plain)]);
    const said = plain(trusted);
    return leavesOf(args).some((leaf) => {
      if (choices.has(leaf)) return false;
      const whole = plain(leaf);
      if (!whole || known.has(whole)) return false;
      if (this.values.has(whole) || (whole.length > SHORT && this.text.includes(whole)))
        return !(whole.length > 3 && said.includes(whole));
      return namesIn(leaf).some((name) => this.values.has(name) && !known.has(name));
    });
  }
}

/** A value that is no longer may stand in another one by chance. In characters. */
const SHORT = 5;

/** Letters and digits alone, so that "#W-12" and "w12" are the same. */
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Words with a digit or a sign inside, which name one thing: numbers, addresses, accounts. Also without the signs around them, as in JSON. */
const namesIn = (text: string): string[] =>
  [/\s/, /[\s"'<>()[\]{},;:=|&?]/]
    .flatMap((separator) => text.split(separator))
    .filter((word) => /\p{N}|\p{L}[@./_-]\p{L}/u.test(word))
    .map(plain)
    .filter(Boolean);

/** Truth values are left out: they carry nothing. */
function leavesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number" || typeof value === "bigint") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** The values that a JSON Schema lists. */
export function choicesIn(schema: unknown): Set<string> {
  const choices = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    const { enum: listed, const: only } = part as { enum?: unknown; const?: unknown };
    for (const one of [...(Array.isArray(listed) ? (listed as unknown[]) : []), only])
      if (typeof one === "string" || typeof one === "number") choices.add(String(one));
    for (const inner of Object.values(part)) visit(inner);
  };
  visit(schema);
  return choices;
}
