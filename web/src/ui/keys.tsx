import type { ReactNode } from "react";
import { nameOfKey } from "../keyboard/keys.js";

/** The keys of a shortcut, in the order in which they are pressed. */
export const Keys = ({ keys }: { keys: readonly string[] }): ReactNode => (
  <span className="flex gap-1">
    {keys.map((key) => (
      <kbd key={key} className="rounded border border-line bg-canvas px-1.5 font-mono text-xs leading-5">
        {nameOfKey(key)}
      </kbd>
    ))}
  </span>
);
