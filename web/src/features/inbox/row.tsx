import type { TFunction } from "i18next";
import { Bot, Clock, Eye, Hourglass, MessageSquare } from "lucide-react";
import { memo, type ReactNode } from "react";
import type { Conversation } from "../../api/parley.js";
import { Avatar } from "../../ui/avatar.js";
import { CHANNEL_ICONS } from "../../ui/channel-icons.js";
import { headlineOf } from "../../ui/headline.js";
import { type ColourOf, LabelDots } from "../../ui/label.js";
import { plain } from "../../ui/plain.js";
import { ago, exact, soon, until } from "../../ui/time.js";

/** Text of either direction is cut off at its end, and begins where all rows do. */
const LINE = "truncate ltr:text-left rtl:text-right";

/** What all rows share. Each row would take longer to draw if it asked for it itself, and a fast scroll draws twenty in each frame. */
/** So many letters of the last message in the line above it say that it is the same. */
const REPEATED = 60;

/** What a conversation is about, and what was said last, where that is not the same: the summary of a question repeats it. */
function linesOf(conversation: Conversation): { headline: string; preview: string } {
  const preview = plain(conversation.lastMessagePreview ?? "");
  const headline = headlineOf(conversation);
  return preview !== "" && headline.includes(preview.slice(0, REPEATED))
    ? { headline: preview, preview: "" }
    : { headline, preview };
}

export interface Shared {
  t: TFunction;
  memberId: string;
  members: ReadonlyMap<string, { name: string }> | undefined;
  colourOf: ColourOf;
  /** Rows say how long somebody has waited. */
  minute: number;
  /** What it is about and what was said last are one line. */
  isCompact: boolean;
}

/** One conversation in the list: who, what about, for how long they wait, and who handles it. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  name,
  href,
  isOpen,
  isCursor,
  isSelected,
  canSelect,
  looking,
  shared,
}: {
  conversation: Conversation;
  name: string;
  href: string;
  isOpen: boolean;
  isCursor: boolean;
  isSelected: boolean;
  canSelect: boolean;
  /** The names of the colleagues who look at it. */
  looking: string;
  shared: Shared;
}): ReactNode {
  const { t } = shared;
  const { channelType, status, unreadCount } = conversation;
  const { headline, preview } = linesOf(conversation);
  const Channel = CHANNEL_ICONS[channelType] ?? MessageSquare;
  const unread = unreadCount > 0;
  const words = { headline, preview, unread };
  return (
    <a
      href={href}
      aria-current={isOpen ? "true" : undefined}
      className={`flex h-full gap-3 overflow-hidden border-b border-line px-3 ${shared.isCompact ? "py-2" : "py-2.5"} -outline-offset-2 ${canSelect ? "pointer-coarse:ps-11" : ""} ${isOpen || isSelected ? "bg-selected" : isCursor ? "bg-hover" : "hover:bg-hover"}`}
    >
      <span className="relative self-start">
        <Avatar id={conversation.contactId} name={name} />
        <span
          title={t(`channel.${channelType}`)}
          className="absolute -end-1 -bottom-1 flex size-4 items-center justify-center rounded-full bg-surface text-muted"
        >
          <Channel size={11} />
        </span>
      </span>
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="flex items-baseline gap-2">
          <span dir="auto" className={`min-w-0 flex-1 ${LINE} ${unread ? "font-semibold" : "font-medium"}`}>
            {name === "" ? <span className="skeleton inline-block h-3 w-28" /> : name}
          </span>
          <span className="sr-only">{t(`channel.${channelType}`)}</span>
          {status === "pending" && (
            <span title={t("status.pending")} className="shrink-0 self-center text-muted">
              <Hourglass size={13} aria-label={t("status.pending")} />
            </span>
          )}
          <When conversation={conversation} t={t} />
        </span>
        {!shared.isCompact && preview !== "" && (
          <span dir="auto" className={`text-sm ${LINE} ${unread ? "font-medium" : ""}`}>
            {headline}
          </span>
        )}
        <span className={`flex gap-2 text-sm text-muted ${preview === "" ? "items-end" : "items-center"}`}>
          <LastLine {...words} isCompact={shared.isCompact} />
          {(conversation.priority === "urgent" || conversation.priority === "high") && (
            <span className="shrink-0 text-xs font-medium text-danger">{t(`priority.${conversation.priority}`)}</span>
          )}
          <LabelDots names={conversation.labels} colourOf={shared.colourOf} />
          {looking !== "" && (
            <span title={t("inbox.looking", { names: looking })} className="shrink-0 text-accent">
              <Eye size={14} aria-label={t("inbox.looking", { names: looking })} />
            </span>
          )}
          <Handler conversation={conversation} shared={shared} />
          {unread && (
            <span
              aria-label={t("inbox.unread", { count: unreadCount })}
              title={t("inbox.unreadWhy", { count: unreadCount })}
              className="flex h-4 min-w-4 shrink-0 items-center justify-center rounded-full bg-accent px-1 text-[0.625rem] font-semibold text-on-accent tabular-nums"
            >
              {unreadCount > 99 ? "99+" : unreadCount}
            </span>
          )}
        </span>
      </span>
    </a>
  );
});

