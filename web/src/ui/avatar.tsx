import type { ReactNode } from "react";

/** Grounds that white or black letters can be read on, in both themes. */
const GROUNDS = [
  "bg-[light-dark(#dfe5fb,#2a3358)]",
  "bg-[light-dark(#dcefe4,#1f3d2d)]",
  "bg-[light-dark(#fbe6d8,#47301f)]",
  "bg-[light-dark(#f1e0f4,#3d2843)]",
  "bg-[light-dark(#dcecf3,#1e3a47)]",
  "bg-[light-dark(#f3ead2,#3e3519)]",
];

/** The initials of a person, on a colour that stays theirs. The name stands beside it, so it is hidden from screen readers. */
export function Avatar({ id, name, size = "md" }: { id: string; name: string | null; size?: "sm" | "md" }): ReactNode {
  const initials = (name ?? "?")
    .split(/\s+/, 3)
    .map((part) => [...part][0] ?? "")
    .slice(0, 2)
    .join("")
    .toUpperCase();
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 997;
  return (
    <span
      aria-hidden="true"
      className={`inline-flex shrink-0 items-center justify-center rounded-full font-medium text-text ${size === "sm" ? "size-6 text-[0.625rem]" : "size-8 text-xs"} ${GROUNDS[sum % GROUNDS.length]}`}
    >
      {initials}
    </span>
  );
}
