import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BookCheck, CalendarDays, MessageSquare, ShieldCheck, Star } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Conversation } from "../../api/parley.js";
import { Badge } from "../../ui/badge.js";
import { CHANNEL_ICONS } from "../../ui/channel-icons.js";
import { When } from "../../ui/dates.js";
import { Part } from "../../ui/detail-page.js";
import { headlineOf } from "../../ui/headline.js";
import { LabelChips } from "../../ui/label.js";
import { Paged } from "../../ui/paged.js";
import { Failed } from "../../ui/states.js";
import { Ago } from "../../ui/time.js";
import { bookingsQuery } from "../calendar/queries.js";
import { StatusBadge } from "../cases/case-row.js";
import { casesQuery } from "../cases/queries.js";
import { type Entry, historyOf } from "./history-of.js";
import { conversationsOfQuery } from "../contacts/queries.js";

/** The newest of each. Nobody has so many. */
const MANY = 100;

/** All that happened with a contact, newest first: conversations with their ratings, cases and bookings. */
export function History({ contactId }: { contactId: string }): ReactNode {
  const { t } = useTranslation();
  const cases = useInfiniteQuery(casesQuery({ contactId }, MANY));
  const bookings = useInfiniteQuery(bookingsQuery({ contactId }, MANY));
  const history = useInfiniteQuery({
    ...conversationsOfQuery(contactId),
    select: (conversations) =>
      historyOf(conversations, {
        cases: cases.data?.pages[0]?.data ?? [],
        bookings: bookings.data?.pages[0]?.data ?? [],
      }),
  });
  return (
    <Part title={t("contacts.history")}>
      <div>
        {[cases, bookings].map(
          ({ error, refetch }, n) => error && <Failed key={n} error={error} onRetry={() => void refetch()} />,
        )}
        <Paged
          query={history}
          label={t("contacts.history")}
          keyOf={({ id }) => id}
          empty={<p className="text-muted">{t("contacts.noHistory")}</p>}
          row={(entry) => <Row entry={entry} />}
        />
      </div>
    </Part>
  );
}

function Row({ entry }: { entry: Entry }): ReactNode {
  const { t } = useTranslation();
  if (entry.kind === "conversation") {
    const { id, channelType } = entry.one;
    return (
      <Link to="/inbox/$view/$conversationId" params={{ view: "all", conversationId: id }} className={ROW}>
        <Icon of={CHANNEL_ICONS[channelType] ?? MessageSquare} name={t(`channel.${channelType}`)} />
        <Lines
          title={headlineOf(entry.one) || t("thread.title")}
          when={<Ago at={entry.at} className="shrink-0 tabular-nums" />}
        >
          <AboutConversation conversation={entry.one} />
        </Lines>
      </Link>
    );
  }
  if (entry.kind === "case") {
    const { id, number, title, status } = entry.one;
    return (
      <Link to="/cases/$caseId" params={{ caseId: id }} className={ROW}>
        <Icon of={BookCheck} name={t("contacts.case")} />
        <Lines
          title={`#${number} ${title || t("cases.erased")}`}
          when={<Ago at={entry.at} className="shrink-0 tabular-nums" />}
        >
          <StatusBadge status={status} />
        </Lines>
      </Link>
    );
  }
  const { title, status } = entry.one;
  return (
    <Link to="/calendar" className={ROW}>
      <Icon of={CalendarDays} name={t("contacts.booking")} />
      <Lines
        title={title || t("bookings.erased")}
        when={<When at={entry.at} className="shrink-0 tabular-nums max-sm:hidden" />}
      >
        <Badge look={status === "cancelled" || status === "no_show" ? "danger" : "plain"}>
          {t(`bookings.status.${status}`)}
        </Badge>
        <When at={entry.at} className="sm:hidden" />
      </Lines>
    </Link>
  );
}

const ROW = "flex items-start gap-3 px-3 py-2.5 -outline-offset-2 hover:bg-hover";

const Icon = ({ of: Picture, name }: { of: ComponentType<{ size?: number }>; name: string }): ReactNode => (
  <span title={name} className="mt-0.5 shrink-0 text-muted">
    <Picture size={16} />
    <span className="sr-only">{name}</span>
  </span>
);

const Lines = ({ title, when, children }: { title: string; when: ReactNode; children: ReactNode }): ReactNode => (
  <span className="flex min-w-0 flex-1 flex-col gap-0.5">
    <span className="flex gap-3">
      <span dir="auto" className="min-w-0 flex-1 truncate font-medium">
        {title}
      </span>
      <span className="shrink-0 text-sm text-muted">{when}</span>
    </span>
    <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-muted">{children}</span>
  </span>
);

/** Where it stands, how the contact rated it, how well they were proven in it, and its labels. */
function AboutConversation({
  conversation: { status, csatScore, assuranceLevel, labels },
}: {
  conversation: Conversation;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <span>{t(`status.${status}`)}</span>
      {csatScore !== null && (
        <span className="flex items-center gap-1">
          <Star size={13} aria-hidden="true" />
          {t("contacts.rated", { score: csatScore })}
        </span>
      )}
      {assuranceLevel !== "none" && (
        <span className="flex items-center gap-1">
          <ShieldCheck size={13} aria-hidden="true" className="text-ok" />
          {t(`context.level.${assuranceLevel}`)}
        </span>
      )}
      <LabelChips names={labels} />
    </>
  );
}
