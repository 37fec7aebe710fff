import { type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { Button, type ButtonProps } from "./button.js";

const TYPED_IN = "textarea, input:not([type=checkbox], [type=radio], [type=hidden])";

/**
 * The button that sends a form which is empty or gone afterwards.
 * The form takes no input while it is sent: what was typed then would be lost with it.
 * The page is not loaded again without a question while something is typed.
 */
export function Submit({
  isBusy,
  disabled,
  ...rest
}: Omit<ButtonProps, "type" | "ref"> & { isBusy: boolean }): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const form = button.current?.form;
    if (!isBusy || !form) return undefined;
    const before = document.activeElement as HTMLElement | null;
    // The row of the button stays, with what cancels.
    const fields = [...form.children].filter((part) => !part.contains(button.current)) as HTMLElement[];
    for (const part of fields) {
      // The browser itself takes the focus away a moment later.
      if (part.contains(before)) before?.blur();
      part.inert = true;
    }
    return () => {
      for (const part of fields) part.inert = false;
      // It was refused. Whoever has gone somewhere else meanwhile stays there.
      if (document.activeElement?.contains(form)) before?.focus();
    };
  }, [isBusy]);
  useEffect(() => {
    const form = button.current?.form;
    if (!form) return undefined;
    let isTyped = false;
    const end = new AbortController();
    form.addEventListener("input", () => (isTyped = true), end);
    const ask = (event: Event): void => {
      const fields = [...form.querySelectorAll<HTMLInputElement>(TYPED_IN)];
      if (isTyped && fields.some(({ value }) => value !== "")) event.preventDefault();
    };
    window.addEventListener("beforeunload", ask, end);
    return () => end.abort();
  }, []);
  return <Button look="primary" {...rest} ref={button} type="submit" disabled={disabled === true || isBusy} />;
}
