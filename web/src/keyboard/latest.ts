import { type RefObject, useInsertionEffect, useRef } from "react";

/** What a component was last rendered with, for a key that is pressed later. */
export function useLatest<Value>(value: Value): RefObject<Value> {
  const latest = useRef(value);
  // Before all other effects, which may press keys.
  useInsertionEffect(() => {
    latest.current = value;
  });
  return latest;
}
