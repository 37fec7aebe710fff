import type { ReactNode } from "react";
import type { TextPart } from "./excerpt.js";

/** A text with the words that were searched for. */
export function Marked({ parts }: { parts: readonly TextPart[] }): ReactNode {
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
