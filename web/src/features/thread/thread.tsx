import { withTexts } from "../../i18n/i18n.js";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, Hourglass, PanelRight } from "lucide-react";
import { memo, type ReactNode, type RefObject, startTransition, useEffect, useRef, useState, Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation as Shown } from "../../api/parley.js";
import { failureOf } from "../../api/failure.js";
import { contactQuery, displayNameOf } from "../../api/contacts.js";
import { assuranceQuery, conversationQuery, membersQuery, otherConversationsQuery } from "../../api/queries.js";
import { type Actions, holdKeys, releaseKeys, useKeys } from "../../keyboard/keys.js";
import { SHORTCUTS } from "../../keyboard/shortcuts.js";
import { useMember } from "../../session/session.js";
import { Button, IconButton } from "../../ui/button.js";
import { LabelChips } from "../../ui/label.js";
import { withoutEmphasis } from "../../ui/plain.js";
import { Scrollable } from "../../ui/scrollable.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { Context } from "../context/context.js";
import { Loaded } from "../context/loaded.js";
import { Composer } from "./composer.js";
import { ConversationActions } from "./actions.js";
import { sayForgotten } from "./forgotten.js";
import { type End, Timeline } from "./timeline.js";
import { useViewing, Viewers } from "./viewers.js";

const Snoozed = withTexts(() => import("./snoozed.js"));
const Follows = withTexts(() => import("./follows.js"));
const Reading = withTexts(() => import("./reading.js"));

/** One conversation, and what one wants to know beside it. */
export function Conversation({ id, onBack }: { id: string; onBack: () => void }): ReactNode {
  /** On a page that is not wide enough, the context of this conversation covers it. */
  const [coveredId, setCoveredId] = useState<string>();
  const isCovered = coveredId === id;
  useKeys({ context: () => setCoveredId(id) });
  return (
    <div className="flex h-full min-h-0">
      <Thread
        id={id}
        onBack={onBack}
        isCovered={isCovered}
        onContext={() => setCoveredId(isCovered ? undefined : id)}
      />
      <Beside id={useAfterPaint(id)} isShown={isCovered} onClose={() => setCoveredId(undefined)} />
    </div>
  );
}

