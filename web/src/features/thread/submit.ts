import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import type { Conversation } from "../../api/parley.js";
import { type Thread, threadQuery } from "../../api/queries.js";
import type { StoredDraft } from "../../drafts/drafts.js";
import { type OpenDraft, openDraft, restoreDraft } from "../../drafts/open-draft.js";
import { environment, useMember } from "../../session/session.js";
import { hold } from "./held.js";
import { sayNotSent } from "./not-sent.js";
import type { Outgoing } from "./outbox.js";
import { newKey } from "../../api/once.js";
import { arrival, forget, send } from "./outgoing.js";
import { isMailed } from "../../api/participants.js";
import { type After, stepsOf, stepWith } from "../steps/steps.js";
import type { End } from "./timeline.js";
import { useSteps } from "../steps/use-steps.js";

const HOLDS: ReadonlySet<string> = new Set(["email", "sms"]);

interface Written {
  conversation: Conversation;
  draft: StoredDraft;
  open: OpenDraft;
  /** Whether all that belongs to what is written is there. */
  isReady: boolean;
  isUploading: boolean;
  /** So long a reply by mail or SMS can be taken back. */
  undoSeconds: number;
  end: RefObject<End | null>;
  /** Whom a note names. */
  mentionsIn: (text: string) => string[];
  onError: (sentence: string | undefined) => void;
  /** It leaves the field. */
  onLeave: () => void;
}

/** Sends what is written. What was not sent is in the field again, and the member is told. */
export function useSubmit(written: Written): { canSend: boolean; submit: (after?: After) => void } {
  const { conversation, draft, open, isReady, isUploading, undoSeconds, end, mentionsIn, onError, onLeave } = written;
  const { t } = useTranslation();
  const { id } = conversation;
  const client = useQueryClient();
  const me = useMember();
  const { data: thread } = useQuery(threadQuery(client, id));
  const { actWith } = useSteps(conversation);
  const { mode, files } = draft;
  const isNote = mode === "note";
  const text = draft[mode].trim();
  /** A message has a text. That of files alone is what they are called. */
  const body = text || files.map(({ name }) => name).join(", ");
  const newest = (): number | undefined => client.getQueryData<Thread>(["thread", id])?.messages.at(-1)?.sequence;

  const settle = async (outgoing: Outgoing, sending: Promise<string>): Promise<void> => {
    try {
      const messageId = await sending;
      open.taken(outgoing.draftUpdatedAt);
      hold(outgoing, messageId);
      await arrival(client, id, messageId);
    } catch (failure) {
      // What was not sent is in the field again, before anything that was typed meanwhile.
      open.taken(undefined);
      await restoreDraft(me.id, id, { mode, text, files, people: outgoing.people, cites: outgoing.cites });
      if (openDraft(me.id, id) === open) end.current?.show();
      await client.refetchQueries({ queryKey: ["thread", id] });
      // Another conversation may be on the page by now, and nobody would see it said here.
      if (openDraft(me.id, id) !== open) sayNotSent(failure, id);
      else if (!isNote && (newest() ?? 0) > (outgoing.ifLastSequence ?? 0)) onError(t("composer.tooNew"));
      else onError(failureOf(failure).sentence);
    } finally {
      forget(outgoing.key);
    }
  };

  /** What the member has sent before all that belongs to it was there. It goes out then. */
  const due = useRef<After>(undefined);
  const submit = (after: After = {}): void => {
    if (!body || isUploading) return;
    // Without the thread, the server could not tell whether the member has read what they answer.
    if (!thread) return onError(t("composer.tooEarly"));
    if (!isReady) {
      due.current = after;
      return;
    }
    const isUnseen = end.current?.isUnseen ?? false;
    end.current?.show();
    // It is loaded, but out of sight.
    if (isUnseen && !isNote) return onError(t("composer.tooNew"));
    const ifLastSequence = newest();
    const key = newKey();
    // Nothing that can fail comes between this and `send`, which keeps the text.
    const draftUpdatedAt = open.take({
      [mode]: "",
      files: [],
      ...(!isNote && { people: undefined, cites: undefined, original: undefined }),
    });
    const outgoing: Outgoing = {
      key,
      environment: environment(),
      memberId: me.id,
      conversationId: id,
      kind: mode,
      body,
      files,
      people: isNote || !isMailed(conversation) ? undefined : draft.people,
      cites: isNote ? undefined : draft.cites,
      mentions: isNote ? mentionsIn(body) : [],
      draftUpdatedAt,
      ifLastSequence,
      holdSeconds: HOLDS.has(conversation.channelType) ? undoSeconds : undefined,
      after,
      at: new Date().toISOString(),
    };
    onError(undefined);
    onLeave();
    const sending = send(outgoing);
    const step = isNote ? undefined : stepWith(after, stepsOf(conversation, me.id));
    if (step) void actWith(sending, step, Boolean(outgoing.holdSeconds));
    void settle(outgoing, sending);
  };
  const submitDue = useEffectEvent(() => {
    const after = due.current;
    due.current = undefined;
    if (after) submit(after);
  });
  useEffect(() => {
    if (isReady) submitDue();
  }, [isReady]);
  return { canSend: body !== "" && !isUploading && thread !== undefined, submit };
}
