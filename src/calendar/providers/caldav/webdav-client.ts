import { davRequest, type DAVResponse } from "tsdav";
import {
  OutboundError,
  type OutboundClient,
  type OutboundDav,
  type OutboundDavAnswer,
} from "../../../platform/outbound/outbound.client.js";
import { type Account, CalendarError } from "../calendar-provider.js";

const MOST_BYTES = 8 * 1024 * 1024;
/** The second level of names as `example.co.uk`: whoever else is below it is somebody else. */
const SHORTEST_DOMAIN = 4;

/** One resource of a multistatus: `props` by their names in camel case. */
export interface Resource {
  url: string;
  status: number;
  props: Record<string, unknown>;
}
export interface Multistatus {
  status: number;
  url: string;
  resources: Resource[];
  syncToken: string | null;
  /** The server gave a part. */ truncated: boolean;
}

/** Of an account: WebDAV through the one client for the outside, with its credentials. */
export class Dav {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly account: Account,
  ) {}

  /** @throws CalendarError: refused, or no answer that means anything */
  async send(
    url: string,
    method: OutboundDav["method"],
    headers: Record<string, string> = {},
    content?: string,
  ): Promise<OutboundDavAnswer> {
    const { username, password, serverUrl } = this.account;
    if (!mayLead(new URL(serverUrl), new URL(url)))
      throw new CalendarError("The server keeps the calendars on another one, which the credentials are not sent to");
    try {
      const answer = await this.outbound.dav(url, {
        method,
        content,
        maxBytes: MOST_BYTES,
        follows: (target) => mayLead(new URL(serverUrl), target),
        headers: {
          accept: "*/*",
          ...headers,
          authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
        },
      });
      if (answer.status === 401) throw new CalendarError("The server refused the user name or the password", "expired");
      if (answer.status === 429 || (answer.status >= 500 && answer.status !== 507))
        throw new CalendarError(`The server answered with status ${answer.status}`, "error", answer.retryAfter);
      return answer;
    } catch (error) {
      throw error instanceof OutboundError ? new CalendarError(error.message) : error;
    }
  }

  /** A question in XML. `body` is the document as tsdav takes it. */
  async ask(url: string, method: "PROPFIND" | "REPORT", depth: "0" | "1", body: object): Promise<Multistatus> {
    let answer: OutboundDavAnswer | undefined;
    let failed: Error | undefined;
    const responses = await davRequest({
      url,
      init: { method, namespace: "d", headers: { depth }, body },
      fetch: async (_url, init) => {
        try {
          answer = await this.send(
            url,
            method,
            { depth, "content-type": "application/xml; charset=utf-8" },
            init?.body as string,
          );
        } catch (error) {
          failed = error as Error;
          throw error;
        }
        return new Response(answer.text, { status: answer.status, headers: { "content-type": answer.type } });
      },
    }).catch((error: unknown) => {
      throw failed ?? (error as Error);
    });
    const { status, url: from } = answer!;
    if (status !== 207) return { status, url: from, resources: [], syncToken: null, truncated: false };
    const raw = (responses[0]?.raw as { multistatus?: { syncToken?: unknown } } | undefined)?.multistatus;
    if (!raw) throw new CalendarError("The server answered with something else than WebDAV");
    const resources = responses.flatMap((response) => resource(response, from));
    return {
      status,
      url: from,
      syncToken: text(raw.syncToken),
      truncated: resources.some((one) => one.status === 507),
      resources: resources.filter((one) => one.status !== 507),
    };
  }
}

function resource({ href, status, props }: DAVResponse, from: string): Resource[] {
  const path = text(href);
  if (path === null || !URL.canParse(path, from)) return [];
  return [{ url: normal(new URL(path, from)), status, props: props ?? {} }];
}

/** Servers write the same path in several ways. */
export function normal(url: URL): string {
  const path = url.pathname
    .split("/")
    .map((part) => {
      try {
        return encodeURIComponent(decodeURIComponent(part));
      } catch {
        return part;
      }
    })
    .join("/");
  return `${url.origin}${path}`;
}

/** Whether a server may be followed to another address: its own, or over https one of the same domain (`caldav.example.com` → `p42.example.com`). */
export function mayLead(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const domain = from.hostname.split(".").slice(-2);
  return (
    from.protocol === "https:" &&
    to.protocol === "https:" &&
    from.port === to.port &&
    domain.length === 2 &&
    /^[a-z]/.test(domain[1]!) &&
    domain[0]!.length >= SHORTEST_DOMAIN &&
    to.hostname.endsWith(`.${domain.join(".")}`)
  );
}

/** What stands in an element, however it was written; without NUL, which no table takes. */
export function text(value: unknown): string | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return String(value).replaceAll("\0", "");
  if (Array.isArray(value)) return text(value[0]);
  const { _cdata: cdata, _text: inner, href } = (value ?? {}) as { _cdata?: unknown; _text?: unknown; href?: unknown };
  return cdata !== undefined ? text(cdata) : inner !== undefined ? text(inner) : href !== undefined ? text(href) : null;
}

/** Elements of the same name: one, several, or none. */
export const several = (value: unknown): Record<string, unknown>[] =>
  [value].flat().filter((one): one is Record<string, unknown> => typeof one === "object" && one !== null);
