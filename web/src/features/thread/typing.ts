import { useEffect, useEffectEvent, useRef } from "react";

/** So long after the last letter, a member is not typing any more. */
const TYPING_MS = 4_000;

/** Tells whether the member types, until they leave. */
export function useTyping(tell: (isTyping: boolean) => void): { typed: (text: string) => void; stop: () => void } {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stop = (): void => {
    clearTimeout(timer.current);
    tell(false);
  };
  const leave = useEffectEvent(stop);
  useEffect(() => () => leave(), []);
  return {
    typed: (text) => {
      tell(text !== "");
      clearTimeout(timer.current);
      timer.current = setTimeout(() => tell(false), TYPING_MS);
    },
    stop,
  };
}
