import type { Role, Scope } from "./scope.js";

export type Environment = "live" | "test";

/**
 * Which workspaces a caller can touch: all of the tenant's, those of one brand, or those named
 * (one for a restricted key; the assigned ones, perhaps none, for an agent or observer).
 */
export type Reach =
  { level: "tenant" } | { level: "brand"; brandId: string } | { level: "workspaces"; workspaceIds: readonly string[] };

interface Common {
  /** The side (live or test) that everything is done on; both sides of a tenant have ids of their own. */
  tenantId: string;
  environment: Environment;
  reach: Reach;
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

/** A person who writes in the web chat or through a form. They reach nothing but what they write. */
export interface VisitorCaller extends Common {
  kind: "visitor";
  visitorId: string;
}
/** The other end of a channel that brings messages in: a mail server or a telephone provider. */
export interface ProviderCaller extends Common {
  kind: "provider";
  channelId: string;
}

/** Who acts, after authentication. */
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

export function system(name: string, tenantId: string, environment: Environment): SystemCaller {
  return { kind: "system", name, tenantId, environment, reach: { level: "tenant" } };
}
