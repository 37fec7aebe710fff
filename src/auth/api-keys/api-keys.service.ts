import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller } from "../../platform/caller/caller.js";
import { callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { list, one, projection, time } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { Json, type Ok, ok } from "../../platform/http/json.js";
import { mintApiKey } from "./api-key.js";
import type { ApiKeyDto, CreateApiKeyDto, NewApiKeyDto, RotateApiKeyDto, UpdateApiKeyDto } from "./api-keys.dto.js";
import { ApiKeyEntity } from "./api-key.entity.js";

const API_KEY = projection<ApiKeyDto>({
  id: "k.id",
  name: "k.name",
  prefix: "k.prefix",
  environment: "t.environment",
  scopes: "k.scopes",
  dataScope: `json_build_object('level', case when k.brand_id is not null then 'brand' when k.workspace_id is not null then 'workspace' else 'organisation' end,
    'brandId', k.brand_id, 'workspaceId', k.workspace_id)`,
  status: `case when k.revoked_at is not null then 'revoked' when k.expires_at <= now() then 'expired' else 'active' end`,
  expiresAt: time("k.expires_at"),
  lastUsedAt: time("l.last_used_at"),
  createdBy: "k.created_by",
  createdAt: time("k.created_at"),
});
const FROM =
  "from api_key k join tenant t on t.id = k.tenant_id join api_key_lookup l on l.tenant_id = k.tenant_id and l.api_key_id = k.id where k.tenant_id = :tenant";
const BY_ADMINS = { none: "keys are administered by owners and admins, who reach everything" };
const LIST = list<ApiKeyDto>(
  "api-keys.list",
  BY_ADMINS,
  `select ${API_KEY} ${FROM} order by k.created_at desc, k.id desc`,
);
const GET = one<ApiKeyDto, { id: string }>("api-keys.get", BY_ADMINS, `select ${API_KEY} ${FROM} and k.id = :id`);

type NewKey = Pick<ApiKeyEntity, "name" | "scopes" | "brandId" | "workspaceId" | "expiresAt">;

@Injectable()
export class ApiKeysService {
  constructor(private readonly db: Database) {}

  list(caller: Caller): Promise<Json<ApiKeyDto[]>> {
    return this.db.read(caller, LIST, {});
  }

  /** @throws NotFoundException (the brand or workspace), BadRequestException (an expiry in the past) */
  create(caller: Caller, body: CreateApiKeyDto): Promise<Json<NewApiKeyDto>> {
    return this.db.transaction(caller, async (tx) => {
      const brandId = body.dataScope?.level === "brand" ? body.dataScope.brandId! : null;
      const workspaceId = body.dataScope?.level === "workspace" ? body.dataScope.workspaceId! : null;
      const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
      const [fit] = await tx.query<{ future: boolean; found: boolean }>(
        `select :expiresAt::timestamptz is null or :expiresAt::timestamptz > now() as future,
          (:brandId::uuid is null or exists (select from brand b where b.tenant_id = :tenant and b.id = :brandId))
          and (:workspaceId::uuid is null or exists (select from workspace w where w.tenant_id = :tenant and w.id = :workspaceId and w.deleted_at is null for share)) as found`,
        { expiresAt, brandId, workspaceId },
      );
      if (!fit!.future) throw new BadRequestException("expiresAt must be in the future");
      if (!fit!.found) throw notFound();
      return this.issue(tx, { name: body.name, scopes: body.scopes, brandId, workspaceId, expiresAt });
    });
  }

  /** Makes a key within a transaction; the answer is the only place where the raw key ever stands. */
  async issue(tx: Tx, values: NewKey): Promise<Json<NewApiKeyDto>> {
    const { key, prefix, hash } = mintApiKey(tx.caller.environment);
    const id = uuid();
    await tx.insert(ApiKeyEntity, { id, prefix, ...values, createdBy: callerId(tx.caller) });
    await tx.query(
      `insert into api_key_lookup (hash, tenant_id, api_key_id) values (decode(:hash, 'hex'), :tenant, :id)`,
      { hash, id },
    );
    const { text } = await tx.read(GET, { id });
    return new Json<NewApiKeyDto>(`${text.slice(0, -1)},"key":"${key}"}`, 201, true);
  }

  /** @throws NotFoundException, BadRequestException (an expiry in the past), ConflictException (more than the name of a key that has ended) */
  update(caller: Caller, id: string, { name, scopes, expiresAt }: UpdateApiKeyDto): Promise<Json<ApiKeyDto>> {
    return this.db.transaction(caller, async (tx) => {
      const [row] = await tx.query<{ future: boolean; changed: boolean }>(
        `with fit as (select :expiresAt::timestamptz is null or :expiresAt::timestamptz > now() as future
        ), changed as (
          update api_key k set name = coalesce(:name, k.name), scopes = coalesce(:scopes::text[], k.scopes), expires_at = case when :ends then :expiresAt::timestamptz else k.expires_at end
          from fit where fit.future and k.tenant_id = :tenant and k.id = :id
            and ((:scopes::text[] is null and not :ends) or (k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp()))) returning k.id
        ) select future, exists (select from changed) as changed from fit`,
        { id, name, scopes, expiresAt, ends: expiresAt !== undefined },
      );
      if (!row!.future) throw new BadRequestException("expiresAt must be in the future");
      const key = await tx.read(GET, { id });
      if (!row!.changed) throw new ConflictException(`The key is ${key.parse().status}: only its name can be changed`);
      return key;
    });
  }

  /**
   * A second key of the same rights; the first one ends after the overlap. Of two at once the second may have begun first:
   * whether the key has ended is asked of the clock, once the key is locked.
   */
  rotate(caller: Caller, id: string, { overlapHours = 24 }: RotateApiKeyDto): Promise<Json<NewApiKeyDto>> {
    return this.db.transaction(caller, async (tx) => {
      const [old] = await tx.query<NewKey & { active: boolean }>(
        `with old as (
          select k.*, k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp()) as active from api_key k where k.tenant_id = :tenant and k.id = :id for update
        ), ended as (
          update api_key k set expires_at = least(k.expires_at, date_trunc('milliseconds', now()) + make_interval(hours => :overlapHours)) from old where k.tenant_id = old.tenant_id and k.id = old.id and old.active)
        select name, scopes, brand_id as "brandId", workspace_id as "workspaceId", expires_at as "expiresAt", active from old`,
        { id, overlapHours },
      );
      if (!old) throw notFound();
      if (!old.active) throw new ConflictException("Only an active key can be rotated");
      return this.issue(tx, {
        name: old.name,
        scopes: old.scopes,
        brandId: old.brandId,
        workspaceId: old.workspaceId,
        expiresAt: old.expiresAt,
      });
    });
  }

  revoke(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const found = await tx.query(
        "update api_key set revoked_at = coalesce(revoked_at, now()) where tenant_id = :tenant and id = :id returning id",
        { id },
      );
      if (!found.length) throw notFound();
      return ok();
    });
  }

  /** With a workspace go the keys that are restricted to it. */
  async revokeOfWorkspace(tx: Tx, workspaceId: string): Promise<void> {
    await tx.query(
      "update api_key set revoked_at = coalesce(revoked_at, now()) where tenant_id = :tenant and workspace_id = :workspaceId",
      { workspaceId },
    );
  }
}
