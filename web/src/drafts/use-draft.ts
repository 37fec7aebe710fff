import { useCallback, useEffect, useRef, useState } from "react";
import { type Draft, EMPTY, readDraft, writeDraft } from "./drafts.js";

/** Within this time, what the member types is on the disk. */
const SAVE_MS = 250;

interface DraftState {
  /** Whether the draft was read. Until then nothing may be typed over it. */
  isReady: boolean;
  draft: Draft;
  change: (change: Partial<Draft>) => void;
}

/** Fields of conversations that are on the page. */
const onPage = new Map<string, (change: Partial<Draft>) => void>();

/** Puts what was taken back, or refused, into the draft, before what the draft has by now. */
export async function restoreDraft(
  memberId: string,
  conversationId: string,
  { reply, files }: Pick<Draft, "reply" | "files">,
): Promise<void> {
  const now = await readDraft(memberId, conversationId);
  const change = {
    mode: "reply" as const,
    reply: [reply, now.reply].filter(Boolean).join("\n"),
    files: [...files, ...now.files],
  };
  const field = onPage.get(`${memberId}:${conversationId}`);
  if (field) field(change);
  else await writeDraft(memberId, conversationId, { ...now, ...change });
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

  const change = useCallback(
    (part: Partial<Draft>): void => {
      latest.current = { ...(latest.current ?? EMPTY), ...part };
      setDraft(latest.current);
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        void writeDraft(memberId, conversationId, latest.current!).catch(() => undefined);
      }, SAVE_MS);
    },
    [memberId, conversationId],
  );
  useEffect(() => {
    const key = `${memberId}:${conversationId}`;
    onPage.set(key, change);
    return () => void onPage.delete(key);
  }, [memberId, conversationId, change]);
  return { isReady: draft !== undefined, draft: draft ?? EMPTY, change };
}
