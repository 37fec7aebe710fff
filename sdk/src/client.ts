import { type Change, followChanges, type FollowOptions } from "./changes.js";
import { type ParleyEvent, streamEvents, type StreamOptions } from "./events.js";
import { OPERATIONS } from "./generated/operations.js";
import type { Resources } from "./generated/resources.js";
import { List } from "./list.js";
import { type Outgoing, Transport } from "./transport.js";
import type { Answer, Body, OperationId, ParleyOptions, Path, Query, RequestOptions, Result } from "./types.js";

/** What `request` takes: everything by its name. */
export interface RequestInput<Id extends OperationId = OperationId> extends RequestOptions {
  /** The parameters of the path. */
  path?: Path<Id>;
  query?: Query<Id>;
  body?: Body<Id>;
}

/** Methods that the contract does not have. */
interface Live {
  readonly changes: Resources["changes"] & {
    /**
     * Iterates over what changes, for as long as you like: it asks every 15 to 30 seconds, and waits out outages.
     * Store the `cursor` of each change when you have processed it, and give it as `after` when you start again.
     */
    follow(options?: FollowOptions): AsyncGenerator<Change, void, undefined>;
  };
  readonly events: {
    /** Iterates over what happens, at once, for a signed-in member. If the connection breaks, it continues without a gap or a repeat. */
    stream(options?: StreamOptions): AsyncGenerator<ParleyEvent, void, undefined>;
  };
}

// The constructor makes the methods, from the table of operations.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export interface Parley extends Omit<Resources, keyof Live>, Live {}

/** The client. It holds no connection and no timer, so you need not close it. */
export class Parley {
  readonly #transport: Transport;

  constructor(options: ParleyOptions) {
    this.#transport = new Transport(options);
    const groups = this as unknown as Record<string, Record<string, unknown>>;
    for (const id in OPERATIONS) {
      const [group, name] = id.split(".") as [string, string];
      (groups[group] ??= {})[name] = (...args: unknown[]) => this.#call(id as OperationId, args);
    }
    (groups.changes ??= {}).follow = (options?: FollowOptions) => followChanges(this.#transport, options);
    (groups.events ??= {}).stream = (options?: StreamOptions) => streamEvents(this.#transport, options);
  }

  /** Calls any operation, and answers with status and headers. For example to send an `If-None-Match`: a 304 has no data. */
  request<Id extends OperationId>(id: Id, input: RequestInput<Id> = {}): Promise<Answer<Result<Id>>> {
    return this.#send(id, input) as Promise<Answer<Result<Id>>>;
  }

  /** Takes what the methods take: the parameters of the path, then the body or the query, then options. */
  #call(id: OperationId, args: unknown[]): unknown {
    const [, route, takes] = OPERATIONS[id]!;
    const names = parametersOf(route);
    const path = Object.fromEntries(names.map((name, i) => [name, args[i]]));
    const rest = args.slice(names.length);
    const [body, query] = [takes.includes("b") && rest.shift(), takes.includes("q") && rest.shift()];
    const [options] = rest as [RequestOptions?];
    const send = (cursor?: string): Promise<unknown> =>
      this.#send(id, {
        ...options,
        path,
        ...(body !== false && { body: cursor === undefined ? body : { ...(body as object), cursor } }),
        query: { ...(query as object), ...(body === false && cursor !== undefined && { cursor }) },
        ...(cursor !== undefined && { idempotencyKey: undefined }),
      } as RequestInput).then(({ data }) => data);
    return takes.includes("p") ? new List(send) : send();
  }

  async #send(id: OperationId, { path, ...input }: RequestInput): Promise<Answer<unknown>> {
    const [method, route, takes, type] = OPERATIONS[id]!;
    const keyed = takes.includes("k");
    const { idempotencyKey = keyed ? randomKey() : undefined } = input;
    return this.#transport.send({
      ...input,
      method,
      path: route.replace(/\{(\w+)\}/g, (_, name: string) =>
        segment(name, (path as Record<string, unknown> | undefined)?.[name]),
      ),
      type,
      idempotencyKey,
      expects: takes.includes("f") ? "file" : takes.includes("t") ? "text" : undefined,
      open: takes.includes("o"),
      repeatable: keyed || /^(GET|PUT|DELETE)$/.test(method),
    } satisfies Outgoing);
  }
}

const parametersOf = (route: string): string[] => [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** A part of a path. `.` and `..` would lead to another operation, and nothing would lead to a list. */
function segment(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..")
    throw new TypeError(`${name} must be an id`);
  return encodeURIComponent(value);
}

/** Not `randomUUID`, which browsers have only on secure pages. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
