import http from "node:http";
import type { AddressInfo } from "node:net";

/** A call as it arrives. */
interface ArrivedCall {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: {
    tool: string;
    arguments: Record<string, unknown>;
    idempotencyKey: string;
    contact: { id: string; externalId: string | null };
    conversation: { id: string };
  };
}
/** A status with a body, or no answer at all. */
type ToolAnswer = { status?: number; headers?: Record<string, string>; body?: unknown } | "hang" | "reset";

export interface ToolServer {
  host: string;
  url(path: string): string;
  calls: ArrivedCall[];
  on(path: string): ArrivedCall[];
  /** By path; `{}` for all others. */
  answers: Record<string, (call: ArrivedCall) => ToolAnswer | Promise<ToolAnswer>>;
  close(): Promise<void>;
}

/** A real HTTP server on loopback. */
export async function startToolServer(): Promise<ToolServer> {
  const listener: http.RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url!;
      const body = JSON.parse(Buffer.concat(chunks).toString()) as ArrivedCall["body"];
      const call = { path, headers: request.headers, body };
      server.calls.push(call);
      void (async () => {
        const answer = (await server.answers[path]?.(call)) ?? { body: {} };
        if (answer === "hang") return;
        if (answer === "reset") return void request.socket.destroy();
        const text = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {});
        response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers }).end(text);
      })();
    });
  };
  const listening = http.createServer(listener);
  await new Promise<void>((resolve) => {
    listening.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(listening.address() as AddressInfo).port}`;
  const server: ToolServer = {
    host,
    url: (path) => `http://${host}${path}`,
    calls: [],
    on: (path) => server.calls.filter((call) => call.path === path),
    answers: {},
    close: () =>
      new Promise((resolve) => {
        listening.close(() => resolve());
        listening.closeAllConnections();
      }),
  };
  return server;
}
