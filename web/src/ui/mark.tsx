import type { ReactNode } from "react";

/** Parley's mark, as in `icon.svg`. */
export const Mark = ({ size = 20 }: { size?: number }): ReactNode => (
  <svg aria-hidden="true" viewBox="0 0 32 32" width={size} height={size} className="shrink-0">
    <rect width="32" height="32" rx="8" className="fill-accent" />
    <path
      d="M9 8h14a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3h-7l-6 5v-5H9a3 3 0 0 1-3-3v-7a3 3 0 0 1 3-3z"
      className="fill-on-accent"
    />
  </svg>
);
