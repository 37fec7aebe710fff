import type { ReactNode } from "react";

/** A text with the words that were searched for. */
export function Marked({ parts }: { parts: readonly { text: string; match: boolean }[] }): ReactNode {
  return parts.map(({ text, match }, at) =>
    match ? (
      <mark key={at} className="rounded-sm bg-note px-0.5 font-medium text-note-text">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

/** So much of a text is shown before the first word that was found, and in all. */
const BEFORE = 60;
const LENGTH = 240;

/** The place of a text that has the words, or its beginning if it has none of them: a search by meaning finds other words, too. */
export function excerptOf(text: string, query: string): { text: string; match: boolean }[] {
  const words = query
    .split(/\s+/)
    .filter((word) => word.length > 1)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = words.length > 0 ? new RegExp(`(${words.join("|")})`, "giu") : /($^)/u;
  const at = Math.max(0, text.search(pattern) - BEFORE);
  const begin = at === 0 ? 0 : text.indexOf(" ", at) + 1;
  const shown = `${begin > 0 ? "… " : ""}${text.slice(begin, begin + LENGTH)}${begin + LENGTH < text.length ? " …" : ""}`;
  // Every second part is what the pattern found.
  return shown.split(pattern).map((part, index) => ({ text: part, match: index % 2 === 1 }));
}
