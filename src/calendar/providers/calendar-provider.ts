import type { TimeWindow } from "../ics/busy-times.js";

export interface AccountLogin {
  username: string;
  password: string;
}

/** An account on a calendar server. */
export interface Account extends AccountLogin {
  tenantId: string;
  serverUrl: string;
}

/** A calendar on a server. `url` is absolute and ends with a slash; `timezone` is an IANA name, where the server knows one. */
export interface FoundCalendar {
  url: string;
  name: string;
  timezone: string | null;
  writable: boolean;
}

/** How far a calendar was read. */
export interface CalendarPosition {
  syncToken: string | null;
  ctag: string | null;
}

export interface EventVersion {
  url: string;
  etag: string;
}

/** What changed since a position, and the new position. */
export interface CalendarChanges extends CalendarPosition {
  changed: EventVersion[];
  /** URLs of removed events. Null: `changed` lists all events in the window. */
  removed: string[] | null;
  /** Whether there is more behind the new position. */
  more: boolean;
}

export interface CalendarEvent extends EventVersion {
  ics: string;
}

/** The new version, where the server names it, or `changed`: the server has another version than expected. */
export type WriteResult = { etag: string | undefined } | "changed";

/** A kind of calendar server. Every call throws CalendarError, or EventError if it is about one event. */
export interface CalendarProvider {
  calendars(account: Account): Promise<FoundCalendar[]>;
  /**
   * @param position null reads everything in the window
   * @param window limits what is read without a position
   * @returns undefined if nothing changed; null if the calendar does not exist
   */
  changes(
    account: Account,
    url: string,
    position: CalendarPosition | null,
    window: TimeWindow,
  ): Promise<CalendarChanges | null | undefined>;
  /**
   * @param urls at most `MAX_EVENTS_PER_READ`
   * @returns those that exist
   */
  read(account: Account, calendarUrl: string, urls: readonly string[]): Promise<CalendarEvent[]>;
  /** @param etag the version that is replaced; null: there must be none */
  write(account: Account, url: string, ics: string, etag: string | null): Promise<WriteResult>;
  /** Succeeds if the event is gone already. */
  remove(account: Account, url: string): Promise<void>;
}
export const MAX_EVENTS_PER_READ = 25;

/** A connection does not work. The message is for operators and reveals nothing about our own network. */
export class CalendarError extends Error {
  /** @param status of the connection from now on. `expired`: retrying is useless until the connection is changed */
  constructor(
    message: string,
    readonly status: "expired" | "error" = "error",
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** The server refused one event. Other events are not affected. */
export class EventError extends Error {}
