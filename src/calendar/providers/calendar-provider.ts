import type { Span } from "../ics/busy-times.js";

export interface AccountLogin {
  username: string;
  password: string;
}

/** An account as a provider works with it. */
export interface Account extends AccountLogin {
  serverUrl: string;
}

/** A calendar as a server has it. `url` is absolute and ends with a slash; `timezone`, an IANA name, where the server knows one. */
export interface FoundCalendar {
  url: string;
  name: string;
  timezone: string | null;
  writable: boolean;
}

/** How far a calendar was read. */
export interface Place {
  syncToken: string | null;
  ctag: string | null;
}
export interface Version {
  url: string;
  etag: string;
}

/** What is other than at a place. */
export interface Found extends Place {
  changed: Version[];
  /** What is no longer there; null: `changed` is all that there is in the window. */
  gone: string[] | null;
  /** There is more behind the new place. */
  more: boolean;
}
export interface Event extends Version {
  ics: string;
}

/** What became of a write: the version that stands, where the server told; or that another one than expected stands there. */
export type Written = { etag: string | undefined } | "changed";

/** A kind of calendar server. Every call throws CalendarError, or EventError where it is about one event. */
export interface CalendarProvider {
  calendars(account: Account): Promise<FoundCalendar[]>;
  /**
   * @param window which days matter where everything has to be read, as it has without a place
   * @returns undefined where nothing changed; null where the calendar is not there
   */
  changes(account: Account, url: string, place: Place | null, window: Span): Promise<Found | null | undefined>;
  /** @returns those that are there, at most 25 asked for at once */
  read(account: Account, calendarUrl: string, urls: readonly string[]): Promise<Event[]>;
  /** @param etag the version that it replaces; null: there must be none */
  write(account: Account, url: string, ics: string, etag: string | null): Promise<Written>;
  /** Also where it is gone already. */
  remove(account: Account, url: string): Promise<void>;
}
export const MOST_READ_AT_ONCE = 25;

/**
 * That a connection does not work, in a sentence that an operator understands and that tells nothing of the network that
 * we stand in.
 */
export class CalendarError extends Error {
  /** @param status what its connection is in consequence: `expired` where it is of no use to try again until something is set anew */
  constructor(
    sentence: string,
    readonly status: "expired" | "error" = "error",
    readonly retryAfter?: number,
  ) {
    super(sentence);
  }
}

/** That one event was refused; the others are not concerned. */
export class EventError extends Error {}