/** Returns the value one paint later. What uses it is rendered after the rest is on the screen, so the member does not wait for it. */
function useAfterPaint<Value>(value: Value): Value {
  const [late, setLate] = useState(value);
  useEffect(() => {
    let task: ReturnType<typeof setTimeout> | undefined;
    // The frame is painted between the two.
    const frame = requestAnimationFrame(() => {
      task = setTimeout(() => startTransition(() => setLate(value)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(task);
    };
  }, [value]);
  return late;
}

const Beside = memo(function Beside({
  id,
  isShown,
  onClose,
}: {
  id: string;
  isShown: boolean;
  onClose: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: conversation } = useQuery(conversationQuery(client, id));
  if (!conversation) return null;
  return (
    <aside
      aria-label={t("thread.context")}
      className={`w-72 shrink-0 overflow-y-auto border-s border-line max-[1400px]:absolute max-[1400px]:inset-y-0 max-[1400px]:end-0 max-[1400px]:z-30 max-[1400px]:bg-surface max-[1400px]:shadow-popup max-[1400px]:max-w-[85vw] ${isShown ? "" : "max-[1400px]:hidden"}`}
    >
      <Context key={id} conversation={conversation} onClose={onClose} />
    </aside>
  );
});

/** Keys that do something with the conversation wait until it is there, and so does what follows them. */
const EARLY: Actions = Object.fromEntries(
  SHORTCUTS.filter(({ name, keys, group }) => group === "conversation" && keys[0] !== "Mod" && name !== "undo").map(
    ({ name }) => [name, (event?: KeyboardEvent) => holdKeys(sayForgotten, event)],
  ),
);

/** Who handles it, what was said, and the field for what is said next. */
function Thread({
  id,
  onBack,
  isCovered,
  onContext,
}: {
  id: string;
  onBack: () => void;
  isCovered: boolean;
  onContext: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { data: conversation, error, refetch } = useQuery(conversationQuery(client, id));
  const title = useRef<HTMLHeadingElement>(null);
  const end = useRef<End>(null);
  const viewing = useViewing(id);
  // In the same request as the messages. What shows them is rendered later.
  const contactId = conversation?.contactId;
  useEffect(() => {
    void client.prefetchQuery(assuranceQuery(id));
    if (contactId !== undefined) void client.prefetchQuery(otherConversationsQuery({ id, contactId }));
  }, [client, id, contactId]);
  // So that it is there when the connection is not.
  useEffect(() => void import("../../ui/markdown.js").catch(() => undefined), []);
  // Screen readers continue here, and not at the list.
  useEffect(() => title.current?.focus({ preventScroll: true }), [id]);
  const isShown = conversation !== undefined;
  // If it cannot be read, the page says why.
  const isSettled = isShown || error !== null;
  // After a link. The key that opens it in the list holds all keys that follow.
  useKeys(isSettled ? {} : EARLY);
  // What was pressed since then.
  useEffect(() => {
    if (isSettled && location.pathname.includes(id)) releaseKeys();
  }, [id, isSettled]);

  if (!conversation)
    return (
      <div className="min-w-0 flex-1">
        {!error ? (
          <Skeleton lines={5} />
        ) : failureOf(error).kind === "missing" ? (
          <div role="alert">
            <Empty text={t("thread.gone")}>
              <Button onClick={onBack}>{t("thread.back")}</Button>
            </Empty>
          </div>
        ) : (
          <Failed error={error} onRetry={() => void refetch()} />
        )}
      </div>
    );
  return (
    <article aria-labelledby="thread-title" className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-2">
        <IconButton label={t("thread.back")} onClick={onBack} className="md:hidden">
          <ArrowLeft size={18} className="rtl:-scale-x-100" />
        </IconButton>
        <Title conversation={conversation} heading={title} />
        <IconButton
          label={t("thread.showContext")}
          aria-expanded={isCovered}
          onClick={onContext}
          className="min-[1400px]:hidden"
        >
          <PanelRight size={18} className="rtl:-scale-x-100" />
        </IconButton>
        <ConversationActions conversation={conversation} />
      </header>
      {conversation.previousConversationId !== null && (
        <Suspense fallback={null}>
          <Follows conversation={conversation} />
        </Suspense>
      )}
      <div className="flex flex-wrap items-center border-b border-line bg-canvas">
        <HandledBy conversation={conversation} />
        <Suspense>
          <Reading key={`reading ${id}`} conversation={conversation} />
        </Suspense>
      </div>
      {conversation.status === "snoozed" && conversation.snoozedUntil !== null && (
        <Suspense fallback={null}>
          <Snoozed conversation={conversation} until={conversation.snoozedUntil} />
        </Suspense>
      )}
      {conversation.summary && <Summary key={`summary ${id}`} conversation={conversation} />}
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      <Timeline key={`messages ${id}`} conversation={conversation} end={end} />
      <Approvals key={`approvals ${id}`} conversation={conversation} />
      <Viewers id={id} contactId={conversation.contactId} />
      <Composer key={`answer ${id}`} conversation={conversation} end={end} onTyping={viewing.type} />
    </article>
  );
}

/** What waits for an approval. Once shown, it stays until another conversation is opened, so that one sees what came of it. */
function Approvals({ conversation }: { conversation: Shown }): ReactNode {
  const [isShown, setShown] = useState(false);
  if (!isShown && conversation.pendingActionCount > 0) setShown(true);
  return (
    isShown && (
      <Loaded name="approvals" load={() => import("../actions/in-conversation.js")} conversation={conversation} />
    )
  );
}

function Title({
  conversation,
  heading,
}: {
  conversation: Shown;
  heading: RefObject<HTMLHeadingElement | null>;
}): ReactNode {
  const { t } = useTranslation();
  const { data: contact } = useQuery(contactQuery(conversation.contactId));
  const name = displayNameOf(contact);
  return (
    <div className="min-w-0 flex-1">
      <h2 ref={heading} id="thread-title" tabIndex={-1} className="truncate font-semibold outline-none">
        <bdi>{name}</bdi>
      </h2>
      <p className="truncate text-sm text-muted">
        {t(`channel.${conversation.channelType}`)}
        {" · "}
        {conversation.status === "pending" && (
          <Hourglass size={13} aria-hidden="true" className="me-1 inline-block align-[-0.125em]" />
        )}
        {t(`status.${conversation.status}`)}
        {conversation.subject && ` · ${conversation.subject}`}
      </p>
      {conversation.labels.length > 0 && (
        <p aria-label={t("thread.labels")} className="mt-0.5 flex flex-wrap gap-1">
          <LabelChips names={conversation.labels} />
        </p>
      )}
    </div>
  );
}

/** Says who answers: the assistant, you, or somebody else. */
function HandledBy({ conversation: { handlingMode, assigneeId } }: { conversation: Shown }): ReactNode {
  const { t } = useTranslation();
  const me = useMember();
  const { data: members } = useQuery(membersQuery());
  const by =
    assigneeId === me.id
      ? t("thread.handledBy.you")
      : assigneeId !== null
        ? t("thread.handledBy.other", { name: members?.get(assigneeId)?.name ?? t("common.somebody") })
        : t(handlingMode === "assistant" ? "thread.handledBy.assistant" : "thread.handledBy.nobody");
  return (
    <p role="status" className="min-w-60 flex-1 px-4 py-1 text-sm text-muted">
      {by}
    </p>
  );
}

/** The summary of fewer messages only repeats them. */
const LONG = 3;

/** What the assistant leaves to whoever takes over. It is open while people handle a conversation of some length. */
function Summary({
  conversation: { summary, handlingMode, status, messageCount },
}: {
  conversation: Shown;
}): ReactNode {
  const { t } = useTranslation();
  const [isOpen] = useState(handlingMode === "human" && status !== "resolved" && messageCount >= LONG);
  return (
    <details open={isOpen} className="border-b border-line bg-canvas px-4 py-1 text-sm">
      <summary className="cursor-pointer text-muted">{t("thread.summary")}</summary>
      <Scrollable dir="auto" className="mt-0.5 max-h-28 overflow-y-auto wrap-anywhere whitespace-pre-line">
        {withoutEmphasis(summary ?? "")}
      </Scrollable>
    </details>
  );
}
