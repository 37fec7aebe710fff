import type { ComponentProps, ReactNode } from "react";

type Look = "primary" | "plain" | "quiet" | "danger" | "note";

const LOOKS: Record<Look, string> = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong border-transparent",
  plain: "bg-surface text-text border-edge/50 hover:bg-hover",
  quiet: "bg-transparent text-text border-transparent hover:bg-hover",
  danger: "bg-surface text-danger border-danger/60 hover:bg-danger-soft",
  note: "bg-note-strong text-surface border-transparent hover:opacity-90",
};

export interface ButtonProps extends ComponentProps<"button"> {
  look?: Look;
  small?: boolean;
}

/** A button. It is a `type="button"` unless you say otherwise, so that it never sends a form by accident. */
export const Button = ({ look = "plain", small, className = "", ...rest }: ButtonProps): ReactNode => (
  <button
    type="button"
    {...rest}
    className={`inline-flex items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors disabled:opacity-50 ${small ? "h-7 px-2 text-sm" : "h-9 px-3"} ${LOOKS[look]} ${className}`}
  />
);

/** A button that shows only an icon. Its label is its name, and is shown beside the pointer. */
export const IconButton = ({
  label,
  className = "",
  children,
  ...rest
}: { label: string } & ComponentProps<"button">): ReactNode => (
  <button
    type="button"
    {...rest}
    aria-label={label}
    title={label}
    className={`inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text disabled:opacity-50 ${className}`}
  >
    {children}
  </button>
);
