import { createHash } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { type Signed, wrongSignature } from "./signature.js";

/** What becomes of a request instead of its answer. */
type Fault =
  /** An answer that does not come from the server. */
  | { status: number; code?: string; headers?: Record<string, string> }
  /** The server gets it and answers, and the connection is cut before the answer. */
  | "answer lost"
  /** The connection is cut before the server gets anything. */
  | "cut"
  /** The connection is cut after so many bytes of the answer's body. */
  | { cutAfter: number }
  /** No byte moves any more. */
  | "hang";

/** A proxy in front of a server that is like S3, which fails as it is told. It checks signatures and hashes, as S3 does. */
export interface FaultyProxy {
  readonly endpoint: string;
  readonly seen: Signed[];
  /** What becomes of a request; undefined passes it on. A promise keeps it waiting. */
  fault: (request: Signed) => Fault | undefined | Promise<Fault | undefined>;
  /** Lets the next requests fail like this, one after the other. */
  next(...faults: Fault[]): void;
  /** Everything is passed on again. */
  heal(): void;
  close(): Promise<void>;
}

/** @param secrets of the keys that it knows */
export async function startProxy(target: string, secrets: Record<string, string>): Promise<FaultyProxy> {
  const to = new URL(target);
  const seen: Signed[] = [];
  const handle = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const one = { method: request.method!, url: request.url!, headers: request.headers };
    seen.push(one);
    const fault = await proxy.fault(one);
    if (fault === "cut") return void request.socket.destroy();
    if (fault === "hang") return;
    if (typeof fault === "object" && "status" in fault) {
      const { status, code = "SlowDown", headers } = fault;
      return refuse(response, status, code, headers);
    }
    const wrong = wrongSignature(one, secrets);
    if (wrong) return refuse(response, 403, wrong);
    const hash = createHash("sha256");
    request.on("data", (chunk: Buffer) => hash.update(chunk));
    // The host stays as it was signed.
    const onward = http.request(
      { host: to.hostname, port: to.port, method: one.method, path: one.url, headers: one.headers },
      (answer) => {
        const said = one.headers["x-amz-content-sha256"];
        if (said !== undefined && said !== hash.digest("hex"))
          return refuse(response, 400, "XAmzContentSHA256Mismatch");
        if (fault === "answer lost") return void answer.resume().on("end", () => request.socket.destroy());
        response.writeHead(answer.statusCode!, answer.headers);
        let left = typeof fault === "object" ? fault.cutAfter : Infinity;
        answer.on("data", (chunk: Buffer) => {
          response.write(chunk.subarray(0, Math.min(chunk.length, left)));
          left -= chunk.length;
          if (left <= 0) response.socket?.end();
        });
        answer.on("end", () => response.end());
      },
    );
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  };
  const server = http.createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const none = (): undefined => undefined;
  const proxy: FaultyProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    fault: none,
    next: (...faults) => {
      proxy.fault = () => faults.shift();
    },
    heal: () => {
      proxy.fault = none;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

/** As S3 does, before it has the body, and closes the connection. */
function refuse(response: http.ServerResponse, status: number, code: string, headers: object = {}): void {
  response.writeHead(status, { "content-type": "application/xml", connection: "close", ...headers });
  response.end(response.req.method === "HEAD" ? "" : `<Error><Code>${code}</Code><Message>m</Message></Error>`);
}
