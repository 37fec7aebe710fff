import type { Client } from "./client.js";

export interface SentEvent {
  id: string | undefined;
  type: string;
  data: Record<string, unknown>;
}

/** An open stream of server-sent events, over real HTTP. */
export abstract class ServerSentEvents {
  abstract readonly heard: readonly unknown[];
  /** The id of the last event that had one. */
  lastId = "";
  ended = false;
  comments = 0;
  private readonly stop = new AbortController();
  private wake: () => void = () => undefined;

  protected abstract note(event: SentEvent): void;

  protected async connect({ baseUrl, token }: Client, path: string, lastEventId?: string): Promise<void> {
    const response = await fetch(baseUrl + path, {
      signal: this.stop.signal,
      headers: {
        authorization: `Bearer ${token}`,
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
      },
    });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    void this.run(response.body!);
    await this.until(() => this.lastId !== "");
  }

  close(): void {
    this.stop.abort();
  }

  /** A transaction of another file may hold events back for as long as it runs. */
  async until(condition: () => boolean, ms = 100_000): Promise<void> {
    const deadline = Date.now() + ms;
    while (!condition()) {
      if (Date.now() > deadline) throw new Error(`heard only ${JSON.stringify(this.heard)}`);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        setTimeout(resolve, 50);
      });
    }
  }

  private async run(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = "";
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          this.take(text.slice(0, end).split(/\r\n|\r|\n/));
          text = text.slice(end + 2);
        }
      }
    } catch {
      /* The connection broke off. */
    }
    this.ended = true;
    this.wake();
  }

  private take(lines: string[]): void {
    const field = (name: string): string | undefined =>
      lines.find((line) => line.startsWith(`${name}:`))?.replace(/^[a-z]+: ?/, "");
    if (lines[0]!.startsWith(":")) this.comments++;
    const [id, type] = [field("id"), field("event")];
    if (type !== undefined) this.note({ id, type, data: JSON.parse(field("data")!) as SentEvent["data"] });
    if (id !== undefined) this.lastId = id;
    this.wake();
  }
}
