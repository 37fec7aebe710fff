import { useEffect, useRef, useState } from "react";
import { type Draft, EMPTY, readDraft, writeDraft } from "./drafts.js";

/** Within this time, what the member types is on the disk. */
const SAVE_MS = 250;

interface DraftState {
  /** Whether the draft was read. Until then nothing may be typed over it. */
  isReady: boolean;
  draft: Draft;
  change: (change: Partial<Draft>) => void;
}

/** The member's draft in a conversation. It survives a reload, a crash and a day offline. */
export function useDraft(memberId: string, conversationId: string): DraftState {
  const [draft, setDraft] = useState<Draft>();
  const latest = useRef<Draft>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const save = (): void => {
      clearTimeout(timer.current);
      if (timer.current === undefined || !latest.current) return;
      timer.current = undefined;
      void writeDraft(memberId, conversationId, latest.current).catch(() => undefined);
    };
    readDraft(memberId, conversationId)
      .catch(() => EMPTY)
      .then((found) => {
        latest.current ??= found;
        setDraft(latest.current);
      })
      .catch(() => undefined);
    addEventListener("pagehide", save);
    return () => {
      removeEventListener("pagehide", save);
      save();
    };
  }, [memberId, conversationId]);

  return {
    isReady: draft !== undefined,
    draft: draft ?? EMPTY,
    change: (change) => {
      latest.current = { ...(latest.current ?? EMPTY), ...change };
      setDraft(latest.current);
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        void writeDraft(memberId, conversationId, latest.current!).catch(() => undefined);
      }, SAVE_MS);
    },
  };
}
