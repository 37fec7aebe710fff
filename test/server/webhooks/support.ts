import dns from "node:dns/promises";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { WebhookDispatcher } from "../../../src/webhooks/dispatcher.job.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";

interface Arrived {
  at: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  payload: {
    id: string;
    type: string;
    occurredAt: string;
    idempotencyKey: string;
    data: Record<string, unknown> & { cursor?: string };
  };
}
/** What the receiver does with a request: a status, with headers and a body. */
type Answer = { status: number; headers?: Record<string, string>; body?: string } | "hang" | "reset";

export interface Receiver {
  port: number;
  url(path: string): string;
  arrived: Arrived[];
  /** By path; 204 for all others. */
  answers: Record<string, Answer>;
  on(path: string): Arrived[];
  close(): Promise<void>;
}

/** A real HTTP server on loopback, or HTTPS server with a certificate for localhost. */
export async function startReceiver(certificate?: { cert: string; key: string }): Promise<Receiver> {
  const listener: http.RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const path = request.url!;
      receiver.arrived.push({
        at: Date.now(),
        path,
        headers: request.headers as Record<string, string>,
        body,
        payload: JSON.parse(body) as Arrived["payload"],
      });
      const answer = receiver.answers[path] ?? { status: 204 };
      if (answer === "hang") return;
      if (answer === "reset") return void request.socket.destroy();
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
  };
  const server = certificate ? https.createServer(certificate, listener) : http.createServer(listener);
  const { address } = certificate ? await dns.lookup("localhost") : { address: "127.0.0.1" };
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    port,
    url: (path) => `${certificate ? "https://localhost" : "http://127.0.0.1"}:${port}${path}`,
    arrived: [],
    answers: {},
    on: (path) => receiver.arrived.filter((one) => one.path === path),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

export const EVENTS = [
  "conversation.created",
  "conversation.resolved",
  "conversation.status_changed",
  "message.received",
  "message.sent",
  "attention_item.created",
  "pending_action.created",
  "pending_action.status_changed",
  "kb_entry.proposed",
  "policy_entry.proposed",
] as const;

export interface Preview {
  tenant: TestTenant;
  owner: Client;
}
/** A tenant that has turned the preview on. */
export async function withPreview(app: TestApp): Promise<Preview> {
  const tenant = await app.tenant();
  const owner = await tenant.owner();
  await owner.patch("/api/tenant", { webhooksPreview: true }, 200);
  return { tenant, owner };
}
export const startWith = (receiver: Receiver, ...others: string[]): Promise<TestApp> =>
  startApp({ OUTBOUND_ALLOW: [`127.0.0.1:${receiver.port}`, ...others] });

/** Turns what happened into deliveries. Transactions of other tests on the same server hold the feed back for a moment. */
export async function dispatch(app: TestApp): Promise<void> {
  for (const deadline = Date.now() + 150_000; Date.now() < deadline;) {
    await app.db.query("update webhook_due set due_at = now() - interval '1 second', claimed = false");
    await app.app.get(WebhookDispatcher).tick();
    const behind = await app.db.query(
      `select 1 from webhook_due d join resource_change c
        on c.tenant_id = d.tenant_id and (c.transaction_id, c.position) > (d.transaction_id, d.position) limit 1`,
    );
    if (!behind.length) return;
  }
  throw new Error("the feed was not read to its end");
}
/** Makes everything that waits due, and attempts it. */
export async function attempt(app: TestApp): Promise<void> {
  await app.db.query(
    "update outbox_queue set due_at = now() - interval '1 second' where kind = 'webhook' and due_at < 'infinity'",
  );
  await app.app.get(OutboxWorker).tick();
}
export async function flush(app: TestApp): Promise<void> {
  await dispatch(app);
  await attempt(app);
}
