import { useMutation, useQuery } from "@tanstack/react-query";
import { Bot, Check, CheckCheck, ChevronDown, Clock3, Lock, TriangleAlert, Undo2 } from "lucide-react";
import { memo, type ReactNode, Suspense, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Message, parley } from "../../api/parley.js";
import { contactQuery, nameOf } from "../../api/contacts.js";
import { membersQuery } from "../../api/queries.js";
import { withTexts } from "../../i18n/i18n.js";
import { useKeys } from "../../keyboard/keys.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Avatar } from "../../ui/avatar.js";
import { Skeleton } from "../../ui/states.js";
import { Clock } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import { percent } from "../knowledge/percent.js";
import { Attachments } from "./attachments.js";
import { Body } from "./body.js";
import { useTakeBack } from "./held.js";
import { useLastStep } from "./last-step.js";

const Citations = withTexts(() => import("./citations.js"));

/** A longer text is cut until the member wants all of it. */
const MAX_SHOWN = 4_000;

interface Props {
  message: Message;
  /** The name of whoever wrote it. */
  author: string;
  /** It has not reached the server yet. */
  isWaiting: boolean;
}

/** A message or a note: who wrote it, when, what, and how far it got. */
export const MessageBubble = memo(function MessageBubble({ message, author, isWaiting }: Props): ReactNode {
  const { t } = useTranslation();
  const [whole, setWhole] = useState(false);
  const { direction, body } = message;
  const mine = direction !== "inbound";
  const cancelled = message.deliveryStatus === "cancelled";
  const note = direction === "internal" && !cancelled;
  const long = !whole && body.length > MAX_SHOWN;
  return (
    <div
      role="article"
      aria-label={note ? t("thread.noteBy", { name: author }) : author}
      className={`flex max-w-[85%] gap-2 ${mine ? "flex-row-reverse self-end" : "self-start"}`}
    >
      {message.authorType === "assistant" ? (
        <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-selected text-accent-strong">
          <Bot size={14} aria-hidden="true" />
        </span>
      ) : (
        <Avatar id={message.authorId ?? message.authorType} name={author} size="sm" />
      )}
      <div className={`flex min-w-0 flex-col gap-1 ${mine ? "items-end" : "items-start"}`}>
        <p
          className={`flex max-w-full flex-wrap items-center gap-x-2 px-1 text-xs whitespace-nowrap text-muted ${mine ? "justify-end" : ""}`}
        >
          {note && (
            <span className="flex items-center gap-1 font-medium text-note-text">
              <Lock size={11} aria-hidden="true" />
              {t("thread.note")}
            </span>
          )}
          <bdi className="truncate">{author}</bdi>
          <Clock at={message.createdAt} />
        </p>
        <div
          dir="auto"
          className={`max-w-full rounded-lg px-3 py-2 break-words ${
            note
              ? "border border-note-line bg-note text-text"
              : mine
                ? "bg-selected text-text"
                : "border border-line bg-canvas text-text"
          } ${isWaiting || cancelled ? "opacity-70" : ""}`}
        >
          {message.redactedAt !== null ? (
            <em className="text-muted">{t("thread.redacted")}</em>
          ) : (
            <Body
              text={long ? body.slice(0, MAX_SHOWN) : body}
              format={message.bodyFormat}
              mentions={message.mentions}
            />
          )}
          {long && (
            <button type="button" className="mt-1 block text-accent hover:underline" onClick={() => setWhole(true)}>
              {t("thread.showAll")}
            </button>
          )}
          <Attachments attachments={message.attachments} />
        </div>
        {message.citations.length > 0 && <Cites message={message} />}
        {(direction === "outbound" || cancelled) && <Delivery message={message} isWaiting={isWaiting} />}
      </div>
    </div>
  );
});

/** What an answer is based on: the entries are read when somebody asks for them. */
function Cites({ message: { citations, confidence } }: { message: Message }): ReactNode {
  const { t, i18n } = useTranslation();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        className="flex items-center gap-0.5 rounded px-1 text-start text-xs text-muted hover:text-text"
      >
        {confidence === null
          ? t("thread.cites", { count: citations.length })
          : t("thread.citesSurely", {
              count: citations.length,
              confidence: percent(confidence, i18n.language),
            })}
        <ChevronDown
          size={12}
          aria-hidden="true"
          className={`shrink-0 transition-transform ${isOpen ? "rotate-180" : ""}`}
        />
      </button>
      {isOpen && (
        <div id={id} className="max-w-full">
          <Suspense fallback={<Skeleton lines={1} />}>
            <Citations citations={citations} />
          </Suspense>
        </div>
      )}
    </>
  );
}

/** The names of those who write in a conversation. */
export function useAuthors(contactId: string): (message: Message) => string {
  const { t } = useTranslation();
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const { data: contact } = useQuery(contactQuery(contactId));
  return ({ authorType, authorId }) => {
    switch (authorType) {
      case "contact":
        return nameOf(contact) ?? t("common.unknownContact");
      case "assistant":
        return t("common.assistant");
      case "member":
        return authorId === me.id ? t("common.you") : (members?.get(authorId ?? "")?.name ?? t("common.somebody"));
      case "api":
        return t("common.integration");
      case "system":
        return t("common.system");
    }
  };
}

const STATES = {
  held: Clock3,
  queued: Clock3,
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  failed: TriangleAlert,
  cancelled: Undo2,
};

/** How far a reply got. One that was not delivered can be sent again. */
function Delivery({ message, isWaiting }: { message: Message; isWaiting: boolean }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const state = isWaiting ? "queued" : message.deliveryStatus;
  const Icon = STATES[state];
  const failed = state === "failed";
  return (
    <p className={`flex items-center gap-1 px-1 text-xs ${failed ? "text-danger" : "text-muted"}`}>
      <Icon size={12} aria-hidden="true" />
      {t(isWaiting ? "thread.delivery.waiting" : `thread.delivery.${state}`)}
      {state === "held" && message.authorId === me.id && <Undo message={message} />}
      {failed && mayWrite(me) && <Retry message={message} />}
    </p>
  );
}

function Retry({ message: { id } }: { message: Message }): ReactNode {
  const { t } = useTranslation();
  const retry = useMutation({
    mutationFn: () => parley.conversations.retryMessage(id),
    // The message is not delivered until it is.
    onSuccess: () => toast(t("thread.retrying")),
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
  });
  return (
    <button
      type="button"
      className="ms-1 font-medium underline"
      disabled={retry.isPending || retry.isSuccess}
      onClick={() => retry.mutate()}
    >
      {t("thread.retry")}
    </button>
  );
}

/** Takes back a reply of the member's own that has not left yet. */
function Undo({ message }: { message: Message }): ReactNode {
  const { t } = useTranslation();
  const undo = useTakeBack();
  const run = (): void => undo.mutate(message);
  const step = useLastStep(useMember().id);
  useKeys({ undo: step && step.at > Date.parse(message.createdAt) ? step.run : run });
  return (
    <button type="button" className="ms-1 font-medium text-accent underline" disabled={undo.isPending} onClick={run}>
      {t("thread.undo")}
    </button>
  );
}
