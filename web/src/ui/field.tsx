import { type ComponentProps, type ReactNode, useId } from "react";
import { languageOf } from "../api/failure.js";

interface Labelled {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
}

const INPUT =
  "w-full rounded-md border border-edge bg-surface px-3 text-text placeholder:text-muted aria-invalid:border-danger";

/** A labelled field with its hint and its error. The error is announced. */
export function Field({ label, hint, error, className = "", ...rest }: Labelled & ComponentProps<"input">): ReactNode {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        className={`${INPUT} h-9`}
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

export function Select({
  label,
  hint,
  error,
  className = "",
  children,
  ...rest
}: Labelled & ComponentProps<"select">): ReactNode {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ") || undefined;
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select
        {...rest}
        id={id}
        className={`${INPUT} h-9`}
        aria-invalid={error ? true : undefined}
        aria-describedby={described}
      >
        {children}
      </select>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && <Alert id={`${id}-error`}>{error}</Alert>}
    </div>
  );
}

/** One sentence about what went wrong. Screen readers read it at once. */
export const Alert = ({ id, children }: { id?: string; children: ReactNode }): ReactNode => (
  <p id={id} role="alert" lang={languageOf(children)} className="rounded-md bg-danger-soft px-3 py-2 text-danger">
    {children}
  </p>
);
