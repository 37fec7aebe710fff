import { type RefObject, useEffect, useRef, useState } from "react";

/**
 * For the first field of what a member has just opened. Nobody is surprised there, and a letter that is typed at once is in the field.
 * The linter refuses `autoFocus` everywhere else.
 */
export const FIRST_FIELD = { autoFocus: true };

/**
 * Moves the focus to a field when it appears. Use it instead of `autoFocus` in a dialog: that is so early that the dialog does not
 * learn where the focus was, and cannot return it.
 */
export function useFirstFocus<Of extends HTMLElement>(isWanted = true): RefObject<Of | null> {
  const field = useRef<Of>(null);
  const [isFirst] = useState(isWanted);
  useEffect(() => {
    if (!isFirst) return undefined;
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [isFirst]);
  return field;
}

/** For a form: goes to its first field with an error, which may be out of sight, each time that something was refused. */
export function useWrongFocus(refusal: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusal) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusal]);
  return form;
}

/** For a row of links that is wider than a phone: brings the one of the current page into sight. */
export function useCurrentInSight(current: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    row.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  return row;
}
