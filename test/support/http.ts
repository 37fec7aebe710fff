import http from "node:http";

export interface Reply {
  status: number;
  headers: http.IncomingHttpHeaders;
  /** Empty if it is a stream of events, which does not end. Tests that read one open it themselves. */
  text: string;
}

/** It forgets a connection sooner than servers do, so that none is closed just when it is used again. */
const agent = new http.Agent({ keepAlive: true, timeout: 4_000 });

/** What `fetch()` sends by itself, too. */
const USUAL = { accept: "*/*", "accept-language": "*", "user-agent": "node" };

/** A request over a connection that is kept. It needs less processor time than `fetch()`. */
export function exchange(
  url: string,
  options: { method: string; headers: Record<string, string>; body?: Buffer; signal?: AbortSignal },
): Promise<Reply> {
  const { method, headers, body, signal } = options;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": body.length };
    const request = http.request(url, { method, agent, signal, headers: { ...USUAL, ...length, ...headers } });
    const fail = (cause: Error): void =>
      reject(signal?.aborted ? cause : new Error(`${method} ${url} got no answer: ${cause.message}`, { cause }));
    let isAnswered = false;
    request.on("response", (response) => {
      isAnswered = true;
      const { statusCode, headers: answered } = response;
      const done = (text: string): void => resolve({ status: statusCode!, headers: answered, text });
      response.on("error", fail);
      if (answered["content-type"]?.startsWith("text/event-stream")) {
        done("");
        response.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => done(Buffer.concat(chunks).toString()));
    });
    // A server that has answered may refuse to read the rest.
    request.on("error", (error) => {
      if (!isAnswered) fail(error);
    });
    request.end(body);
  });
}
