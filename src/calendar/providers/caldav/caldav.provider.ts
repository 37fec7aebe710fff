import { Injectable } from "@nestjs/common";
import { OutboundClient } from "../../../platform/outbound/outbound.client.js";
import type { TimeWindow } from "../../ics/busy-times.js";
import { CalendarParser } from "../calendar-parser.js";
import {
  type Account,
  CalendarError,
  type CalendarProvider,
  type CalendarEvent,
  EventError,
  type FoundCalendar,
  type CalendarChanges,
  MAX_EVENTS_PER_READ,
  type CalendarPosition,
  type EventVersion,
  type WriteResult,
} from "../calendar-provider.js";
import { elementsOf, lastNameOf, normalizedUrl, type Resource, text } from "./multistatus.js";
import { type DavAnswer, unreadable, WebDavClient } from "./webdav-client.js";

const NAMESPACES = {
  _attributes: {
    "xmlns:d": "DAV:",
    "xmlns:c": "urn:ietf:params:xml:ns:caldav",
    "xmlns:cs": "http://calendarserver.org/ns/",
  },
};
const MAX_CALENDARS = 100;
/** How many parts of one truncated answer are read in one call. */
const MAX_PARTS = 4;

const propfind = (...props: string[]): object => ({ "d:propfind": { ...NAMESPACES, "d:prop": elements(props) } });
const elements = (names: string[]): object => Object.fromEntries(names.map((name) => [name, {}]));
const utc = (time: Date): string => time.toISOString().replace(/[-:]|\.\d+/g, "");

/** CalDAV (RFC 4791), with WebDAV-Sync (RFC 6578) where the server has it. */
@Injectable()
export class CaldavProvider implements CalendarProvider {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly parser: CalendarParser,
  ) {}

  private client(account: Account): WebDavClient {
    return new WebDavClient(this.outbound, this.parser, account);
  }

  async calendars(account: Account): Promise<FoundCalendar[]> {
    const dav = this.client(account);
    const home = await this.home(dav, account.serverUrl);
    const { resources } = await dav.ask(
      home,
      "PROPFIND",
      "1",
      propfind(
        "d:resourcetype",
        "d:displayname",
        "d:current-user-privilege-set",
        "c:calendar-timezone",
        "c:supported-calendar-component-set",
      ),
    );
    const calendars = resources.filter(isCalendar).slice(0, MAX_CALENDARS);
    if (!calendars.length) throw new CalendarError("No calendar was found at this address");
    const described = calendars.map(({ props }) => text(props.calendarTimezone));
    const zones = await this.parser.read(account.tenantId, "zonesOfCalendars", described).catch(unreadable);
    return calendars.map(({ url, props }, n) => ({
      url: folder(url),
      name: text(props.displayname)?.slice(0, 200).toWellFormed() || lastNameOf(url),
      timezone: zones[n]!,
      writable: isWritable(props),
    }));
  }

  /** Finds the calendar home, from the given address or the server's well-known one, by way of the user's principal. */
  private async home(dav: WebDavClient, serverUrl: string): Promise<string> {
    const given = new URL(serverUrl);
    const starts =
      given.pathname === "/"
        ? [new URL("/.well-known/caldav", given).href, given.href]
        : [given.href, new URL("/.well-known/caldav", given).href];
    for (const start of starts) {
      const {
        url,
        resources: [first],
      } = await dav.ask(
        start,
        "PROPFIND",
        "0",
        propfind("d:current-user-principal", "d:resourcetype", "c:calendar-home-set"),
      );
      if (!first) continue;
      const principal = link(first.props.currentUserPrincipal, url);
      const own = link(first.props.calendarHomeSet, url);
      if (own) return own;
      if (!principal) {
        if (isCalendar(first) || (start === given.href && given.pathname !== "/")) return url;
        continue;
      }
      const {
        resources: [user],
      } = await dav.ask(principal, "PROPFIND", "0", propfind("c:calendar-home-set"));
      return link(user?.props.calendarHomeSet, principal) ?? principal;
    }
    throw new CalendarError("No calendar was found at this address: it does not answer like a CalDAV server");
  }

  async changes(
    account: Account,
    url: string,
    position: CalendarPosition | null,
    window: TimeWindow,
  ): Promise<CalendarChanges | null | undefined> {
    const dav = this.client(account);
    const {
      status,
      resources: [now],
    } = await dav.ask(url, "PROPFIND", "0", propfind("d:sync-token", "cs:getctag"));
    if (status === 404 || status === 410 || now?.status === 404) return null;
    if (!now) throw new CalendarError(`The server answered a request for a calendar with status ${status}`);
    const [syncToken, ctag] = [text(now.props.syncToken), text(now.props.getctag)];
    if (position && (syncToken !== null ? syncToken === position.syncToken : ctag !== null && ctag === position.ctag))
      return undefined;
    const since = position?.syncToken ? await this.changesSince(dav, url, position.syncToken) : undefined;
    if (since) return { ...since, ctag };
    const span = { _attributes: { start: utc(window.from), end: utc(window.to) } };
    const listed = await dav.ask(url, "REPORT", "1", {
      "c:calendar-query": {
        ...NAMESPACES,
        "d:prop": elements(["d:getetag"]),
        "c:filter": {
          "c:comp-filter": {
            _attributes: { name: "VCALENDAR" },
            "c:comp-filter": { _attributes: { name: "VEVENT" }, "c:time-range": span },
          },
        },
      },
    });
    if (listed.status !== 207)
      throw new CalendarError(`The server answered a request for events with status ${listed.status}`);
    return { changed: versions(listed.resources, url), removed: null, more: false, syncToken, ctag };
  }

  /** @returns undefined if the server does not know this token, or has no sync tokens */
  private async changesSince(
    dav: WebDavClient,
    url: string,
    token: string,
  ): Promise<Omit<CalendarChanges, "ctag"> | undefined> {
    const resources: Resource[] = [];
    let syncToken = token;
    for (let part = 1; ; part++) {
      const answer: DavAnswer = await dav.ask(url, "REPORT", "0", {
        "d:sync-collection": {
          ...NAMESPACES,
          "d:sync-token": syncToken,
          "d:sync-level": "1",
          "d:prop": elements(["d:getetag"]),
        },
      });
      if (answer.status !== 207 || answer.syncToken === null) return undefined;
      resources.push(...answer.resources);
      syncToken = answer.syncToken;
      if (answer.truncated && part < MAX_PARTS) continue;
      return { ...changesIn(resources, url), more: answer.truncated, syncToken };
    }
  }

  async read(account: Account, calendarUrl: string, urls: readonly string[]): Promise<CalendarEvent[]> {
    if (!urls.length) return [];
    if (urls.length > MAX_EVENTS_PER_READ) throw new Error("too many events to read at once");
    const dav = this.client(account);
    const { status, resources } = await dav.ask(calendarUrl, "REPORT", "1", {
      "c:calendar-multiget": {
        ...NAMESPACES,
        "d:prop": elements(["d:getetag", "c:calendar-data"]),
        "d:href": urls.map((url) => new URL(url).pathname),
      },
    });
    if (status !== 207) throw new CalendarError(`The server answered a request for events with status ${status}`);
    const byUrl = new Map(resources.map((one) => [one.url, one]));
    return versions([...byUrl.values()], calendarUrl).flatMap((version) => {
      const ics = text(byUrl.get(version.url)!.props.calendarData);
      return ics === null ? [] : [{ ...version, ics }];
    });
  }

  async write(account: Account, url: string, ics: string, etag: string | null): Promise<WriteResult> {
    const condition: Record<string, string> = etag === null ? { "if-none-match": "*" } : { "if-match": etag };
    const answer = await this.client(account).send(
      url,
      "PUT",
      { ...condition, "content-type": "text/calendar; charset=utf-8" },
      ics,
    );
    if (answer.status >= 200 && answer.status < 300) return { etag: answer.etag };
    if (answer.status === 412 || (answer.status === 404 && etag !== null)) return "changed";
    throw new EventError(
      answer.status === 403
        ? "The account may not write to the calendar"
        : answer.status === 507
          ? "The calendar is full"
          : `The calendar refused the event with status ${answer.status}`,
    );
  }

  async remove(account: Account, url: string): Promise<void> {
    const { status } = await this.client(account).send(url, "DELETE");
    if (status >= 300 && status !== 404 && status !== 410)
      throw new EventError(`The calendar did not remove the event: status ${status}`);
  }
}

