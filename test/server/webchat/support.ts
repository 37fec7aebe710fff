import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import type { TestTenant } from "../../support/app.js";
import { Client } from "../../support/client.js";
import { type SentEvent, ServerSentEvents } from "../../support/server-sent-events.js";

export const IDENTITY_SECRET = "shared-with-the-shop-alone-32-characters";

export interface Chat {
  channelId: string;
  publicKey: string;
  path: `/api/public/webchat/${string}`;
  workspaceId: string;
}

/** Creates the web chat of the tenant's default workspace with these settings. */
export async function chatOf(tenant: TestTenant, settings?: object, secret?: string): Promise<Chat> {
  const { workspaceId } = tenant.defaults;
  const { body } = await tenant.live.get(`/api/workspaces/${workspaceId}/channels`, 200);
  const { id: channelId, address } = body.find(({ type }) => type === "webchat")!;
  if (settings) await tenant.live.patch(`/api/channels/${channelId}`, { settings }, 200);
  if (secret)
    await tenant.live.put(`/api/channels/${channelId}/credentials`, { credentials: { identitySecret: secret } }, 200);
  return { channelId, publicKey: address!, path: `/api/public/webchat/${address}`, workspaceId };
}

/** A visitor's browser. */
export class Visitor {
  constructor(
    readonly client: Client,
    readonly chat: Chat,
  ) {}

  static async open(baseUrl: string, chat: Chat, identity?: string): Promise<Visitor> {
    const { body } = await new Client(baseUrl).post(`${chat.path}/sessions`, identity ? { identity } : {}, 200);
    return new Visitor(new Client(baseUrl, body.sessionToken), chat);
  }

  get token(): string {
    return this.client.token!;
  }

  /** Requests the next token. */
  refresh(expected = 200) {
    return this.client.post(`${this.chat.path}/sessions`, {}, expected).then(({ body }) => body);
  }

  as(token: string): Visitor {
    return new Visitor(this.client.as(token), this.chat);
  }

  write(body: string, clientMessageId: string = randomUUID(), expected?: number) {
    return this.client
      .post(`${this.chat.path}/messages`, { body, clientMessageId }, expected)
      .then((answer) => answer.body);
  }

  type(typing: boolean, expected?: number) {
    return this.client.post(`${this.chat.path}/typing`, { typing }, expected);
  }

  async read(): Promise<string[]> {
    return (await this.client.get(`${this.chat.path}/messages?limit=100`, 200)).body.data
      .map(({ body }) => body)
      .reverse();
  }

  listen(lastEventId?: string, baseUrl = this.client.baseUrl): Promise<Listening> {
    return Listening.open(baseUrl, this, lastEventId);
  }
}

export interface Heard {
  id: string;
  event: string;
  data: { body?: string; conversationId?: string; typing?: boolean; until?: string | null };
}

/** An open stream and the events received on it. */
export class Listening extends ServerSentEvents {
  readonly heard: Heard[] = [];

  static async open(baseUrl: string, { client, chat }: Visitor, lastEventId?: string): Promise<Listening> {
    const listening = new Listening();
    await listening.connect(new Client(baseUrl, client.token), `${chat.path}/stream`, lastEventId);
    return listening;
  }

  get typing(): Heard["data"][] {
    return this.heard.filter(({ event }) => event === "typing").map(({ data }) => data);
  }
  get texts(): string[] {
    return this.heard.filter(({ event }) => event === "message").map(({ data }) => data.body!);
  }

  protected note({ id = "", type: event, data }: SentEvent): void {
    this.heard.push({ id, event, data });
  }
}

/** The JWT that the customer's server signs. */
export const sign = (
  claims: object,
  {
    secret = IDENTITY_SECRET,
    alg = "HS256",
    expires = "5m",
  }: { secret?: string; alg?: string; expires?: string | null } = {},
): Promise<string> => {
  const jwt = new SignJWT(claims as Record<string, unknown>).setProtectedHeader({ alg }).setIssuedAt();
  return (expires === null ? jwt : jwt.setExpirationTime(expires)).sign(new TextEncoder().encode(secret));
};
