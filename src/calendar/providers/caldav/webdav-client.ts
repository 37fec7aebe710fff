import { getDomain } from "tldts";
import {
  OutboundError,
  type OutboundClient,
  type OutboundDav,
  type OutboundDavAnswer,
} from "../../../platform/outbound/outbound.client.js";
import { TookTooLong, TookTooMuchMemory } from "../../../platform/workers/worker-pool.js";
import type { CalendarParser } from "../calendar-parser.js";
import { type Account, CalendarError } from "../calendar-provider.js";
import type { Multistatus } from "./multistatus.js";

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** What a server answered; `resources` are empty unless it is a multistatus. */
export interface DavAnswer extends Multistatus {
  status: number;
  url: string;
}

/** WebDAV requests with the credentials of one account. */
export class WebDavClient {
  constructor(
    private readonly outbound: OutboundClient,
    private readonly parser: CalendarParser,
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
  async ask(url: string, method: "PROPFIND" | "REPORT", depth: "0" | "1", body: object): Promise<DavAnswer> {
    let answer: OutboundDavAnswer | undefined;
    let failed: Error | undefined;
    const { davRequest } = await import("tsdav");
    await davRequest({
      url,
      parseOutgoing: false,
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
    const read = await this.parser
      .read(this.account.tenantId, "multistatus", { text: answer!.text, type: answer!.type, url: from })
      .catch(unreadable);
    if (!read) throw new CalendarError("The server's answer is not WebDAV");
    return { status, url: from, ...read };
  }
}

/** @throws CalendarError: what the server answered could not be read in a worker */
export function unreadable(error: unknown): never {
  throw new CalendarError(
    error instanceof TookTooLong || error instanceof TookTooMuchMemory
      ? "The server's answer takes too long to read"
      : "The server's answer cannot be read",
  );
}

/**
 * Whether a request may follow a server to another address: the same origin, or over https another host of the same
 * registered domain (`caldav.example.com` → `p42.example.com`). On a domain that others rent names of, such as `herokuapp.com`,
 * each name is its own.
 */
export function mayFollow(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const domain = getDomain(from.hostname, { allowPrivateDomains: true });
  return (
    from.protocol === "https:" &&
    to.protocol === "https:" &&
    from.port === to.port &&
    domain !== null &&
    getDomain(to.hostname, { allowPrivateDomains: true }) === domain
  );
}
