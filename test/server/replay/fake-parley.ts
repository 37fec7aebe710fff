import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const KEY = "svc_test_v1_replay";
export const WORKSPACE = "0190a1b2-0000-7000-8000-000000000001";

interface Message {
  id: string;
  path: string;
  body: string;
  externalId: string | null;
  clientMessageId: string | null;
  occurredAt: string | null;
}
interface Conversation {
  id: string;
  externalId: string;
  status: string;
  subject: string;
  contact: unknown;
  metadata: unknown;
  messages: Message[];
}
interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  text?: string;
}
/** Responses that replace the server's; 'drop' cuts the connection, 'lose' executes the request and then cuts it. */
type Fault = (request: {
  method: string;
  path: string;
  body: Record<string, string>;
}) => Answer | "drop" | "lose" | undefined | Promise<undefined>;

/** The part of the API that the replay client uses, in memory. */
export class FakeParley {
  readonly conversations = new Map<string, Conversation>();
  /** `METHOD path` of every request, in order of arrival. */
  readonly requests: string[] = [];
  /** The highest number of concurrent requests of one conversation, and of all conversations. */
  readonly most = { inConversation: 0, inAll: 0 };
  baseUrl = "";
  pageSize = 100;
  fault: Fault = () => undefined;

  readonly #underWay = new Map<string, number>();
  readonly #server = createServer((request, response) => void this.#handle(request, response));

  async listen(): Promise<this> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    this.baseUrl = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), "close");
  }

  /** All stored data, to compare before and after. */
  snapshot(): string {
    return JSON.stringify([...this.conversations.values()]);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "" } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || "{}") as Record<string, string>;
    this.requests.push(`${method} ${url}`);
    const conversation = /^\/api\/conversations\/([^/]+)/.exec(url)?.[1] ?? randomUUID();
    this.#count(conversation, 1);
    const fault = await this.fault({ method, path: url, body });
    const answer = typeof fault === "object" ? fault : fault === "drop" ? undefined : this.#answer(request, url, body);
    // A real server takes a moment, so that requests can overlap.
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.#count(conversation, -1);
    if (!answer || fault === "lose") {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    response.end(answer.text ?? JSON.stringify(answer.body ?? { error: "made by the test" }));
  }

  #count(conversation: string, change: number): void {
    const now = (this.#underWay.get(conversation) ?? 0) + change;
    this.#underWay.set(conversation, now);
    this.most.inConversation = Math.max(this.most.inConversation, now);
    this.most.inAll = Math.max(
      this.most.inAll,
      [...this.#underWay.values()].reduce((sum, count) => sum + count, 0),
    );
  }

  #answer(request: IncomingMessage, url: string, body: Record<string, string>): Answer {
    if (request.headers.authorization !== `Bearer ${KEY}`) return { status: 401, body: { error: "Unauthorized" } };
    const { pathname, searchParams } = new URL(url, this.baseUrl);
    const [, , resource, id, action] = pathname.split("/");
    if (resource === "workspaces") {
      return {
        status: 200,
        body: [
          { id: randomUUID(), name: "Old", status: "archived" },
          { id: WORKSPACE, name: "Desk", status: "active" },
        ],
      };
    }
    if (id === undefined) return this.#start(body);
    const conversation = [...this.conversations.values()].find((each) => each.id === id);
    if (!conversation) return { status: 404, body: { error: "Not Found" } };
    if (request.method === "GET") return this.#page(conversation, searchParams);
    if (action === "reopen") {
      conversation.status = "open";
      return { status: 200, body: { ok: true } };
    }
    return this.#add(conversation, action ?? "", body);
  }

  #start({ workspaceId, externalId = "", subject = "", contact, metadata }: Record<string, string>): Answer {
    if (workspaceId !== WORKSPACE) return { status: 404, body: { error: "Not Found" } };
    const existing = this.conversations.get(externalId);
    if (existing) return { status: 200, body: { id: existing.id, status: existing.status } };
    const created = { id: randomUUID(), externalId, status: "open", subject, contact, metadata, messages: [] };
    this.conversations.set(externalId, created);
    return { status: 201, body: { id: created.id, status: created.status } };
  }

  #page({ messages }: Conversation, query: URLSearchParams): Answer {
    const from = Number(query.get("cursor") ?? 0);
    const to = from + Math.min(this.pageSize, Number(query.get("limit")));
    return {
      status: 200,
      body: { data: messages.slice(from, to), ...(to < messages.length && { nextCursor: String(to) }) },
    };
  }

  #add(
    conversation: Conversation,
    path: string,
    { body = "", externalId, clientMessageId, occurredAt }: Record<string, string>,
  ): Answer {
    const ids = { externalId: externalId ?? null, clientMessageId: clientMessageId ?? null };
    let message = conversation.messages.find(
      (each) => each.externalId === ids.externalId && each.clientMessageId === ids.clientMessageId,
    );
    const status = message || path === "reply" ? 200 : 201;
    if (!message) {
      message = { id: randomUUID(), path, body, ...ids, occurredAt: occurredAt ?? null };
      conversation.messages.push(message);
    }
    return { status, body: path === "reply" ? { ok: true, messageId: message.id } : message };
  }
}

/** A dialogue's line: customer, operator and system in turn, numbered 1, 4, 7 and so on. */
export function dialogueLine(id: number, turns = 6): string {
  const from = ["customer", "operator", "system"] as const;
  return JSON.stringify({
    id,
    domains: ["bank"],
    happy: true,
    tasks: ["bank_balance"],
    turns: Array.from({ length: turns }, (_, n) => {
      const common = { i: 1 + n * 3, from: from[n % 3], at: 1_589_376_446 + n };
      return n % 3 === 2
        ? { ...common, action: "query", api: "bank_balance", constraints: [{ PIN: n }], item: null }
        : { ...common, text: `turn ${n}` };
    }),
  });
}
