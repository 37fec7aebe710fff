import { type RefObject, useEffect, useRef } from "react";

/**
 * Moves the focus to a field when it appears. Use it instead of `autoFocus` in a dialog: that is so early that the dialog does not
 * learn where the focus was, and cannot return it.
 */
export function useFirstFocus<Of extends HTMLElement>(isWanted = true): RefObject<Of | null> {
  const field = useRef<Of>(null);
  useEffect(() => {
    if (!isWanted) return undefined;
    const frame = requestAnimationFrame(() => field.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return field;
}
