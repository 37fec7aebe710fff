import type { ReactNode } from "react";

const LOOKS = {
  plain: "bg-hover text-text",
  ok: "bg-hover text-ok",
  warn: "bg-note text-note-text",
  danger: "bg-danger-soft text-danger",
};

/** One or two words about what something is. */
export const Badge = ({ look = "plain", children }: { look?: keyof typeof LOOKS; children: ReactNode }): ReactNode => (
  <span className={`inline-block shrink-0 rounded px-1.5 text-xs leading-5 font-medium ${LOOKS[look]}`}>
    {children}
  </span>
);
