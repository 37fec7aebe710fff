import http from "node:http";
import type { AddressInfo } from "node:net";
import { Logger } from "@nestjs/common";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { NoTracing, Tracing } from "../../../src/platform/tracing/tracing.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { startApp, type TestApp } from "../../support/app.js";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number };
}

// What somebody wrote, or who somebody is: no span may have any of it.
const NEEDLES = ["needle-name", "needle-body", "needle@example.com", "needle-search", "needle-path"];
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";

/** Takes spans as a collector does. */
let collector: http.Server;
let mails: MailServer;
let app: TestApp;
const bodies: string[] = [];
const lines: string[] = [];
let conversationId: string;
beforeAll(async () => {
  collector = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        bodies.push(`${request.url} ${Buffer.concat(chunks).toString()}`);
        response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
      });
  });
  await new Promise<void>((listening) => collector.listen(0, "127.0.0.1", listening));
  mails = await startMailServer();
  app = await startApp({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    SMTP_URL: mails.url,
    LOG_LEVEL: "warn",
  });
  const tenant = await app.tenant("Traced");
  const { live } = tenant;
  const { body: contact } = await live.post<{ id: string }>(
    "/api/contacts",
    { name: "needle-name", emails: ["needle@example.com"] },
    201,
  );
  const { body: begun } = await live.post<{ id: string }>(
    "/api/conversations",
    { workspaceId: tenant.defaults.workspaceId, contactId: contact.id, message: { body: "needle-body" } },
    201,
  );
  conversationId = begun.id;
  await live.get(`/api/conversations/${conversationId}/messages`, 200, {
    headers: { traceparent: `00-${TRACE}-${PARENT}-01` },
  });
  await live.get("/api/contacts/search?q=needle-search", 200);
  await live.get("/api/needle-path", 404);
  await live.get("/readyz", 200);
  vi.spyOn(process.stdout, "write").mockImplementation((line) => Boolean(lines.push(String(line))));
  vi.spyOn(process.stderr, "write").mockImplementation((line) => Boolean(lines.push(String(line))));
  await app.app.get(Tracing).span("by the test", {}, () => {
    new Logger("test").warn("within");
    return Promise.resolve();
  });
  new Logger("test").warn("outside");
  vi.restoreAllMocks();
  const owner = await tenant.owner();
  await owner.post("/api/members", { email: "needle@example.com", name: "needle-name", role: "agent" }, 201);
  await app.app.get(OutboxWorker).tick();
  // What is left leaves with the process.
  await app.close();
});
afterAll(async () => {
  await mails.close();
  collector.closeAllConnections();
  collector.close();
});

interface Export {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[];
}
const spans = (): Span[] =>
  bodies.flatMap((body) =>
    (JSON.parse(body.slice(body.indexOf(" ") + 1)) as Export).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
const attribute = ({ attributes }: Span, name: string): unknown => {
  const { value } = attributes.find(({ key }) => key === name) ?? {};
  return value?.stringValue ?? value?.intValue;
};
const named = (name: string | RegExp): Span[] =>
  spans().filter((span) => (typeof name === "string" ? span.name === name : name.test(span.name)));
const below = (parent: Span): Span[] => spans().filter(({ parentSpanId }) => parentSpanId === parent.spanId);

test("a request is a span of its route, and each statement that it needs one below it", () => {
  const [request, ...more] = named("POST /api/conversations");
  expect(more).toEqual([]);
  expect([attribute(request!, "http.route"), attribute(request!, "http.response.status_code")]).toEqual([
    "/api/conversations",
    201,
  ]);
  const [transaction] = below(request!).filter(({ name }) => name === "transaction");
  const statements = below(transaction!).map(({ name }) => name);
  expect(statements).toContain("database.beginAsTenant");
  expect(statements.filter((name) => /^conversations\./.test(name)).length).toBeGreaterThan(0);
  expect(below(transaction!).every((span) => attribute(span, "db.system.name") === "postgresql")).toBe(true);
});

test("a caller's traceparent is the parent", () => {
  const [request] = named("GET /api/conversations/:id/messages");
  expect(request).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
  expect(below(request!).map(({ name, traceId }) => [name.split(".")[0], traceId])).toContainEqual(["messages", TRACE]);
});

test("work in the background is a trace of its own, with the id of its row", () => {
  const [sent] = named("queue outbox");
  expect(sent!.parentSpanId ?? "").toBe("");
  expect(attribute(sent!, "parley.row.id")).toMatch(/^[\da-f-]{36}$/);
  expect(below(sent!).map(({ name }) => name)).toContain("transaction");
  expect(mails.delivered).toHaveLength(1);
});

test("probes, and what runs again and again without anything to do, are no traces", () => {
  expect(named(/readyz|healthz/)).toEqual([]);
  const roots = spans().filter(({ parentSpanId = "", traceId }) => parentSpanId === "" && traceId !== TRACE);
  expect(roots.filter(({ name }) => !/^(?:GET|POST|queue|by the test)/.test(name))).toEqual([]);
});

test("nothing of it is personal: no text, no address, no name, no path", () => {
  expect(spans().length).toBeGreaterThan(20);
  expect(named("GET unmatched")).toHaveLength(1);
  const all = bodies.join("\n");
  for (const needle of NEEDLES) expect(all).not.toContain(needle);
});

test("a line of the log names its trace", () => {
  const [within, outside] = ["within", "outside"].map(
    (text) => JSON.parse(lines.find((line) => line.includes(text))!) as object,
  );
  const [span] = named("by the test");
  expect(within).toMatchObject({ traceId: span!.traceId, spanId: span!.spanId });
  expect(outside).not.toHaveProperty("traceId");
});

test("without an address nothing is traced", async () => {
  const plain = await startApp();
  expect(plain.app.get(Tracing)).toBeInstanceOf(NoTracing);
  await plain.close();
});
