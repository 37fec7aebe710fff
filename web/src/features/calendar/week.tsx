import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { region } from "../../i18n/i18n.js";
import { startOfDay, timeRange } from "../../ui/dates.js";
import { type Placed, placedOn } from "./lanes.js";
import type { Booking } from "./queries.js";

const HOUR_PX = 36;
/** Of the text of a block. Only whole lines are shown. */
const LINE_PX = 16;
/** Shown in any case. */
const [OPENS, CLOSES] = [8, 18];

/** A week as a calendar shows it. A booking leads to its row, where something can be done with it. */
export function Week({ first, bookings }: { first: Date; bookings: readonly Booking[] }): ReactNode {
  const { t } = useTranslation();
  const days = Array.from({ length: 7 }, (_, n) => startOfDay(n, first));
  const placed = days.map((day) => placedOn(day, startOfDay(1, day), bookings));
  const all = placed.flat();
  const from = Math.floor(Math.min(OPENS, ...all.map((one) => one.from)));
  const until = Math.ceil(Math.max(CLOSES, ...all.map((one) => one.until)));
  const hours = Array.from({ length: until - from }, (_, n) => from + n);
  const today = startOfDay().getTime();
  const named = new Intl.DateTimeFormat(region(), { weekday: "short", day: "numeric" });
  const clock = new Intl.DateTimeFormat(region(), { hour: "numeric", minute: "2-digit" });
  return (
    <div
      role="group"
      aria-label={t("calendar.week")}
      className="mb-6 grid grid-cols-[4rem_repeat(7,minmax(0,1fr))] overflow-hidden rounded-lg border border-line text-sm max-lg:hidden"
    >
      <span />
      {days.map((day) => (
        <span
          key={day.getTime()}
          className={`border-s border-line px-2 py-1.5 font-medium ${day.getTime() === today ? "text-accent-strong" : "text-muted"}`}
        >
          {named.format(day)}
        </span>
      ))}
      <span aria-hidden="true" className="border-t border-line">
        {hours.map((hour) => (
          <span
            key={hour}
            style={{ height: HOUR_PX }}
            className="block pe-1.5 pt-0.5 text-end text-xs whitespace-nowrap text-muted tabular-nums"
          >
            {clock.format(new Date(2000, 0, 1, hour))}
          </span>
        ))}
      </span>
      {days.map((day, n) => (
        <div
          key={day.getTime()}
          style={{ height: hours.length * HOUR_PX }}
          className={`relative border-s border-t border-line ${day.getTime() === today ? "bg-canvas" : ""}`}
        >
          {placed[n]!.map((one) => (
            <Block key={one.booking.id} of={one} from={from} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Block({ of: { booking, from, until, lane, lanes }, from: first }: { of: Placed; from: number }): ReactNode {
  const { t } = useTranslation();
  const isOver = booking.status === "cancelled" || booking.status === "no_show";
  const time = timeRange(booking.startsAt, booking.endsAt);
  const height = (until - from) * HOUR_PX - 2;
  const title = booking.title || t("bookings.erased");
  return (
    <a
      href={`#booking-${booking.id}`}
      title={`${time} ${title}`}
      onClick={(event) => {
        event.preventDefault();
        const row = document.getElementById(`booking-${booking.id}`);
        row?.scrollIntoView({ block: "center" });
        row?.focus({ preventScroll: true });
      }}
      style={{
        top: (from - first) * HOUR_PX + 1,
        height,
        insetInlineStart: `${(lane / lanes) * 100}%`,
        width: `calc(${100 / lanes}% - 2px)`,
      }}
      className={`absolute overflow-hidden rounded border-s-2 px-1 text-xs leading-4 -outline-offset-2 ${isOver ? "border-line bg-hover text-muted line-through" : "border-accent bg-selected text-accent-strong"}`}
    >
      <span className="sr-only">{time} </span>
      <bdi
        className="line-clamp-1 wrap-anywhere"
        style={{ WebkitLineClamp: Math.max(1, Math.floor(height / LINE_PX)) }}
      >
        {title}
      </bdi>
    </a>
  );
}
