import { type Caller, callerId, type Environment, type ProviderCaller } from "./caller.js";

/** The key of a POST that may be repeated, with what identifies the request. */
export interface IdempotencyKey {
  key: string;
  method: string;
  path: string;
  bodyHash: Buffer;
  /** Set by the transaction that stores the answer: a second one in the same request is refused before it has an effect. */
  claimed: boolean;
}

/** Where a request came from, as the client and the proxies before us say. */
export interface Sender {
  address: string;
  userAgent: string | null;
}

/** What a poll asks. An answer's ETag is made of it and of the version of the tenant or workspace that it is answered from. */
export interface Question {
  readonly tenantId: string;
  /** Null for the whole tenant. */
  readonly workspaceId: string | null;
  /** Of the statement, the reach and the arguments. */
  readonly hash: string;
}

/** What belongs to the request that is handled, not to the caller. */
export class RequestContext {
  /** Present while an authenticated POST with an `Idempotency-Key` is handled. */
  idempotency?: IdempotencyKey;
  /** The `If-None-Match` of a read. */
  ifNoneMatch?: string | undefined;
  /** Called when a read finds that the caller has its answer. */
  onUnchanged?: (question: Question) => void;

  constructor(
    private readonly named: Lazy<string>,
    private readonly sentBy: Lazy<Sender> | undefined,
  ) {}

  /** The operation's id in the OpenAPI document; the audit log names it. */
  get operation(): string {
    return valueOf(this.named);
  }

  /** Where the request came from. The security log names it. */
  get sender(): Sender | undefined {
    return valueOf(this.sentBy);
  }
}

/** Few requests need their sender or their operation's id, so neither is computed for each. */
type Lazy<Value extends string | object> = Value | (() => Value);
const valueOf = <Value>(lazy: Value | (() => Value)): Value =>
  typeof lazy === "function" ? (lazy as () => Value)() : lazy;

/**
 * The context is with the caller. A WeakMap would keep it, and with it the whole request, until a major garbage collection:
 * minor ones take all values of a WeakMap for alive.
 */
const CONTEXT = Symbol("request context");

/**
 * Begins the context of a request. Each request makes its own `Caller`, so work that the system does beside a request,
 * as another caller, never takes the request's `Idempotency-Key` for its own.
 */
export function beginRequest<C extends Caller>(caller: C, operation: Lazy<string>, sender?: Lazy<Sender>): C {
  // Not enumerable: a copy of the caller is not in the request.
  return Object.defineProperty(caller, CONTEXT, { value: new RequestContext(operation, sender), configurable: true });
}

/** The request that this caller makes; undefined for jobs and for the command line. */
export const requestOf = (caller: Caller & { [CONTEXT]?: RequestContext }): RequestContext | undefined =>
  caller[CONTEXT];

/** The same caller without the request: reads give it whole answers, never "not modified". */
export const outsideRequest = <C extends Caller>(caller: C): C => ({ ...caller });

/** The actor and the action as the audit log names them. For the system the action is the job's name. */
export function authorship(caller: Caller): { actor: string; action: string } {
  return {
    actor: `${caller.kind}:${callerId(caller) ?? ""}`,
    action: (caller.kind === "system" ? caller.name : requestOf(caller)?.operation) ?? "",
  };
}

/** The caller for what a channel brings in. It reaches the channel's workspace. */
export function provider(
  operation: string,
  channel: { tenantId: string; environment: Environment; workspaceId: string; id: string },
): ProviderCaller {
  const { tenantId, environment, workspaceId, id } = channel;
  return beginRequest(
    {
      kind: "provider",
      channelId: id,
      tenantId,
      environment,
      reach: { level: "workspaces", workspaceIds: [workspaceId] },
    },
    operation,
  );
}
