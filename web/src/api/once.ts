import { useRef } from "react";

/** Not `randomUUID`, which browsers have only on secure pages. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * The Idempotency-Key of what a form sends: the same for the same content. So what is sent again because its answer was lost happens
 * once.
 */
export function useOnce(): (content: unknown) => { idempotencyKey: string } {
  const keys = useRef(new Map<string, string>());
  return (content) => {
    const text = JSON.stringify(content);
    const idempotencyKey = keys.current.get(text) ?? newKey();
    keys.current.set(text, idempotencyKey);
    return { idempotencyKey };
  };
}
