import type { TextPart } from "../../ui/excerpt.js";

/** The name of a value, as JSON has it. */
const NAMED = /"[\w .-]{1,80}"\s*:/;

/** Parts of what an integration noted as JSON, such as the call of a tool: its names and values, without quotes and brackets. */
export function readable(parts: readonly TextPart[]): readonly TextPart[] {
  if (!NAMED.test(parts.map(({ text }) => text).join(""))) return parts;
  return parts.map(({ text, match }) => ({
    match,
    text: text
      .replaceAll(/\\["n]/g, "")
      .replaceAll(/["}\]]*\s?,\s?["{[]+/g, " · ")
      .replaceAll(/"\s?:\s?[["{]*/g, ": ")
      .replaceAll(/[{}[\]"]/g, ""),
  }));
}
