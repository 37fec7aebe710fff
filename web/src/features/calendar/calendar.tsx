import { BookingStatus } from "@parley/sdk/enums";
import { type InfiniteData, useInfiniteQuery, type UseInfiniteQueryResult, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Page as PageOf, readNextPage } from "../../api/paged.js";
import type { Schemas } from "../../api/parley.js";
import { workspacesQuery } from "../../api/queries.js";
import { manages } from "../../session/roles.js";
import { useMember } from "../../session/session.js";
import type { Shown } from "../../shown.js";
import { Button, IconButton } from "../../ui/button.js";
import { dayName, dayRange, startOfDay } from "../../ui/dates.js";
import { Dialog } from "../../ui/dialog.js";
import { FilterSelect } from "../../ui/filter-select.js";
import { Page } from "../../ui/page.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { BookingRow } from "./booking-row.js";
import { Connect } from "./connect.js";
import { type Booking, bookingsQuery, connectionsQuery } from "./queries.js";
import { Week } from "./week.js";

const WEEKS = 4;
const MANY = 100;

const now = (): Date => new Date();
/** The Monday of a day's week. */
const monday = (day: Date): Date => startOfDay(-((day.getDay() + 6) % 7), day);
/** A day as an address names it, by the local clock. */
const named = (day: Date): string =>
  [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
function dayFrom(text: string | undefined): Date {
  const day = text === undefined ? new Date() : new Date(`${text}T00:00`);
  return Number.isNaN(day.getTime()) ? new Date() : day;
}

/** Bookings by the day on which they start. */
function byDay(bookings: Booking[]): [day: string, bookings: Booking[]][] {
  const days = new Map<string, Booking[]>();
  for (const booking of bookings) {
    const day = named(new Date(booking.startsAt));
    days.set(day, [...(days.get(day) ?? []), booking]);
  }
  return [...days];
}

const statusIn = (search: Shown): Booking["status"] | undefined => BookingStatus.find((one) => one === search.status);

const weeksFrom = (first: Date): string => dayRange(first, startOfDay(WEEKS * 7 - 1, first));

/** A week as a calendar shows it, and the bookings of four weeks, day by day. */
export function Calendar(): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const managing = manages(useMember());
  const search: Shown = useSearch({ strict: false });
  const { data: workspaces } = useQuery(workspacesQuery());
  const { data: connections, error: unconnected, refetch: readConnections } = useQuery(connectionsQuery());
  const [isConnecting, setConnecting] = useState(false);
  const first = monday(dayFrom(search.from));
  const status = statusIn(search);
  const workspace = workspaces?.find(({ id }) => id === search.workspace);
  const query = useInfiniteQuery(
    bookingsQuery(
      {
        from: first.toISOString(),
        to: startOfDay(WEEKS * 7, first).toISOString(),
        ...(status && { status }),
        ...(workspace && { workspaceId: workspace.id }),
      },
      MANY,
    ),
  );
  const { data, error, refetch } = query;
  const bookings = data?.pages.flatMap((page) => page.data);
  const show = (change: Shown): void =>
    void navigate({
      to: "/calendar",
      search: { status: search.status, workspace: search.workspace, from: search.from, ...change },
      replace: true,
    });
  const connect = managing && (
    <Button look={connections?.length === 0 ? "primary" : "plain"} onClick={() => setConnecting(true)}>
      {t("calendar.connect")}
    </Button>
  );
  return (
    <Page
      wide
      title={t("shell.calendar")}
      explain={t("calendar.explain")}
      action={connections?.length ? connect : undefined}
    >
      <Faults connections={connections} />
      <Bar search={search} first={first} isEmpty={bookings?.length === 0} onShow={show} />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!error && unconnected && <Failed error={unconnected} onRetry={() => void readConnections()} />}
      {!bookings ? (
        !error && <Skeleton lines={4} />
      ) : bookings.length > 0 ? (
        <>
          <Week first={first} bookings={bookings} />
          <h2 dir="auto" className="mb-4 text-lg font-semibold max-lg:hidden">
            {weeksFrom(first)}
          </h2>
          <Days days={byDay(bookings)} />
        </>
      ) : (
        <NoBookings
          isConnected={connections?.length !== 0}
          connect={connect}
          onClear={status && (() => show({ status: undefined }))}
        />
      )}
      <More query={query} />
      <Dialog open={isConnecting} onClose={() => setConnecting(false)} title={t("calendar.connect")}>
        <Connect workspaces={workspaces ?? []} onDone={() => setConnecting(false)} />
      </Dialog>
    </Page>
  );
}

