import { useCallback, useRef, useState } from "react";
import type { DraftFile } from "../../drafts/drafts.js";
import { environment } from "../../session/session.js";

/** Whom it is written to: a contact, or an address that no contact has yet. */
export interface To {
  /** Missing while the contact is not made. */
  id?: string;
  name: string;
  emails: string[];
  phones: string[];
}

/** A conversation that is not started yet. */
export interface ComposeDraft {
  /** `null` once the member has taken out the contact that it began with. */
  to?: To | null;
  workspaceId?: string;
  channelId?: string;
  subject: string;
  text: string;
  files: DraftFile[];
  /** What was sent, and under which key: sent again because its answer was lost, it is still one. */
  attempts?: [content: string, key: string][];
}

const EMPTY: ComposeDraft = { subject: "", text: "", files: [] };

/** Each contact has a draft of its own, so that nobody gets what was meant for somebody else. */
const keyOf = (memberId: string, contactId = "new"): string =>
  `parley.compose.${environment()}:${memberId}:${contactId}`;

function read(key: string): ComposeDraft {
  try {
    return { ...EMPTY, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<ComposeDraft>) };
  } catch {
    return EMPTY;
  }
}

export const hasText = ({ to, subject, text, files }: ComposeDraft): boolean =>
  (to ?? undefined) !== undefined || subject !== "" || text !== "" || files.length > 0;

/** The draft of a new conversation. Only this browser keeps it; it is there before the next letter is. */
export function useComposeDraft(
  memberId: string,
  contactId: string | undefined,
): [draft: ComposeDraft, change: (part: (draft: ComposeDraft) => Partial<ComposeDraft>) => void, discard: () => void] {
  const key = keyOf(memberId, contactId);
  const [draft, setDraft] = useState(() => read(key));
  /** What the browser does not keep. It is on the page. */
  const unkept = useRef<ComposeDraft>(undefined);
  const change = useCallback(
    (part: (draft: ComposeDraft) => Partial<ComposeDraft>): void => {
      // From what is kept: a file may arrive after other letters.
      const before = unkept.current ?? read(key);
      const next = { ...before, ...part(before) };
      try {
        localStorage.setItem(key, JSON.stringify(next));
        unkept.current = undefined;
      } catch {
        unkept.current = next;
      }
      setDraft(next);
    },
    [key],
  );
  const discard = useCallback((): void => {
    localStorage.removeItem(key);
    unkept.current = undefined;
    setDraft(EMPTY);
  }, [key]);
  return [draft, change, discard];
}
