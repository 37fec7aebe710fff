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

/** What belongs to the request that is handled, not to the caller. */
export interface RequestContext {
  /** The operation's id in the OpenAPI document; the audit log names it. */
  operation: string;
  /** Where the request came from. The security log names it. */
  readonly sender?: Sender | undefined;
  /** Present while an authenticated POST with an `Idempotency-Key` is handled. */
  idempotency?: IdempotencyKey;
  /** The `If-None-Match` of a read. */
  ifNoneMatch?: string;
}

const contexts = new WeakMap<Caller, RequestContext>();

/**
 * Begins the context of a request. Each request makes its own `Caller`, so work that the system does beside a request,
 * as another caller, never takes the request's `Idempotency-Key` for its own.
 */
export function beginRequest<C extends Caller>(caller: C, operation: string, sender?: Sender | (() => Sender)): C {
  // Few requests need their sender, so the address is not parsed for each.
  contexts.set(caller, {
    operation,
    get sender() {
      return typeof sender === "function" ? sender() : sender;
    },
  });
  return caller;
}

/** The request that this caller makes; undefined for jobs and for the command line. */
export const requestOf = (caller: Caller): RequestContext | undefined => contexts.get(caller);

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
