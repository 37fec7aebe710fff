import { type ComponentProps, type ReactNode, useId } from "react";

/** A labelled checkbox with its hint. */
export function Check({
  label,
  hint,
  ...rest
}: { label: string; hint?: string } & Omit<ComponentProps<"input">, "type">): ReactNode {
  const id = useId();
  return (
    <div className="flex gap-2">
      <input
        {...rest}
        id={id}
        type="checkbox"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
