import { ConnectionError, errorOf, isTemporary, TimeoutError } from "./errors.js";
import { EventReader } from "./sse.js";
import type { Transport } from "./transport.js";
import { backoff, onAbort, pause } from "./waiting.js";

/** Where to continue, and how long silence may last. */
export interface StreamOptions {
  /** The `id` of the last event that you processed. Without it, you get what happens from now on. */
  lastEventId?: string;
  /**
   * `resource`: each event has in `data.resource` what it is about, as the API shows it now, or null if it is gone.
   * `contact`: each of a conversation has its contact in `data.contact`.
   */
  include?: readonly ("resource" | "contact")[];
  /** Ends it, with the reason of the signal. */
  signal?: AbortSignal;
  /** The server is heard from every 15 seconds. If not for this long, the stream connects again. By default 30,000 milliseconds. */
  heartbeatMs?: number;
  /** Called with `true` each time that the stream is open, and with `false` when it breaks off. It is opened again by itself. */
  onConnection?: (open: boolean) => void;
}

/** What happened. It holds ids and states, and the resource if you asked for it. */
export interface ParleyEvent {
  /** A position in the feed, the same as a `cursor` of it. Undefined for who is looking, typing or present, which is never sent again. */
  id: string | undefined;
  /** Such as `message.created`. `ready` says that the stream is open, each time that it connects. */
  type: string;
  data: {
    workspaceId?: string;
    conversationId?: string;
    messageId?: string;
    attentionItemId?: string;
    identityEventId?: string;
    kbEntryId?: string;
    policyEntryId?: string;
    status?: string;
    resource?: Record<string, unknown> | null;
    contact?: Record<string, unknown> | null;
    [name: string]: unknown;
  };
}

/**
 * The events of a signed-in member. If the connection breaks, it continues behind the last event.
 * @throws ParleyError that time does not mend, such as CursorExpiredError or ForbiddenError
 */
export async function* streamEvents(
  transport: Transport,
  { lastEventId, include = [], signal, heartbeatMs = 30_000, onConnection }: StreamOptions = {},
): AsyncGenerator<ParleyEvent, void, undefined> {
  let last = lastEventId;
  const path = include.length > 0 ? `/api/events?include=${include.join()}` : "/api/events";
  for (let failures = 0; ; failures++) {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const forget = onAbort(signal, (reason) => controller.abort(reason));
    const opened = Date.now();
    let asked = 0;
    let open = false;
    try {
      for await (const text of connect(transport, path, last, heartbeatMs, controller)) {
        if (!open) onConnection?.((open = true));
        for (const { id, type, data } of text) {
          if (id !== undefined) last = id;
          yield { id, type, data: JSON.parse(data) as ParleyEvent["data"] };
        }
      }
    } catch (error) {
      if (!isTemporary(error)) throw error;
      asked = error.retryAfterMs ?? 0;
    } finally {
      forget();
      controller.abort();
      if (open) onConnection?.(false);
    }
    // A server that ends each stream at once is not asked every second.
    if (Date.now() - opened > 10_000) failures = 0;
    await pause(Math.max(asked, backoff(failures)), signal);
  }
}

/** One connection: the events of each piece that arrives. */
async function* connect(
  transport: Transport,
  path: string,
  lastEventId: string | undefined,
  heartbeatMs: number,
  controller: AbortController,
): AsyncGenerator<Iterable<{ id: string | undefined; type: string; data: string }>, void, undefined> {
  const silent = new TimeoutError(`GET ${path}: silent for ${heartbeatMs} ms`);
  /** The clock runs only while we wait for the server, not while you process an event. */
  const heard = async <Value>(value: Promise<Value>): Promise<Value> => {
    const timer = setTimeout(() => controller.abort(silent), heartbeatMs);
    try {
      return await value;
    } catch (error) {
      if (controller.signal.aborted) throw controller.signal.reason;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  const headers = {
    accept: "text/event-stream",
    ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
  };
  const response = await heard(transport.fetch({ method: "GET", path, headers }, controller.signal));
  if (!response.ok) throw await heard(errorOf(response));
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const events = new EventReader();
  for (;;) {
    const { done, value } = await heard(
      reader.read().catch((cause: unknown) => {
        throw new ConnectionError(`GET ${path}: the connection failed`, { cause });
      }),
    );
    if (done) return;
    yield events.push(decoder.decode(value, { stream: true }));
  }
}