function More({ query }: { query: UseInfiniteQueryResult<InfiniteData<PageOf<Booking>>> }): ReactNode {
  const { t } = useTranslation();
  return (
    query.hasNextPage && (
      <div className="mt-4 flex justify-center">
        <Button disabled={query.isFetchingNextPage} onClick={() => void readNextPage(query)}>
          {t("list.more")}
        </Button>
      </div>
    )
  );
}

function NoBookings({
  isConnected,
  connect,
  onClear,
}: {
  isConnected: boolean;
  /** The button, for members who may connect a calendar. */
  connect: ReactNode;
  /** Only where a filter may hide some. */
  onClear: (() => void) | undefined;
}): ReactNode {
  const { t } = useTranslation();
  if (!isConnected)
    return <Empty text={t(connect ? "calendar.noConnection" : "calendar.askForConnection")}>{connect}</Empty>;
  if (!onClear) return <Empty text={t("calendar.empty")} />;
  return (
    <Empty text={t("list.filtered")}>
      <Button onClick={onClear}>{t("list.clearFilters")}</Button>
    </Empty>
  );
}

/** The calendars that could not be read. */
function Faults({ connections }: { connections: Schemas["CalendarConnection"][] | undefined }): ReactNode {
  const { t } = useTranslation();
  return connections
    ?.filter((one) => one.status !== "connected")
    .map(({ id, accountEmail, serverUrl, status: state, lastError }) => (
      <p key={id} className="mb-3 rounded-lg border border-note-line bg-note p-3 wrap-anywhere text-note-text">
        {t(state === "expired" ? "calendar.expired" : "calendar.failing", { account: accountEmail ?? serverUrl })}{" "}
        {lastError}
      </p>
    ));
}

/** Which weeks are shown, and of them which bookings. */
function Bar({
  search,
  first,
  isEmpty,
  onShow,
}: {
  search: Shown;
  /** The day with which the weeks begin. */
  first: Date;
  /** Nothing is booked in any of them. */
  isEmpty: boolean;
  onShow: (change: Shown) => void;
}): ReactNode {
  const { t } = useTranslation();
  const { data: workspaces } = useQuery(workspacesQuery());
  const workspace = workspaces?.find(({ id }) => id === search.workspace);
  const by = (weeks: number) => () => onShow({ from: named(startOfDay(weeks * 7, first)) });
  return (
    <div role="group" aria-label={t("calendar.filters")} className="mb-4 flex flex-wrap items-center gap-2">
      <h2 aria-live="polite" dir="auto" className="text-lg font-semibold">
        {/* Where there is room, the first week stands below. */}
        <span className={isEmpty ? "hidden" : "max-lg:hidden"}>{dayRange(first, startOfDay(6, first))}</span>
        <span className={isEmpty ? "" : "lg:hidden"}>{weeksFrom(first)}</span>
      </h2>
      <span className="flex">
        <IconButton label={t("calendar.earlier")} onClick={by(-1)}>
          <ChevronLeft size={18} className="rtl:-scale-x-100" />
        </IconButton>
        <IconButton label={t("calendar.later")} onClick={by(1)}>
          <ChevronRight size={18} className="rtl:-scale-x-100" />
        </IconButton>
      </span>
      {named(first) !== named(monday(now())) && (
        <Button small onClick={() => onShow({ from: undefined })}>
          {t("calendar.now")}
        </Button>
      )}
      <span className="flex-1" />
      <FilterSelect
        label={t("calendar.status")}
        all={t("calendar.allStates")}
        value={statusIn(search)}
        choices={BookingStatus.map((one) => [one, t(`bookings.status.${one}`)])}
        onChoose={(one) => onShow({ status: one })}
      />
      {workspaces && workspaces.length > 1 && (
        <FilterSelect
          label={t("cases.workspace")}
          all={t("cases.allWorkspaces")}
          value={workspace?.id}
          choices={workspaces.map(({ id, name }) => [id, name])}
          onChoose={(id) => onShow({ workspace: id })}
        />
      )}
    </div>
  );
}

function Days({ days }: { days: [day: string, bookings: Booking[]][] }): ReactNode {
  const { t } = useTranslation();
  const today = named(now());
  return (
    <div className="flex flex-col gap-5">
      {days.map(([day, bookings]) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <h3
            id={`day-${day}`}
            className={`mb-1.5 text-sm font-semibold ${day === today ? "text-accent-strong" : "text-muted"}`}
          >
            {day === today && `${t("thread.today")}, `}
            {dayName(`${day}T00:00`)}
          </h3>
          <ul className="flex flex-col divide-y divide-line rounded-lg border border-line">
            {bookings.map((booking) => (
              <li key={booking.id} id={`booking-${booking.id}`} tabIndex={-1} className="-outline-offset-2">
                <BookingRow booking={booking} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