/** What was said last; in a compact row, after what it is about. If that is the same, it has both lines. */
function LastLine({
  headline,
  preview,
  unread,
  isCompact,
}: {
  headline: string;
  preview: string;
  unread: boolean;
  isCompact: boolean;
}): ReactNode {
  const about = `text-text ${unread ? "font-medium" : ""}`;
  if (preview === "" && !isCompact)
    return (
      <span dir="auto" className={`line-clamp-2 min-w-0 flex-1 wrap-anywhere ${about}`}>
        {headline}
      </span>
    );
  return (
    <span dir="auto" className={`min-w-0 flex-1 ${LINE}`}>
      {isCompact && <span className={about}>{headline} </span>}
      {preview}
    </span>
  );
}

/**
 * The box that selects a row. It takes the place of the picture while the row has the pointer or the focus, or while anything is
 * selected. Where fingers point, it has a place of its own.
 */
export function SelectRow({
  label,
  isSelected,
  isSelecting,
  onToggle,
}: {
  label: string;
  isSelected: boolean;
  isSelecting: boolean;
  onToggle: (range: boolean) => void;
}): ReactNode {
  return (
    <label
      className={`absolute start-1 top-1.5 flex size-11 items-center justify-center rounded-md pointer-coarse:start-0 pointer-coarse:opacity-100 ${isSelected ? "bg-selected" : isSelecting ? "bg-surface group-hover:bg-hover" : "opacity-0 group-hover:bg-hover group-hover:opacity-100 focus-within:bg-surface focus-within:opacity-100"}`}
    >
      <input
        type="checkbox"
        checked={isSelected}
        aria-label={label}
        onChange={({ nativeEvent }) => onToggle((nativeEvent as MouseEvent).shiftKey)}
        className="size-4 accent-accent"
      />
    </label>
  );
}

/** Until when it is snoozed, since when the contact waits, or when something happened. */
function When({
  conversation: { status, snoozedUntil, waitingSince, lastActivityAt },
  t,
}: {
  conversation: Conversation;
  t: TFunction;
}): ReactNode {
  if (status === "snoozed" && snoozedUntil !== null)
    return (
      <time
        dateTime={snoozedUntil}
        title={t("thread.snoozed", { time: exact(snoozedUntil) })}
        className="flex shrink-0 items-center gap-1 text-xs text-muted tabular-nums"
      >
        <Clock size={12} aria-label={t("status.snoozed")} />
        {soon(snoozedUntil)}
      </time>
    );
  if (waitingSince) return <Waiting since={waitingSince} t={t} />;
  return (
    <time dateTime={lastActivityAt} title={exact(lastActivityAt)} className="shrink-0 text-xs text-muted tabular-nums">
      {ago(lastActivityAt)}
    </time>
  );
}

const HOUR_MS = 3_600_000;

/** For how long the contact has waited. It ages visibly: the longer, the louder. */
function Waiting({ since, t }: { since: string; t: TFunction }): ReactNode {
  const waited = -until(since);
  const look =
    waited > 4 * HOUR_MS
      ? "bg-danger-soft text-danger font-semibold"
      : waited > HOUR_MS
        ? "bg-note text-warn font-medium"
        : "text-muted ring-1 ring-line ring-inset";
  return (
    <time
      dateTime={since}
      title={t("inbox.waitingSince", { time: exact(since) })}
      className={`shrink-0 rounded px-1 text-xs tabular-nums ${look}`}
    >
      {ago(since)}
    </time>
  );
}

function Handler({
  conversation: { handlingMode, assigneeId },
  shared: { t, members, memberId },
}: {
  conversation: Conversation;
  shared: Shared;
}): ReactNode {
  if (assigneeId !== null) {
    const name = assigneeId === memberId ? t("common.you") : (members?.get(assigneeId)?.name ?? t("common.somebody"));
    return <span className="max-w-24 shrink-0 truncate text-xs">{name}</span>;
  }
  return handlingMode === "assistant" ? (
    <span title={t("common.assistant")} className="shrink-0">
      <Bot size={14} aria-label={t("common.assistant")} />
    </span>
  ) : null;
}
