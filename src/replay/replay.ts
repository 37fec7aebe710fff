import { type ApiClient, RequestError } from "./client.js";
import {
  conversationRequest,
  type Dialogue,
  DialogueError,
  messageKeys,
  parseDialogue,
  type Turn,
  turnRequest,
} from "./dialogue.js";

/** The replay could not continue. The message names the dialogue or the line of the file. */
export class ReplayError extends Error {}

export interface ReplayOptions {
  /** One dialogue per line, as in STAR's NDJSON. Blank lines are skipped. */
  lines: AsyncIterable<string> | Iterable<string>;
  client: ApiClient;
  workspaceId: string;
  /** How many conversations are played in parallel. Default 8. */
  concurrency?: number;
  /** Stop after this many dialogues. Default: all. */
  limit?: number;
  /** Called after every request with the summary so far. It is always the same object. */
  onProgress?: (summary: Readonly<ReplaySummary>) => void;
  /** When it is aborted, running requests finish and the summary covers what was done. */
  signal?: AbortSignal;
}

export interface ReplaySummary {
  /** Dialogues that were played completely. */
  dialogues: number;
  conversations: { created: number; existing: number };
  /** By sender. `sent` messages are new on the server, `skipped` ones were already there. */
  messages: Record<Turn["from"], { sent: number; skipped: number }>;
  seconds: number;
  /** True if `signal` ended the replay early. */
  stopped: boolean;
}

/** The fields that the replay reads of a conversation and of a message. */
interface Conversation {
  id: string;
  status: string;
}
interface MessagePage {
  data: { externalId: string | null; clientMessageId: string | null }[];
  nextCursor?: string;
}

/**
 * Plays dialogues through the public API. Every turn carries its number as an id that is unique on the server. So
 * playing again, at any time, adds only what is missing.
 * @throws ReplayError for a line that is not a dialogue and for a request that finally fails. Other running dialogues
 * stop after their current request. A later run completes them.
 */
export async function replay(options: ReplayOptions): Promise<ReplaySummary> {
  const { client, workspaceId, concurrency = 8, signal } = options;
  const started = performance.now();
  const failure = new AbortController();
  const stop = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
  const summary: ReplaySummary = {
    dialogues: 0,
    conversations: { created: 0, existing: 0 },
    messages: { customer: { sent: 0, skipped: 0 }, operator: { sent: 0, skipped: 0 }, system: { sent: 0, skipped: 0 } },
    seconds: 0,
    stopped: false,
  };
  const report = () => {
    summary.seconds = (performance.now() - started) / 1000;
    options.onProgress?.(summary);
  };

  const play = async (dialogue: Dialogue) => {
    const answer = await client.post<Conversation>(
      "/api/conversations",
      conversationRequest(dialogue, workspaceId),
      stop,
    );
    const created = answer.status === 201;
    summary.conversations[created ? "created" : "existing"] += 1;
    report();
    const path = `/api/conversations/${encodeURIComponent(answer.body.id)}`;
    const there = created ? new Set<string>() : await keysThere(client, path, stop);
    const requests = dialogue.turns.map(turnRequest);
    // A message to a conversation that was resolved long ago would start a new conversation. Complete this one
    // instead.
    if (answer.body.status === "resolved" && requests.some(({ kind, key }) => kind === "customer" && !there.has(key))) {
      await client.post(`${path}/reopen`, {}, stop);
    }
    for (const { kind, path: action, body, key } of requests) {
      const sent = there.has(key) ? undefined : await client.post(`${path}/${action}`, body, stop);
      // A reply gets 200 whether it is new or not.
      const isNew = sent?.status === 201 || (sent !== undefined && kind === "operator");
      summary.messages[kind][isNew ? "sent" : "skipped"] += 1;
      if (sent) report();
    }
    summary.dialogues += 1;
    report();
  };

  let failed: Error | undefined;
  const dialogues = readDialogues(options.lines, options.limit);
  // Each worker takes the next dialogue from the same async generator, which hands them out one by one.
  const work = async () => {
    try {
      for await (const dialogue of dialogues) {
        await play(dialogue).catch((error: unknown) => {
          throw error instanceof RequestError
            ? new ReplayError(`dialogue ${dialogue.id}: ${error.message}`, { cause: error })
            : error;
        });
      }
    } catch (error) {
      if (stop.aborted && (error === stop.reason || (error as Error).name === "AbortError")) {
        summary.stopped = true;
      } else {
        failed ??= error as Error;
        failure.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  report();
  if (failed) throw failed;
  return summary;
}

/** The first active workspace that the key can see. @throws RequestError */
export async function firstActiveWorkspace(client: ApiClient, signal?: AbortSignal): Promise<string> {
  const { body, status } = await client.get<{ id: string; status: string }[]>("/api/workspaces", signal);
  // This is the first answer, so it shows whether the URL is a Parley server.
  if (!Array.isArray(body))
    throw new RequestError("GET /api/workspaces: not a list of workspaces; is this a Parley server?", status);
  const active = body.find(({ status }) => status === "active");
  if (!active) throw new RequestError("the key sees no active workspace", null);
  return active.id;
}

async function* readDialogues(lines: ReplayOptions["lines"], limit = Infinity): AsyncGenerator<Dialogue> {
  const lineOf = new Map<string, number>();
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    try {
      const dialogue = parseDialogue(line);
      const id = String(dialogue.id);
      // Two dialogues with the same id would be mixed into one conversation.
      if (lineOf.has(id)) throw new DialogueError(`id ${id} is also on line ${lineOf.get(id)}`);
      lineOf.set(id, number);
      yield dialogue;
    } catch (error) {
      throw error instanceof DialogueError ? new ReplayError(`line ${number}: ${error.message}`) : error;
    }
    if (lineOf.size >= limit) return;
  }
}

/** The keys of all messages of a conversation. */
async function keysThere(client: ApiClient, path: string, signal: AbortSignal): Promise<Set<string>> {
  const keys = new Set<string>();
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: "100", ...(cursor === undefined ? {} : { cursor }) });
    const { body } = await client.get<MessagePage>(`${path}/messages?${query.toString()}`, signal);
    for (const key of body.data.flatMap(messageKeys)) keys.add(key);
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  return keys;
}
