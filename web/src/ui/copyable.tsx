import { type ReactNode, useId, useRef } from "react";
import { Copy } from "./copy.js";

/** A text that is pasted elsewhere, with a button that copies it. */
export function Copyable({ label, hint, value }: { label: string; hint?: string; value: string }): ReactNode {
  const id = useId();
  const shown = useRef<HTMLElement>(null);
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col gap-1">
      <div className="flex min-h-7 items-center gap-2">
        <p id={id} className="min-w-0 flex-1 font-medium">
          {label}
        </p>
        <Copy small value={value} shown={shown} />
      </div>
      <code
        ref={shown}
        dir="ltr"
        className="rounded-md border border-line bg-canvas px-3 py-2 text-start font-mono text-sm break-all select-all"
      >
        {value}
      </code>
      {hint !== undefined && <p className="text-sm text-muted">{hint}</p>}
    </div>
  );
}
