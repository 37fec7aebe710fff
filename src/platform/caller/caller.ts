import type { Role, Scope } from "./scope.js";

export type Environment = "live" | "test";

/**
 * Which workspaces a caller can touch: all of the tenant's, those of one brand, or those named
 * (one for a restricted key; the assigned ones, perhaps none, for an agent or observer).
 */
export type Reach =
  { level: "tenant" } | { level: "brand"; brandId: string } | { level: "workspaces"; workspaceIds: readonly string[] };

/** The key of a POST that may be retried, with what identifies the request. */
export interface Retry {
  key: string;
  method: string;
  path: string;
  bodyHash: Buffer;
  /** Set by the transaction that stores the answer. */
  used: boolean;
}

interface Common {
  /** The side (live or test) that everything is done on; both sides of a tenant have ids of their own. */
  tenantId: string;
  environment: Environment;
  reach: Reach;
  /** The operation of the API that is carried out, by its id in the OpenAPI document; the audit log names it. Set by the guard. */
  operation?: string;
  /** Set while an authenticated POST with an `Idempotency-Key` is handled. */
  retry?: Retry;
  /** The `If-None-Match` of the read that is handled. */
  ifNoneMatch?: string;
}
export interface ApiKeyCaller extends Common {
  kind: "apiKey";
  keyId: string;
  keyName: string;
  scopes: readonly Scope[];
}
export interface MemberCaller extends Common {
  kind: "member";
  memberId: string;
  role: Role;
  /** The tenant's live side, which the members of both sides belong to. */
  organisationId: string;
  /** Absent for tokens of an external issuer. */
  sessionId?: string;
}
/** Jobs, provisioning and the command line: the whole of one side. */
export interface SystemCaller extends Common {
  kind: "system";
  name: string;
}

/** A person on the other side: in the web chat, or before a form. They write, and reach nothing but what they write. */
export interface VisitorCaller extends Common {
  kind: "visitor";
  visitorId: string;
}
/** Whoever brings in a channel's messages: its mail server, its telephone company. */
export interface ProviderCaller extends Common {
  kind: "provider";
  channelId: string;
}

/** Whoever acts, proven. */
export type Caller = ApiKeyCaller | MemberCaller | SystemCaller | VisitorCaller | ProviderCaller;

/** The id under which a caller's work is recorded and its retries are kept apart; null for the system. */
export function callerId(caller: Caller): string | null {
  switch (caller.kind) {
    case "apiKey":
      return caller.keyId;
    case "member":
      return caller.memberId;
    case "visitor":
      return caller.visitorId;
    case "provider":
      return caller.channelId;
    case "system":
      return null;
  }
}

/** Who acts, and doing what, as the audit log has it; of the system, the job's name. */
export function authorship(caller: Caller): { actor: string; action: string } {
  return {
    actor: `${caller.kind}:${callerId(caller) ?? ""}`,
    action: (caller.kind === "system" ? caller.name : caller.operation) ?? "",
  };
}

/** @param operation as the audit log names what is done */
export function provider(
  operation: string,
  {
    tenantId,
    environment,
    workspaceId,
    id,
  }: { tenantId: string; environment: Environment; workspaceId: string; id: string },
): ProviderCaller {
  return {
    kind: "provider",
    channelId: id,
    operation,
    tenantId,
    environment,
    reach: { level: "workspaces", workspaceIds: [workspaceId] },
  };
}

export function system(name: string, tenantId: string, environment: Environment): SystemCaller {
  return { kind: "system", name, tenantId, environment, reach: { level: "tenant" } };
}
