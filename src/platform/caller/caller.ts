import { namedEnum } from "../enums/named-enum.js";
import type { Role, Scope } from "./scope.js";

export const ENVIRONMENTS = namedEnum("Environment", "A side of the tenant.", {
  live: "real customers",
  test: "for trying things out: nothing is delivered outside",
});
export type Environment = (typeof ENVIRONMENTS)[number];

/**
 * Which workspaces a caller can see and change: all of the tenant, those of one brand, or those listed. A restricted API
 * key lists one. An agent or observer lists the assigned ones, which may be none.
 */
export type Reach =
  | { level: "tenant" }
  | { level: "brand"; brandId: string }
  | { level: "workspaces"; workspaceIds: readonly string[] };

interface Common {
  /** The side of the tenant, live or test, that the caller works on. Each side has its own id. */
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
  /** The id of the tenant's live side. Members belong to it on both sides. */
  organisationId: string;
  /** Missing for tokens of an external issuer. */
  sessionId?: string;
  /** Whether the member proved who they are lately enough for keys, members, exports and erasures. */
  signedInRecently: boolean;
  /** Whether the tenant requires a second factor and the member has none. An external issuer asks for its own. */
  lacksSecondFactor: boolean;
}
/** Jobs, provisioning and the command line. They reach the whole side. */
export interface SystemCaller extends Common {
  kind: "system";
  name: string;
}

/** A person who writes in the web chat or through a form. They see only their own conversations. */
export interface VisitorCaller extends Common {
  kind: "visitor";
  visitorId: string;
}
/** The sender of a channel's incoming messages: a mail server or a telephony provider. */
export interface ProviderCaller extends Common {
  kind: "provider";
  channelId: string;
}

/** Who acts, after authentication. */
export type Caller = ApiKeyCaller | MemberCaller | SystemCaller | VisitorCaller | ProviderCaller;

/** The caller's id in records and for Idempotency-Keys; null for the system. */
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
