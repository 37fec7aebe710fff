import { type ComponentProps, type ReactNode, useId } from "react";
import { Alert } from "./field.js";

interface Props extends ComponentProps<"textarea"> {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
}

/** A labelled field of several lines, with its hint and its error. It grows with its text. */
export function TextArea({ label, hint, error, className = "", ...rest }: Props): ReactNode {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <textarea
        rows={3}
        {...rest}
        id={id}
        className="field-sizing-content max-h-96 min-h-20 w-full rounded-md border border-edge bg-surface px-3 py-2 text-text placeholder:text-muted aria-invalid:border-danger"
        aria-invalid={error ? true : undefined}
        aria-describedby={described}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <Alert id={`${id}-error`}>{error}</Alert>}
    </div>
  );
}
