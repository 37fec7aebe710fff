import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { region } from "../../i18n/i18n.js";
import { inWords } from "../../i18n/in-words.js";
import { calendarsQuery } from "../calendar/queries.js";
import { workspaceQuery } from "../settings/workspaces/queries.js";

/**
 * What a tool gets or answers, by name. Each value is there as it is, but times and calendars, which are in words: people decide
 * about it.
 */
export function Values({
  values,
  workspaceId,
  label,
  isNarrow = false,
}: {
  values: object;
  /** In its time zone. */
  workspaceId: string;
  label: string;
  /** Names above their values, where there is no room beside them. */
  isNarrow?: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const entries = inOrder(Object.entries(values as Record<string, unknown>));
  if (entries.length === 0) return <p className="text-muted">{t("approvals.noArguments")}</p>;
  return (
    <dl aria-label={label} className={`grid gap-x-6 gap-y-1 ${isNarrow ? "" : "sm:grid-cols-[minmax(0,10rem)_1fr]"}`}>
      {entries.map(([name, value]) => (
        <div key={name} className={isNarrow ? "" : "grid grid-cols-subgrid sm:col-span-2"}>
          <dt title={name} className="text-sm text-muted wrap-anywhere sm:leading-6">
            {isCalendar(name, value) ? t("bookings.calendar") : inWords(name)}
          </dt>
          <dd className="min-w-0 font-medium wrap-anywhere">
            <Shown name={name} value={value} workspaceId={workspaceId} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

const isCalendar = (name: string, value: unknown): value is string =>
  name === "calendarId" && typeof value === "string";

function Shown({ name, value, workspaceId }: { name: string; value: unknown; workspaceId: string }): ReactNode {
  if (isInstant(value)) return <Instant at={value} workspaceId={workspaceId} />;
  if (isCalendar(name, value)) return <Calendar id={value} workspaceId={workspaceId} />;
  return <Value value={value} />;
}

/** By its name. One that nobody can book in any more has only its id. */
function Calendar({ id, workspaceId }: { id: string; workspaceId: string }): ReactNode {
  const { data: calendars } = useQuery(calendarsQuery(workspaceId));
  const name = calendars?.find((one) => one.id === id)?.name;
  return name === undefined ? (
    <Value value={id} />
  ) : (
    <span dir="auto" title={id}>
      {name}
    </span>
  );
}

function Value({ value }: { value: unknown }): ReactNode {
  const { t } = useTranslation();
  if (value === null || value === "") return <span className="font-normal text-muted">{t("approvals.nothing")}</span>;
  if (typeof value === "boolean") return t(value ? "approvals.yes" : "approvals.no");
  if (typeof value === "object")
    return <pre className="font-mono text-sm font-normal whitespace-pre-wrap">{JSON.stringify(value, null, 2)}</pre>;
  return (
    <span dir="auto" className="whitespace-pre-wrap">
      {typeof value === "string" ? value : JSON.stringify(value)}
    </span>
  );
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;
const isInstant = (value: unknown): value is string =>
  typeof value === "string" && INSTANT.test(value) && !Number.isNaN(Date.parse(value));

/** The database keeps names in an order of its own: what begins comes before what ends. */
function inOrder(entries: [string, unknown][]): [string, unknown][] {
  const times = entries.filter(([, value]) => isInstant(value));
  times.sort(([, one], [, other]) => Date.parse(one as string) - Date.parse(other as string));
  return entries.map((entry) => (isInstant(entry[1]) ? times.shift()! : entry));
}

/** "Monday, 30 November 2026 at 10:00 (Europe/Berlin)": as the clocks of the workspace show it. */
function Instant({ at, workspaceId }: { at: string; workspaceId: string }): ReactNode {
  const { data: workspace } = useQuery(workspaceQuery(workspaceId));
  const timeZone = workspace?.timezone;
  return (
    <time dateTime={at} title={at}>
      {timeZone === undefined ? at : `${whenIn(timeZone, at)} (${timeZone.replaceAll("_", " ")})`}
    </time>
  );
}

const whenIn = (timeZone: string, at: string): string =>
  new Intl.DateTimeFormat(region(), {
    timeZone,
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    ...(Date.parse(at) % 60_000 !== 0 && { second: "2-digit" }),
  }).format(Date.parse(at));
