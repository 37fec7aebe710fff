import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from "@nestjs/common";
import type { ApiKeyCaller, Environment, Reach } from "../../platform/caller/caller.js";
import type { Scope } from "../../platform/caller/scope.js";
import { Changes } from "../../platform/database/changes.js";
import { Database } from "../../platform/database/database.js";
import { CredentialCache } from "../credential-cache.js";
import { hashApiKey, isWellFormedApiKey } from "./api-key.js";

interface Standing {
  id: string;
  tenantId: string;
  tenantIds: string[];
  environment: Environment;
  name: string;
  scopes: Scope[];
  brandId: string | null;
  workspaceId: string | null;
  /** Milliseconds until the key expires, by the database's clock. */
  expiresIn: number | null;
}

// The key's tenant is found first and set for the same statement; row-level security then shows the key itself.
const FIND = `with found as materialized (
    select l.tenant_id, l.api_key_id, set_config('app.tenant_id', l.tenant_id::text, true) as tenant from api_key_lookup l where l.hash = decode($1, 'hex'))
  select (select row_to_json(s) from (
    select k.id, k.tenant_id as "tenantId", array[k.tenant_id] as "tenantIds", t.environment, k.name, k.scopes, k.brand_id as "brandId", k.workspace_id as "workspaceId",
      extract(epoch from k.expires_at - clock_timestamp()) * 1000 as "expiresIn"
    from api_key k join tenant t on t.id = k.tenant_id
    where k.tenant_id = found.tenant_id and k.id = found.api_key_id and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > clock_timestamp())) s) as standing
  from found where tenant is not null`;

/** Tells whose a raw key is. */
@Injectable()
export class ApiKeyVerifier implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Logger("api-keys");
  private readonly standings: CredentialCache<Standing & { until: number }>;
  private used = new Set<string>();
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly db: Database,
    changes: Changes,
  ) {
    this.standings = new CredentialCache(changes);
  }

  /** @returns null for a key that is malformed, unknown, expired or revoked */
  async verify(key: string): Promise<ApiKeyCaller | null> {
    if (!isWellFormedApiKey(key)) return null;
    const hash = hashApiKey(key);
    const standing = await this.standings.get(hash, () => this.load(hash));
    if (!standing || performance.now() >= standing.until) return null;
    this.used.add(hash);
    const { id, tenantId, environment, scopes, brandId, workspaceId } = standing;
    const reach: Reach = brandId
      ? { level: "brand", brandId }
      : workspaceId
        ? { level: "workspaces", workspaceIds: [workspaceId] }
        : { level: "tenant" };
    return { kind: "apiKey", keyId: id, keyName: standing.name, tenantId, environment, scopes, reach };
  }

  private async load(hash: string): Promise<(Standing & { until: number }) | null> {
    const now = performance.now();
    const [row] = await this.db.global<{ standing: Standing | null }>(FIND, [hash]);
    return row?.standing ? { ...row.standing, until: now + (row.standing.expiresIn ?? Infinity) } : null;
  }

  onModuleInit(): void {
    this.timer = setInterval(() => void this.noteUse(), 1_000);
    this.timer.unref();
  }

  /** `lastUsedAt` of all keys used in the last second, in one statement. */
  private async noteUse(): Promise<void> {
    if (!this.used.size) return;
    const hashes = [...this.used].map((hash) => Buffer.from(hash, "hex"));
    this.used = new Set();
    try {
      await this.db.global(`update api_key_lookup set last_used_at = now() where hash = any($1)`, [hashes]);
    } catch (error) {
      this.log.warn(`last use of keys not noted: ${(error as Error).message}`);
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.noteUse();
  }
}
