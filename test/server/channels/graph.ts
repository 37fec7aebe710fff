import { randomUUID } from "node:crypto";
import http, { type IncomingMessage, type ServerResponse } from "node:http";

/** As Microsoft documents it. */
const MAX_REQUEST_BYTES = 4_194_304;
const DEFAULT_PAGE = 10;

interface Stored {
  id: string;
  at: Date;
  source: Buffer;
}
interface Refusal {
  status: number;
  code: string;
  retryAfter?: number;
}
/** What a page begins with: what is left to be told, and up to which change that is. */
interface State {
  left: object[];
  upTo: number;
}

/** Microsoft Graph on loopback, as far as its documentation describes the mail of one mailbox. */
export interface Graph {
  url: string;
  host: string;
  /** The mails that it sent, as they came. */
  readonly sent: string[];
  /** `METHOD path` of each request, without what the links of pages hold. */
  readonly asked: string[];
  /** What it answers instead, to requests that this names. */
  refuse?: (asked: string) => Refusal | undefined;
  /** It takes the next mail, and ends the connection without an answer. */
  losesAnswer: boolean;
  /** What a page holds at most, whatever somebody prefers. */
  pageSize: number;
  /** Puts a mail into the inbox. @returns its id */
  deliver(source: string, at?: Date): string;
  /** Deletes a mail, or moves it elsewhere. */
  remove(id: string): void;
  /** Nothing has ever come in. */
  empty(): void;
  /** Forgets all links that it has given. */
  forget(): void;
  /** What the next links begin with, instead of its own address. */
  linksTo?: string;
  close(): Promise<void>;
}