const folder = (url: string): string => (url.endsWith("/") ? url : `${url}/`);
const link = (value: unknown, from: string): string | null => {
  const path = text(value);
  return path !== null && URL.canParse(path, from) ? normalizedUrl(new URL(path, from)) : null;
};

/** The resources of a calendar that have a version. */
const versions = (resources: Resource[], calendarUrl: string): EventVersion[] =>
  resources.flatMap(({ url, status, props }) => {
    const etag = text(props.getetag);
    return etag !== null && status < 300 && url !== calendarUrl && url.startsWith(calendarUrl) ? [{ url, etag }] : [];
  });

/** What changed, by the last that a server says of each resource. It may name as many as it likes. */
export function changesIn(
  resources: readonly Resource[],
  calendarUrl: string,
): { changed: EventVersion[]; removed: string[] } {
  const latest = [...new Map(resources.map((one) => [one.url, one])).values()];
  const isGone = ({ status }: Resource): boolean => status === 404 || status === 410;
  return {
    changed: versions(latest, calendarUrl),
    removed: latest.filter((one) => isGone(one) && one.url.startsWith(calendarUrl)).map(({ url }) => url),
  };
}

function isCalendar({ props }: Resource): boolean {
  if (typeof props.resourcetype !== "object" || props.resourcetype === null || !("calendar" in props.resourcetype))
    return false;
  const kinds = elementsOf((props.supportedCalendarComponentSet as { comp?: unknown } | undefined)?.comp).map(
    (one) => (one._attributes as { name?: string } | undefined)?.name,
  );
  return !kinds.length || kinds.includes("VEVENT");
}

/** A server that does not list privileges refuses a write when it comes. */
function isWritable(props: Record<string, unknown>): boolean {
  const given = elementsOf((props.currentUserPrivilegeSet as { privilege?: unknown } | undefined)?.privilege).flatMap(
    (one) => Object.keys(one),
  );
  return !given.length || given.some((name) => ["all", "write", "writeContent", "bind"].includes(name));
}
