import { davRequest, type DAVResponse } from "tsdav";
import {
  OutboundError,
  type OutboundClient,
  type OutboundDav,
  type OutboundDavAnswer,
} from "../../../platform/outbound/outbound.client.js";
import { type Account, CalendarError } from "../calendar-provider.js";

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** A shorter second level, as in `example.co.uk`, has other people's domains below it. */
const MIN_DOMAIN_LENGTH = 4;

/** One resource of a multistatus answer. `props` have their names in camel case. */
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
  /** Whether the server returned only a part. */
  truncated: boolean;
}

/** WebDAV requests with the credentials of one account. */
export class WebDavClient {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly account: Account,
  ) {}

  /** @throws CalendarError: the request was refused, or has no usable answer */
  async send(
    url: string,
    method: OutboundDav["method"],
    headers: Record<string, string> = {},
    content?: string,
  ): Promise<OutboundDavAnswer> {
    const { username, password, serverUrl } = this.account;
    if (!mayFollow(new URL(serverUrl), new URL(url)))
      throw new CalendarError("The calendars are on another server, to which the credentials are not sent");
    try {
      const answer = await this.outbound.dav(url, {
        method,
        content,
        maxBytes: MAX_ANSWER_BYTES,
        follows: (target) => mayFollow(new URL(serverUrl), target),
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

  /** A request with an XML body. @param body the document in tsdav's form */
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
    if (!raw) throw new CalendarError("The server's answer is not WebDAV");
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
  return [{ url: normalizedUrl(new URL(path, from)), status, props: props ?? {} }];
}

/** Servers escape the same path in different ways. */
export function normalizedUrl(url: URL): string {
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

/**
 * Whether a request may follow a server to another address: the same origin, or over https another host of the same
 * domain (`caldav.example.com` → `p42.example.com`).
 */
export function mayFollow(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const domain = from.hostname.split(".").slice(-2);
  return (
    from.protocol === "https:" &&
    to.protocol === "https:" &&
    from.port === to.port &&
    domain.length === 2 &&
    /^[a-z]/.test(domain[1]!) &&
    domain[0]!.length >= MIN_DOMAIN_LENGTH &&
    to.hostname.endsWith(`.${domain.join(".")}`)
  );
}

/** The text of an element, in whichever form it was parsed. Without NUL, which PostgreSQL does not store. */
export function text(value: unknown): string | null {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return String(value).replaceAll("\0", "");
  if (Array.isArray(value)) return text(value[0]);
  const { _cdata: cdata, _text: inner, href } = (value ?? {}) as { _cdata?: unknown; _text?: unknown; href?: unknown };
  return cdata !== undefined ? text(cdata) : inner !== undefined ? text(inner) : href !== undefined ? text(href) : null;
}

/** The elements of one name: none, one or several. */
export const elementsOf = (value: unknown): Record<string, unknown>[] =>
  [value].flat().filter((one): one is Record<string, unknown> => typeof one === "object" && one !== null);