/** @param opens whether a token opens a mailbox, and for what */
export async function startGraph(
  address: string,
  opens: (token: string, address: string) => Promise<{ isOpen: boolean; scopes: readonly string[] }>,
): Promise<Graph> {
  const inbox = new Map<string, Stored>();
  /** In their order: what was added and what was removed. */
  const changes: { id: string; isRemoved: boolean }[] = [];
  const states = new Map<string, State>();
  const server = http.createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  const graph: Graph = {
    url: `http://${host}`,
    host,
    sent: [],
    asked: [],
    losesAnswer: false,
    pageSize: 1_000,
    deliver: (source, at = new Date()) => {
      const id = `AAkALg${randomUUID().replaceAll("-", "")}_-=`;
      // Graph tells seconds.
      inbox.set(id, { id, at: new Date(Math.floor(at.getTime() / 1_000) * 1_000), source: Buffer.from(source) });
      changes.push({ id, isRemoved: false });
      return id;
    },
    remove: (id) => {
      inbox.delete(id);
      changes.push({ id, isRemoved: true });
    },
    empty: () => {
      inbox.clear();
      changes.length = 0;
      states.clear();
    },
    forget: () => states.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, graph.url);
    const mailbox = `/v1.0/users/${encodeURIComponent(address)}`;
    const path = url.pathname.startsWith(mailbox) ? url.pathname.slice(mailbox.length) : url.pathname;
    const begins = url.searchParams.has("changeType") ? " from the beginning" : "";
    const asked = `${request.method} ${path.replace(/AAkALg[\w%=-]+/, "id")}${begins}`;
    graph.asked.push(asked);
    const content = await text(request);
    const refused = graph.refuse?.(asked);
    if (refused) return refuse(response, refused);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    const { isOpen, scopes } = await opens(token, address);
    if (!isOpen) return refuse(response, { status: 401, code: "InvalidAuthenticationToken" });
    if (path === url.pathname) return refuse(response, { status: 404, code: "ErrorInvalidUser" });
    const needs = path === "/sendMail" ? "Mail.Send" : "Mail.Read";
    if (!scopes.some((scope) => scope === `${graph.url}/.default` || scope === `${graph.url}/${needs}`))
      return refuse(response, { status: 403, code: "ErrorAccessDenied" });
    if (request.method === "POST" && path === "/sendMail") return send(request, content, response);
    // Without it, an id changes with each move.
    if (!request.headers.prefer?.includes('IdType="ImmutableId"'))
      return refuse(response, { status: 400, code: "ErrorInvalidId" });
    if (path === "/mailFolders/inbox/messages") return list(url, response);
    if (path === "/mailFolders/inbox/messages/delta") return delta(url, String(request.headers.prefer), response);
    const id = /^\/messages\/([^/]+)\/\$value$/.exec(path)?.[1];
    const mail = id === undefined ? undefined : inbox.get(decodeURIComponent(id));
    if (!mail) return refuse(response, { status: 404, code: "ErrorItemNotFound" });
    response.writeHead(200, { "content-type": "text/plain" }).end(mail.source);
  }

  function send({ headers }: IncomingMessage, content: string, response: ServerResponse): void {
    if (content.length > MAX_REQUEST_BYTES) return refuse(response, { status: 413, code: "RequestEntityTooLarge" });
    if (headers["content-type"] !== "text/plain") return refuse(response, { status: 400, code: "ErrorInvalidRequest" });
    if (!/^(?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$|^[A-Za-z\d+/]{2,3}={1,2}$/.test(content))
      return refuse(response, { status: 400, code: "ErrorMimeContentInvalidBase64String" });
    graph.sent.push(Buffer.from(content, "base64").toString());
    if (graph.losesAnswer) {
      graph.losesAnswer = false;
      response.destroy();
      return;
    }
    response.writeHead(202).end();
  }

  const shown = ({ id, at }: Stored): object => ({
    "@odata.etag": `W/"${id.slice(0, 8)}"`,
    id,
    receivedDateTime: at.toISOString().replace(".000Z", "Z"),
  });
  const json = (response: ServerResponse, body: object): void => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  };

  function list({ searchParams }: URL, response: ServerResponse): void {
    const newest = [...inbox.values()].toSorted((one, other) => other.at.getTime() - one.at.getTime());
    json(response, {
      ...(searchParams.get("$count") === "true" && { "@odata.count": newest.length }),
      value: newest.slice(0, Number(searchParams.get("$top") ?? DEFAULT_PAGE)).map(shown),
    });
  }

  function delta({ searchParams }: URL, prefer: string, response: ServerResponse): void {
    const token = searchParams.get("$skiptoken") ?? searchParams.get("$deltatoken");
    const state = token === null ? initial(searchParams) : states.get(token);
    if (!state) return refuse(response, { status: 410, code: "SyncStateNotFound" });
    // A link to changes that has been followed to its end leads to what came in since.
    const begun = searchParams.has("$deltatoken") ? since(state.upTo) : state;
    const size = Math.min(Number(/odata\.maxpagesize=(\d+)/.exec(prefer)?.[1] ?? DEFAULT_PAGE), graph.pageSize);
    const left = begun.left.slice(size);
    const next = randomUUID();
    states.set(next, { left, upTo: begun.upTo });
    const link = `${graph.linksTo ?? graph.url}/v1.0/users/${encodeURIComponent(address)}/mailFolders/inbox/messages/delta`;
    json(response, {
      ...(left.length
        ? { "@odata.nextLink": `${link}?$skiptoken=${next}` }
        : { "@odata.deltaLink": `${link}?$deltatoken=${next}` }),
      value: begun.left.slice(0, size),
    });
  }

  /** The newest first: nothing says in which order they come. */
  function initial(searchParams: URLSearchParams): State {
    const from = /^receivedDateTime ge (\S+)$/.exec(searchParams.get("$filter") ?? "")?.[1];
    const mails = [...inbox.values()].filter(({ at }) => from === undefined || at >= new Date(from));
    return { left: mails.map(shown).toReversed(), upTo: changes.length };
  }

  function since(upTo: number): State {
    const left = changes.slice(upTo).map(({ id, isRemoved }) => {
      const mail = inbox.get(id);
      return isRemoved || !mail ? { id, "@removed": { reason: "deleted" } } : shown(mail);
    });
    return { left: left.toReversed(), upTo: changes.length };
  }

  function refuse(response: ServerResponse, { status, code, retryAfter }: Refusal): void {
    response
      .writeHead(status, {
        "content-type": "application/json",
        ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
      })
      .end(JSON.stringify({ error: { code, message: `About ${address}`, innerError: { date: new Date() } } }));
  }

  return graph;
}

async function text(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
