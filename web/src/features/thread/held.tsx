import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { restoreDraft } from "../../drafts/open-draft.js";
import { useKeys } from "../../keyboard/keys.js";
import { isLive } from "../../live/live.js";
import { environment, useMember } from "../../session/session.js";
import { showToast, toast } from "../../ui/toasts.js";
import { useInboxParams } from "./inbox-params.js";
import type { Draft, People } from "../../drafts/drafts.js";
import type { Outgoing } from "./outbox.js";
import { useLastStep } from "../steps/last-step.js";

/** A reply that this page has sent, and that has not left yet. */
interface Held {
  id: string;
  conversationId: string;
  /** Who sent it, and on which side. */
  by: string;
  /** When it was sent, and when it leaves, in milliseconds. */
  at: number;
  until: number;
  /** What it was to quote, and the entries that it is based on. The server does not say. */
  quote: People["quote"];
  cites: Draft["cites"];
}

let held: readonly Held[] = [];
const listeners = new Set<() => void>();
function change(next: readonly Held[]): void {
  held = next;
  for (const listener of listeners) listener();
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const drop = (id: string): void => change(held.filter((one) => one.id !== id));

/** Remembers that a reply can be taken back for some seconds, wherever the member goes meanwhile. */
export function hold(
  { memberId, conversationId, holdSeconds: seconds = 0, people, cites }: Outgoing,
  id: string,
): void {
  if (seconds === 0) return;
  const at = Date.now();
  const by = `${environment()} ${memberId}`;
  change([...held, { id, conversationId, by, at, until: at + seconds * 1_000, quote: people?.quote, cites }]);
  setTimeout(() => drop(id), seconds * 1_000);
}

type Reply = Pick<Held, "id" | "conversationId">;

/** Takes a reply back that has not left yet. Its text is in the field again. */
export function useTakeBack(
  onDone?: (reply: Reply) => void,
): UseMutationResult<Schemas["CancelledReply"], Error, Reply> {
  const me = useMember();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }) => parley.conversations.cancelReply(id).then(),
    onSuccess: async ({ body, attachments, to, cc, bcc, subject }, reply) => {
      const files = attachments.map(({ id, fileName }) => ({ id, name: fileName }));
      const before = held.find(({ id }) => id === reply.id);
      await restoreDraft(me.id, reply.conversationId, {
        mode: "reply",
        text: body,
        files,
        people: {
          to: to.length ? to : undefined,
          cc,
          bcc,
          subject: subject ?? undefined,
          quote: before?.quote,
        },
        cites: before?.cites,
      });
      onDone?.(reply);
    },
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
    onSettled: (_, __, { id, conversationId }) => {
      drop(id);
      if (isLive()) return;
      // What the reply did to the conversation is taken back, too.
      for (const queryKey of [["thread", conversationId], ["conversation", conversationId], ["counts"]])
        void client.invalidateQueries({ queryKey });
    },
  });
}

/**
 * Z takes back what the member did last: a reply that has not left, or a change of a conversation. Where the conversation of a
 * reply is not on the page, a toast says that it can be taken back.
 */
export function HeldReplies(): ReactNode {
  const me = useMember();
  const by = `${environment()} ${me.id}`;
  const replies = useSyncExternalStore(subscribe, () => held).filter((reply) => reply.by === by);
  const { conversationId: open } = useInboxParams();
  const navigate = useNavigate();
  const { mutate } = useTakeBack(({ conversationId }) => {
    // Whoever takes a reply back goes on writing it.
    if (!location.pathname.includes(conversationId)) void navigate({ to: `/inbox/all/${conversationId}` });
  });
  const last = replies.at(-1);
  const step = useLastStep(me.id);
  useKeys({ undo: step && !(last && last.at > step.at) ? step.run : last && (() => mutate(last)) });
  return replies.map(
    (reply) => reply.conversationId !== open && <Notice key={reply.id} reply={reply} onUndo={() => mutate(reply)} />,
  );
}

function Notice({ reply: { until }, onUndo }: { reply: Held; onUndo: () => void }): ReactNode {
  const { t } = useTranslation();
  const show = useEffectEvent(() =>
    showToast(t("thread.leaves"), { ms: until - Date.now(), action: { label: t("thread.undo"), run: onUndo } }),
  );
  useEffect(() => show(), []);
  return null;
}
