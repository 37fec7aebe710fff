import { type ClipboardEvent, type RefObject, useRef } from "react";
import type { Conversation } from "../../api/parley.js";
import type { DraftFile, Mode } from "../../drafts/drafts.js";
import type { OpenDraft } from "../../drafts/open-draft.js";

/** Whether replies leave as mails. */
export const isMail = ({ channelType }: Conversation): boolean =>
  channelType === "email" || channelType === "contact_form";

/** What mail programs show in a text. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp)$/;

interface Where {
  conversation: Conversation;
  mode: Mode;
  field: RefObject<HTMLTextAreaElement | null>;
  open: OpenDraft;
  attach: (files: Iterable<File>) => Promise<DraftFile[]>;
}

/** Attaches files that are pasted. A mail shows pictures at the caret. */
export function usePaste({ conversation, mode, field, open, attach }: Where): (event: ClipboardEvent) => void {
  /** Where what was pasted belongs. Pictures that arrive move the places behind them. */
  const places = useRef<number[]>([]);
  const paste = async (files: File[]): Promise<void> => {
    const n = places.current.push(field.current?.selectionEnd ?? 0) - 1;
    const arrived = await attach(files);
    if (arrived.length === 0 || mode === "note" || !isMail(conversation)) return;
    if (!files.every(({ type }) => SHOWN.test(type))) return;
    const at = places.current[n]!;
    const before = open.now()?.reply ?? "";
    const reply = withPictures(before, at, arrived);
    places.current = places.current.map((other) => (other < at ? other : other + reply.length - before.length));
    open.change({ reply });
  };
  return (event) => {
    const files = [...event.clipboardData.files];
    if (!files.length) return;
    event.preventDefault();
    void paste(files);
  };
}

/** Puts pictures that were attached into a text, where the caret was. The mail shows them there. */
export function withPictures(text: string, at: number, files: readonly { id: string; name: string }[]): string {
  const pictures = files.map(({ id, name }) => `![${name.replace(/[\\[\]]/g, "\\$&")}](cid:${id})`).join("\n");
  const [before, after] = [text.slice(0, at), text.slice(at)];
  return `${before}${before && !before.endsWith("\n") ? "\n\n" : ""}${pictures}${after && !after.startsWith("\n") ? "\n\n" : ""}${after}`;
}
