import { useMutation, useQuery } from "@tanstack/react-query";
import { Bot, Check, CheckCheck, ChevronDown, Clock3, Code, Lock, TriangleAlert, Undo2 } from "lucide-react";
import { memo, type ReactNode, Suspense, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../../api/failure.js";
import { type Contact, type Conversation, type Message, parley } from "../../api/parley.js";
import { contactQuery, displayNameOf } from "../../api/contacts.js";
import { membersQuery } from "../../api/queries.js";
import { withTexts } from "../../i18n/i18n.js";
import { useKeys } from "../../keyboard/keys.js";
import { mayWrite } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import { Avatar } from "../../ui/avatar.js";
import { Mark } from "../../ui/mark.js";
import { Skeleton } from "../../ui/states.js";
import { Clock } from "../../ui/time.js";
import { toast } from "../../ui/toasts.js";
import { percent } from "../knowledge/percent.js";
import { Attachments, isShownIn, pictureIn } from "./attachments.js";
import { automaticSender, withoutSender } from "./automatic-sender.js";
import { Body } from "./body.js";
import { useTakeBack } from "./held.js";
import { type Participant, participantsQuery } from "../../api/participants.js";
import { useLastStep } from "../steps/last-step.js";

const AutomaticReply = withTexts(
  () => import("./automatic.js"),
  ({ children }) => children,
);
const FormattedMail = withTexts(() => import("./mail.js"), MailAsText);
const Citations = withTexts(() => import("./citations.js"));
const MessageMenu = withTexts(() => import("./message-menu.js"));
const Invitation = withTexts(() => import("./invitation.js"));
const Translation = withTexts(() => import("./translation.js"));

/** Whether a message brought a file for a calendar. */
const bringsInvitation = ({ direction, attachments }: Message): boolean =>
  direction === "inbound" &&
  attachments.some(({ contentType, fileName }) => contentType === "text/calendar" || /\.ics$/i.test(fileName));

/** A longer text is cut until the member wants all of it. */
const MAX_SHOWN = 4_000;

interface Props {
  message: Message;
  /** The name of whoever wrote it. */
  author: string;
  /** It has not reached the server yet. */
  isWaiting: boolean;
  /** Whether the conversation is by mail, and the member may write. */
  mayForward: boolean;
}

/** A message or a note: who wrote it, when, what, and how far it got. */
export const MessageBubble = memo(function MessageBubble({ message, author, isWaiting, mayForward }: Props): ReactNode {
  const { t } = useTranslation();
  const [formatted, setFormatted] = useState(message.htmlAvailable);
  const { direction } = message;
  const mine = direction !== "inbound";
  const cancelled = message.deliveryStatus === "cancelled";
  const note = direction === "internal" && !cancelled;
  const sender = automaticSender(message);
  if (sender !== undefined)
    return (
      <Suspense fallback={null}>
        <AutomaticReply id={message.id} sender={sender} at={message.createdAt}>
          <Said message={withoutSender(message)} isFormatted={formatted} onFailed={() => setFormatted(false)} />
          <Attachments attachments={message.attachments} />
        </AutomaticReply>
      </Suspense>
    );
  return (
    <div
      id={message.id}
      role="article"
      aria-label={note ? t("thread.noteBy", { name: author }) : author}
      className={`group flex max-w-[85%] gap-2 ${mine ? "flex-row-reverse self-end" : "self-start"}`}
    >
      <Face message={message} author={author} />
      <div className={`flex min-w-0 flex-col gap-1 ${mine ? "items-end" : "items-start"}`}>
        <Head message={message} author={author} isNote={note} mayForward={mayForward && !isWaiting} />
        <div
          dir="auto"
          className={`max-w-full rounded-lg px-3 py-2 break-words ${formatted ? "w-[42rem]" : ""} ${
            note
              ? "border border-note-line bg-note text-text"
              : mine
                ? "bg-selected text-text"
                : "border border-line bg-canvas text-text"
          } ${isWaiting || cancelled ? "opacity-70" : ""}`}
        >
          <Said message={message} isFormatted={formatted} onFailed={() => setFormatted(false)} />
          <Attachments attachments={withoutShown(message)} />
          {bringsInvitation(message) && (
            <Suspense fallback={<Skeleton lines={3} />}>
              <Invitation message={message} />
            </Suspense>
          )}
        </div>
        {message.htmlAvailable && (
          <button
            type="button"
            className="rounded px-1 text-xs text-muted hover:text-text"
            onClick={() => setFormatted(!formatted)}
          >
            {t(formatted ? "thread.mail.asText" : "thread.mail.asSent")}
          </button>
        )}
        {!mine && message.redactedAt === null && (
          <Suspense>
            <Translation message={message} />
          </Suspense>
        )}
        {message.citations.length > 0 && <Cites message={message} />}
        {(direction === "outbound" || cancelled) && <Delivery message={message} isWaiting={isWaiting} />}
      </div>
    </div>
  );
});

/** The files that the text does not show itself. A long text is cut, and may not show them. */
const withoutShown = ({ body, bodyFormat, attachments }: Message): Message["attachments"] =>
  bodyFormat === "markdown" && body.length <= MAX_SHOWN
    ? attachments.filter((file) => !isShownIn(body, file))
    : attachments;

/** What it says, as it was sent or as text. */
function Said({
  message: { id, body, bodyFormat, attachments, mentions, redactedAt },
  isFormatted,
  onFailed,
}: Pick<Props, "message"> & { isFormatted: boolean; onFailed: () => void }): ReactNode {
  const { t } = useTranslation();
  const [whole, setWhole] = useState(false);
  const long = !whole && body.length > MAX_SHOWN;
  if (redactedAt !== null) return <em className="text-muted">{t("thread.redacted")}</em>;
  if (isFormatted)
    return (
      <Suspense fallback={<Skeleton lines={4} />}>
        <FormattedMail id={id} onFailed={onFailed} />
      </Suspense>
    );
  return (
    <>
      <Body
        text={long ? body.slice(0, MAX_SHOWN).replace(/[\ud800-\udbff]$/, "") : body}
        format={bodyFormat}
        mentions={mentions}
        picture={(cid, alt) => pictureIn(attachments, cid, alt)}
      />
      {long && (
        <button type="button" className="mt-1 block text-accent hover:underline" onClick={() => setWhole(true)}>
          {t("thread.showAll")}
        </button>
      )}
    </>
  );
}

/** Who wrote it, when, and for whom. */
function Head({
  message,
  author,
  isNote,
  mayForward,
}: Pick<Props, "message" | "author" | "mayForward"> & { isNote: boolean }): ReactNode {
  const { t } = useTranslation();
  const { to, cc, bcc, direction, createdAt, redactedAt } = message;
  return (
    <>
      <p
        className={`flex max-w-full flex-wrap items-center gap-x-2 px-1 text-xs whitespace-nowrap text-muted ${direction !== "inbound" ? "justify-end" : ""}`}
      >
        {isNote && (
          <span className="flex items-center gap-1 font-medium text-note-text">
            <Lock size={11} aria-hidden="true" />
            {t("thread.note")}
          </span>
        )}
        <bdi className="truncate">{author}</bdi>
        <Clock at={createdAt} />
        {mayForward && direction !== "internal" && redactedAt === null && (
          <Suspense>
            <MessageMenu message={message} author={author} />
          </Suspense>
        )}
      </p>
      {to.length + cc.length + bcc.length > 0 && <Named message={message} />}
    </>
  );
}

/** Whom a mail names besides the contact. All of them are in the title. */
function Named({ message: { to, cc, bcc } }: { message: Message }): ReactNode {
  const { t } = useTranslation();
  const text = [
    ...(to.length ? [t("people.named", { label: t("people.to"), people: to.join(", ") })] : []),
    ...(cc.length ? [t("people.named", { label: t("people.cc"), people: cc.join(", ") })] : []),
    ...(bcc.length ? [t("people.named", { label: t("people.bcc"), people: bcc.join(", ") })] : []),
  ].join(" · ");
  return (
    <p dir="auto" title={text} className="max-w-full truncate px-1 text-xs text-muted">
      {text}
    </p>
  );
}

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

/** Who wrote a mail, if that was not the contact. Another id can be that of a contact who was merged into this one: it has their addresses. */
function otherAuthor(
  author: Message["authoredBy"],
  contact: Contact | null | undefined,
  participants: readonly Participant[] | undefined,
): string | undefined {
  const address = author?.address;
  if (!address || author.contactId === contact?.id) return undefined;
  if (contact?.emails.some(({ value }) => value === address)) return undefined;
  return participants?.find((one) => one.address === address)?.name ?? address;
}

const PROGRAMS = { assistant: Bot, api: Code };

/** A person by their letters, which are the same everywhere, and a program by what it is. */
function Face({ message: { authorType, authorId }, author }: { message: Message; author: string }): ReactNode {
  const me = useMember();
  if (authorType === "system") return <Mark size={24} />;
  if (authorType === "contact" || authorType === "member")
    return <Avatar id={authorId ?? authorType} name={authorId === me.id ? me.name : author} size="sm" />;
  const Picture = PROGRAMS[authorType];
  return (
    <span
      className={`flex size-6 shrink-0 items-center justify-center rounded-full ${authorType === "assistant" ? "bg-selected text-accent-strong" : "bg-hover text-muted"}`}
    >
      <Picture size={14} aria-hidden="true" />
    </span>
  );
}

/** The names of those who write in a conversation. */
export function useAuthors(conversation: Conversation): (message: Message) => string {
  const { contactId } = conversation;
  const { t } = useTranslation();
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const { data: contact } = useQuery(contactQuery(contactId));
  const { data: participants } = useQuery(participantsQuery(conversation));
  return ({ authorType, authorId, authoredBy }) => {
    switch (authorType) {
      case "contact":
        return otherAuthor(authoredBy, contact, participants) ?? displayNameOf(contact);
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

/** A mail whose page did not arrive is shown as its text. */
function MailAsText({ onFailed }: { id: string; onFailed: () => void }): ReactNode {
  useEffect(onFailed, [onFailed]);
  return null;
}
