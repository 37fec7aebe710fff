import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface Arrived {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
  at: number;
}
type Turn = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** A server on the loopback that answers as it is told, one turn for each request; the last turn stays. */
export class Scripted {
  readonly arrived: Arrived[] = [];
  private readonly server = http.createServer((request, response) => void this.take(request, response));

  private constructor(private readonly turns: Turn[]) {}

  static async start(...turns: Turn[]): Promise<Scripted> {
    const scripted = new Scripted(turns);
    scripted.server.listen(0, "127.0.0.1");
    await once(scripted.server, "listening");
    return scripted;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  private async take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    this.arrived.push({
      method: method!,
      url: url!,
      headers,
      body: Buffer.concat(chunks).toString(),
      at: performance.now(),
    });
    (this.turns.length > 1 ? this.turns.shift()! : this.turns[0]!)(request, response);
  }
}

/** Answers JSON. */
export const json =
  (status: number, body: unknown, headers: http.OutgoingHttpHeaders = {}): Turn =>
  (_, response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
export const ok = json(200, { ok: true });
/** Breaks the connection off without a word. */
export const reset: Turn = (request) => void request.socket.destroy();
/** Answers half of what it promised, and breaks off. */
export const half: Turn = (request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": 100 }).write('{"ok":');
  setTimeout(() => request.socket.destroy(), 20);
};
/** Never answers. */
export const hang: Turn = () => undefined;
/** Answers with a stream: these pieces, and then it ends or stays silent. */
export const stream =
  (pieces: string[], { ends = false } = {}): Turn =>
  (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of pieces) response.write(piece);
    if (ends) response.end();
  };
