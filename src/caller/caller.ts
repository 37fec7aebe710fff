import type { Role, Scope } from './scope.js';

export type Environment = 'live' | 'test';

/**
 * Which workspaces a caller can touch: all of the tenant's, those of one brand, or those named
 * (one for a restricted key; the assigned ones, perhaps none, for an agent or observer).
 */
export type Reach = { level: 'tenant' } | { level: 'brand'; brandId: string } | { level: 'workspaces'; workspaceIds: readonly string[] };

/** The key of a POST that may be retried, with what identifies the request. */
export interface Retry {
  key: string; method: string; path: string; bodyHash: Buffer;
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
export interface ApiKeyCaller extends Common { kind: 'apiKey'; keyId: string; keyName: string; scopes: readonly Scope[] }
export interface MemberCaller extends Common {
  kind: 'member'; memberId: string; role: Role;
  /** The tenant's live side, which the members of both sides belong to. */
  organisationId: string;
  /** Absent for tokens of an external issuer. */
  sessionId?: string;
}
/** Jobs, provisioning and the command line: the whole of one side. */
export interface SystemCaller extends Common { kind: 'system'; name: string }

/** Whoever acts, proven. */
export type Caller = ApiKeyCaller | MemberCaller | SystemCaller;

/** The id under which a caller's work is recorded and its retries are kept apart; null for the system. */
export function callerId(caller: Caller): string | null {
  return caller.kind === 'apiKey' ? caller.keyId : caller.kind === 'member' ? caller.memberId : null;
}

/** Who acts, and doing what, as the audit log has it; of the system, the job's name. */
export function authorship(caller: Caller): { actor: string; action: string } {
  return { actor: `${caller.kind}:${callerId(caller) ?? ''}`, action: (caller.kind === 'system' ? caller.name : caller.operation) ?? '' };
}

export function system(name: string, tenantId: string, environment: Environment): SystemCaller {
  return { kind: 'system', name, tenantId, environment, reach: { level: 'tenant' } };
}
