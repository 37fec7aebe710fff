import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from "@nestjs/common";
import type { ApiKeyCaller, Reach } from "../../platform/caller/caller.js";
import type { Scope } from "../../platform/caller/scope.js";
import { Changes } from "../../platform/database/changes.js";
import { Database } from "../../platform/database/database.js";
import { CredentialCache } from "../credential-cache.js";
import { hashApiKey, isWellFormedApiKey } from "./api-key.js";
import { type ApiKeyCredential, FIND_API_KEY, NOTE_API_KEY_USE } from "./api-keys.queries.js";

/** `expiresAt`: on the monotonic clock of this process, in milliseconds. */
type CachedApiKey = ApiKeyCredential & { expiresAt: number };

/** From a raw API key to its caller. */
@Injectable()
export class ApiKeyVerifier implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger("api-keys");
  private readonly cache: CredentialCache<CachedApiKey>;
  private used = new Set<string>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly db: Database,
    changes: Changes,
  ) {
    this.cache = new CredentialCache(changes);
  }

  /** @returns null for a key that is malformed, unknown, expired or revoked */
  async verify(key: string): Promise<ApiKeyCaller | null> {
    const hash = hashApiKey(key);
    const found = await this.cache.get(hash, () => this.load(key, hash));
    if (!found || performance.now() >= found.expiresAt) return null;
    this.used.add(hash);
    const { id, name, tenantId, environment, scopes } = found;
    return { kind: "apiKey", keyId: id, keyName: name, tenantId, environment, scopes, reach: reachOf(found) };
  }

  /** The scopes of a key that needs no look-up, and its hash. It counts as used. */
  known(key: string): { hash: string; scopes: readonly Scope[] } | undefined {
    const hash = hashApiKey(key);
    const found = this.cache.known(hash);
    if (!found || performance.now() >= found.expiresAt) return undefined;
    this.used.add(hash);
    return { hash, scopes: found.scopes };
  }

  private async load(key: string, hash: string): Promise<CachedApiKey | null> {
    // Here, because a known key needs no check.
    if (!isWellFormedApiKey(key)) return null;
    const now = performance.now();
    const [row] = await this.db.lookUp(FIND_API_KEY, { hash }, ({ credential }) => credential?.tenantId);
    return row?.credential ? { ...row.credential, expiresAt: now + (row.credential.expiresIn ?? Infinity) } : null;
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.noteUse(), 1_000);
    this.timer.unref();
  }

  /** Sets `lastUsedAt` of all keys that were used in the last second, in one statement. */
  private async noteUse(): Promise<void> {
    if (!this.used.size) return;
    const hashes = [...this.used].map((hash) => Buffer.from(hash, "hex"));
    this.used = new Set();
    try {
      await this.db.sweep(NOTE_API_KEY_USE, { hashes });
    } catch (error) {
      this.log.warn(`the last use of keys was not recorded: ${(error as Error).message}`);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.noteUse();
  }
}

export function reachOf({ brandId, workspaceId }: Pick<ApiKeyCredential, "brandId" | "workspaceId">): Reach {
  if (brandId) return { level: "brand", brandId };
  if (workspaceId) return { level: "workspaces", workspaceIds: [workspaceId] };
  return { level: "tenant" };
}
