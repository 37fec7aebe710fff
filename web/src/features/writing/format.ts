/** A text with what is selected in it. */
export interface Selected {
  text: string;
  from: number;
  to: number;
}
export const FORMATS = ["bold", "italic", "list", "link", "quote", "code"] as const;
export type Format = (typeof FORMATS)[number];

const AROUND = { bold: "**", italic: "*", code: "`" } as const;
const BEFORE = { list: "- ", quote: "> " } as const;
const FENCE = "```";

/** Puts a mark around what is selected, or takes it away again. */
function around({ text, from, to }: Selected, mark: string): Selected {
  const inner = text.slice(from, to);
  const [before, after] = [text.slice(0, from), text.slice(to)];
  // One star beside another is half of a bold mark.
  const isHalf = mark === "*" && (before.endsWith("**") || after.startsWith("**"));
  if (!isHalf && before.endsWith(mark) && after.startsWith(mark))
    return {
      text: before.slice(0, -mark.length) + inner + after.slice(mark.length),
      from: from - mark.length,
      to: to - mark.length,
    };
  return { text: before + mark + inner + mark + after, from: from + mark.length, to: to + mark.length };
}

/** Puts a mark before each line of what is selected, or takes it away again. */
function beforeLines({ text, from, to }: Selected, mark: string): Selected {
  const begin = text.lastIndexOf("\n", from - 1) + 1;
  const lines = text.slice(begin, to).split("\n");
  const isThere = lines.every((line) => line.startsWith(mark));
  const next = lines.map((line) => (isThere ? line.slice(mark.length) : mark + line)).join("\n");
  const end = begin + next.length;
  return { text: text.slice(0, begin) + next + text.slice(to), from: lines.length > 1 ? begin : end, to: end };
}

/** The text with a format of Markdown where it is selected, and with what to write next selected. */
export function formatted(selected: Selected, format: Format): Selected {
  const { text, from, to } = selected;
  const inner = text.slice(from, to);
  switch (format) {
    case "list":
    case "quote":
      return beforeLines(selected, BEFORE[format]);
    case "code": {
      if (!inner.includes("\n")) return around(selected, AROUND.code);
      const block = `${FENCE}\n${inner}\n${FENCE}`;
      return {
        text: text.slice(0, from) + block + text.slice(to),
        from: from + FENCE.length + 1,
        to: to + FENCE.length + 1,
      };
    }
    case "link": {
      const isAddress = /^https?:\/\/\S+$/.test(inner);
      const link = isAddress ? `[](${inner})` : `[${inner}](https://)`;
      const at = isAddress || inner === "" ? from + 1 : from + link.length - 1;
      return { text: text.slice(0, from) + link + text.slice(to), from: at, to: at };
    }
    default:
      return around(selected, AROUND[format]);
  }
}
