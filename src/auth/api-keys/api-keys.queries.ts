import type { Environment } from "../../platform/caller/caller.js";
import type { Scope } from "../../platform/caller/scope.js";
import { sql, STRANGERS, TENANT } from "../../platform/database/sql.js";
import { globalQuery, list, one, projection, query, time } from "../../platform/database/statements.js";
import type { ApiKeyEntity } from "./api-key.entity.js";
import type { ApiKeyDto } from "./api-keys.dto.js";

/** What a new key is made of. */
export type NewApiKey = Pick<ApiKeyEntity, "name" | "scopes" | "brandId" | "workspaceId" | "expiresAt"> & {
  lineageId?: string;
};

/** The key `k` is neither revoked nor expired, by the clock: a transaction that waited for a lock began earlier. */
const IS_ACTIVE_NOW = sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())`;

export const API_KEY = projection<ApiKeyDto>({
  id: sql`k.id`,
  name: sql`k.name`,
  prefix: sql`k.prefix`,
  environment: sql`t.environment`,
  scopes: sql`k.scopes`,
  dataScope: sql`json_build_object(
    'level', case
      when k.brand_id is not null then 'brand'
      when k.workspace_id is not null then 'workspace'
      else 'organisation'
    end,
    'brandId', k.brand_id,
    'workspaceId', k.workspace_id
  )`,
  status: sql`
    case
      when k.revoked_at is not null then 'revoked'
      when k.expires_at <= now() then 'expired'
      else 'active'
    end`,
  expiresAt: time(sql`k.expires_at`),
  lastUsedAt: time(sql`l.last_used_at`),
  createdBy: sql`k.created_by`,
  createdAt: time(sql`k.created_at`),
});

export const API_KEYS_OF_TENANT = sql`
  api_key k
    join tenant t on t.id = ${TENANT}
    join api_key_lookup l on l.tenant_id = ${TENANT} and l.api_key_id = k.id
  where k.tenant_id = ${TENANT}`;

const ADMINS_ONLY = { unrestricted: "only owners and admins manage keys, and they see the whole tenant" };

export const LIST_API_KEYS = list<ApiKeyDto>(
  "apiKeys.list",
  ADMINS_ONLY,
  () => sql`select ${API_KEY} from ${API_KEYS_OF_TENANT} order by k.created_at desc, k.id desc`,
);

export const GET_API_KEY = one<ApiKeyDto, { id: string }>(
  "apiKeys.get",
  ADMINS_ONLY,
  ({ id }) => sql`select ${API_KEY} from ${API_KEYS_OF_TENANT} and k.id = ${id}`,
);

/** Locks the workspace, so that it is not deleted before the key is there to be revoked with it. */
export const CHECK_NEW_API_KEY = query<
  { expiresAt: Date | null; brandId: string | null; workspaceId: string | null },
  { inFuture: boolean; found: boolean }
>()(
  "apiKeys.checkNew",
  ADMINS_ONLY,
  ({ expiresAt, brandId, workspaceId }) => sql`
    select ${expiresAt}::timestamptz is null or ${expiresAt}::timestamptz > now() as "inFuture",
      (${brandId}::uuid is null or exists (
        select from brand b where b.tenant_id = ${TENANT} and b.id = ${brandId}
      ))
      and (${workspaceId}::uuid is null or exists (
        select from workspace w
        where w.tenant_id = ${TENANT} and w.id = ${workspaceId} and w.deleted_at is null
        for share
      )) as found
    from tenant t where t.id = ${TENANT}`,
);

/** A key that is expired or revoked can only be renamed. */
export const UPDATE_API_KEY = query<
  { id: string; name?: string; scopes?: readonly Scope[]; expiresAt?: string | null; setsExpiry: boolean },
  { inFuture: boolean; changed: boolean }
>()(
  "apiKeys.update",
  ADMINS_ONLY,
  ({ id, name, scopes, expiresAt, setsExpiry }) => sql`
    with checked as (
      select ${expiresAt}::timestamptz is null or ${expiresAt}::timestamptz > now() as in_future
    ), changed as (
      update api_key k set
        name = coalesce(${name}, k.name),
        scopes = coalesce(${scopes}::text[], k.scopes),
        expires_at = case when ${setsExpiry} then ${expiresAt}::timestamptz else k.expires_at end
      from checked
      where k.tenant_id = ${TENANT} and k.id = ${id} and checked.in_future
        and ((${scopes}::text[] is null and not ${setsExpiry}) or (${IS_ACTIVE_NOW}))
      returning k.id
    )
    select in_future as "inFuture", exists (select from changed) as changed from checked`,
);

/** Ends an active key after the overlap, and gives what its successor is made of. */
export const ROTATE_API_KEY = query<{ id: string; overlapHours: number }, NewApiKey & { active: boolean }>()(
  "apiKeys.rotate",
  ADMINS_ONLY,
  ({ id, overlapHours }) => sql`
    with old as (
      select k.id, k.name, k.scopes, k.brand_id, k.workspace_id, k.expires_at,
        coalesce(k.lineage_id, k.id) as lineage_id, ${IS_ACTIVE_NOW} as active
      from api_key k
      where k.tenant_id = ${TENANT} and k.id = ${id}
      for update
    ), ended as (
      update api_key k
      set expires_at = least(k.expires_at, date_trunc('milliseconds', now()) + make_interval(hours => ${overlapHours}))
      from old
      where k.tenant_id = ${TENANT} and k.id = old.id and old.active
    )
    select name, scopes, brand_id as "brandId", workspace_id as "workspaceId", expires_at as "expiresAt",
      lineage_id as "lineageId", active
    from old`,
);

/** What a key may do. It holds no raw key. */
export interface ApiKeyCredential {
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

/** Finds the tenant of a key and sets it, so that row-level security shows the key in the same statement. */
export const FIND_API_KEY = globalQuery<{ hash: string }, { credential: ApiKeyCredential | null }>()(
  "apiKeys.findByHash",
  "everywhere",
  ({ hash }) => sql`
    with found as materialized (
      select l.tenant_id, l.api_key_id, set_config('app.tenant_id', l.tenant_id::text, true) as tenant
      from api_key_lookup l where l.hash = decode(${hash}, 'hex')
    )
    select (
      select row_to_json(r) from (
        select k.id, k.tenant_id as "tenantId", array[k.tenant_id] as "tenantIds", t.environment, k.name, k.scopes,
          k.brand_id as "brandId", k.workspace_id as "workspaceId",
          extract(epoch from k.expires_at - clock_timestamp()) * 1000 as "expiresIn"
        from api_key k join tenant t on t.id = k.tenant_id
        where k.tenant_id = found.tenant_id and k.id = found.api_key_id and ${IS_ACTIVE_NOW}
      ) r
    ) as credential
    from found where tenant is not null`,
);

/** No row if the key was revoked or has expired. */
export const GET_API_KEY_CREDENTIAL = one<
  Pick<ApiKeyCredential, "name" | "scopes" | "brandId" | "workspaceId">,
  { id: string }
>(
  "apiKeys.getCredential",
  { unrestricted: "it looks up the caller's reach" },
  ({ id }) => sql`
    select k.name, k.scopes, k.brand_id as "brandId", k.workspace_id as "workspaceId"
    from api_key k where k.tenant_id = ${TENANT} and k.id = ${id} and ${IS_ACTIVE_NOW}`,
);

export const NOTE_API_KEY_USE = globalQuery<{ hashes: Buffer[] }>()(
  "apiKeys.noteUse",
  "everywhere",
  ({ hashes }) => sql`
    update api_key_lookup set last_used_at = now()
    where hash = any(${hashes}::bytea[]) and not tenant_id = any(${STRANGERS}::uuid[])`,
);
