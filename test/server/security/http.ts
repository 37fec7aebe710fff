import http from "node:http";
import net from "node:net";

export interface RawAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}
export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** Sends a request unchanged: fetch would correct, complete or refuse much of what these tests send. */
export function ask(baseUrl: string, { method = "GET", path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
    const { hostname, port } = new URL(baseUrl);
    const request = http.request({ hostname, port, method, path, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("error", reject)
        .on("end", () =>
          resolve({ status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() }),
        );
    });
    request.on("error", reject).end(body);
  });
}

/** Writes bytes to a connection, and returns the response when the server closes it; null if it closes without one. */
export function speak(baseUrl: string, bytes: string | Buffer): Promise<RawAnswer | null> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    let text = "";
    const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    // Unread bytes make the server reset the connection after its response.
    socket.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.on("close", () => resolve(text ? parse(text) : null));
  });
}

function parse(received: string): RawAnswer {
  const [head = "", ...rest] = received.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  const text = rest.join("\r\n\r\n");
  return {
    status: Number(first.split(" ")[1]),
    headers,
    text: headers["transfer-encoding"] === "chunked" ? unchunked(text) : text,
  };
}

function unchunked(text: string): string {
  const [size = "0", ...rest] = text.split("\r\n");
  const length = parseInt(size, 16);
  const body = rest.join("\r\n");
  return length ? body.slice(0, length) + unchunked(body.slice(length + 2)) : "";
}

/** A message for the caller must not contain these: code locations, database errors, names of libraries. */
const INSIDE =
  /node_modules|\.[jt]s\b|\n\s+at |\b(select|insert|update|delete) (into|from|\w+ set)\b|\bsql|postgres|\bpg_|relation "|column "|constraint "|typeorm|fastify|nestjs|class-(validator|transformer)|validate function|FST_|HPE_|ERR_|\[object |TypeError/i;
/** The fixed messages, which may be short. */
const FIXED: Record<number, string> = { 401: "Unauthorized", 403: "Forbidden", 404: "Not found" };

/** The problems of a response that must be a refusal; empty if there are none. */
export function faults({
  status,
  headers,
  text,
}: Pick<RawAnswer, "status" | "text"> & { headers: http.IncomingHttpHeaders | Headers }): string[] {
  const header = (name: string): string =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  const error = (body as { error?: unknown } | undefined)?.error;
  if (status < 400 || status > 499) return [`answered ${status} ${text.slice(0, 80)}`];
  return [
    ...(header("content-type").startsWith("application/json") ? [] : [`is of type "${header("content-type")}"`]),
    ...(/^[\w.:-]{1,128}$/.test(header("x-request-id")) ? [] : ["has no X-Request-Id"]),
    ...(/^[a-z-]+$/.test(header("x-error-code")) ? [] : ["has no X-Error-Code"]),
    ...(typeof error === "string" && Object.keys(body as object).join() === "error"
      ? sentenceFaults(status, error)
      : [`is no {error}: ${text.slice(0, 200)}`]),
  ];
}

function sentenceFaults(status: number, error: string): string[] {
  if (FIXED[status] === error) return [];
  return [
    ...(/^\S+( \S+)+$/s.test(error.trim()) && error.length >= 12 ? [] : [`does not help: "${error}"`]),
    ...(INSIDE.test(error) ? [`tells of the inside: "${error}"`] : []),
  ];
}
