import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { IsNull } from "typeorm";
import { v7 as uuid } from "uuid";
import type { Caller } from "../../platform/caller/caller.js";
import { callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { Json, type Ok, ok } from "../../platform/http/json.js";
import { SecurityLogService } from "../security-log/security-log.service.js";
import { mintApiKey } from "./api-key.js";
import { ApiKeyEntity, ApiKeyLookupEntity } from "./api-key.entity.js";
import type { ApiKeyDto, CreateApiKeyDto, NewApiKeyDto, RotateApiKeyDto, UpdateApiKeyDto } from "./api-keys.dto.js";
import {
  CHECK_NEW_API_KEY,
  GET_API_KEY,
  LIST_API_KEYS,
  type NewApiKey,
  ROTATE_API_KEY,
  UPDATE_API_KEY,
} from "./api-keys.queries.js";

@Injectable()
export class ApiKeysService {
  constructor(
    private readonly db: Database,
    private readonly security: SecurityLogService,
  ) {}

  list(caller: Caller): Promise<Json<ApiKeyDto[]>> {
    return this.db.read(caller, LIST_API_KEYS, {});
  }

  /**
   * @throws NotFoundException: the brand or the workspace does not exist
   * @throws BadRequestException: the expiry is in the past
   */
  create(caller: Caller, body: CreateApiKeyDto): Promise<Json<NewApiKeyDto>> {
    return this.db.transaction(caller, async (tx) => {
      const brandId = body.dataScope?.level === "brand" ? body.dataScope.brandId! : null;
      const workspaceId = body.dataScope?.level === "workspace" ? body.dataScope.workspaceId! : null;
      const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
      const [checked] = await tx.query(CHECK_NEW_API_KEY, { expiresAt, brandId, workspaceId });
      if (!checked!.inFuture) throw new BadRequestException("expiresAt must be in the future");
      if (!checked!.found) throw notFound(`${body.dataScope!.level}Id in dataScope`);
      return this.issue(tx, { name: body.name, scopes: body.scopes, brandId, workspaceId, expiresAt });
    });
  }

  /** Makes a key within a transaction. The raw key is in this answer and nowhere else. */
  async issue(tx: Tx, values: NewApiKey): Promise<Json<NewApiKeyDto>> {
    const { key, prefix, hash } = mintApiKey(tx.caller.environment);
    const id = uuid();
    await tx.insert(ApiKeyEntity, { id, prefix, ...values, createdBy: callerId(tx.caller) });
    await tx.insert(ApiKeyLookupEntity, { hash: Buffer.from(hash, "hex"), apiKeyId: id });
    await this.security.record(tx, { type: "key_created", detail: { keyId: id, scopes: values.scopes } });
    const { text } = await tx.read(GET_API_KEY, { id });
    return new Json<NewApiKeyDto>(`${text.slice(0, -1)},"key":"${key}"}`, 201, true);
  }

  /**
   * @throws NotFoundException
   * @throws BadRequestException: the expiry is in the past
   * @throws ConflictException: the key is expired or revoked, and more than its name would change
   */
  update(caller: Caller, id: string, { name, scopes, expiresAt }: UpdateApiKeyDto): Promise<Json<ApiKeyDto>> {
    return this.db.transaction(caller, async (tx) => {
      const setsExpiry = expiresAt !== undefined;
      const [updated] = await tx.query(UPDATE_API_KEY, { id, name, scopes, expiresAt, setsExpiry });
      if (!updated!.inFuture) throw new BadRequestException("expiresAt must be in the future");
      const key = await tx.read(GET_API_KEY, { id });
      if (!updated!.changed)
        throw new ConflictException(`The key is ${key.parse().status}: only its name can be changed`);
      const fields = Object.entries({ name, scopes, expiresAt }).flatMap(([field, value]) =>
        value === undefined ? [] : [field],
      );
      await this.security.record(tx, { type: "key_changed", detail: { keyId: id, fields } });
      return key;
    });
  }

  /**
   * Makes a second key with the same rights. The first one ends after the overlap.
   * @throws NotFoundException
   * @throws ConflictException: the key is expired or revoked
   */
  rotate(caller: Caller, id: string, { overlapHours = 24 }: RotateApiKeyDto): Promise<Json<NewApiKeyDto>> {
    return this.db.transaction(caller, async (tx) => {
      const [old] = await tx.query(ROTATE_API_KEY, { id, overlapHours });
      if (!old) throw notFound();
      const { active, ...values } = old;
      if (!active) throw new ConflictException("Only an active key can be rotated");
      await this.security.record(tx, { type: "key_changed", detail: { keyId: id, fields: ["expiresAt"] } });
      return this.issue(tx, values);
    });
  }

  revoke(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      if (!(await this.revokeWhere(tx, { id }))) await tx.findOrThrow(ApiKeyEntity, { id });
      return ok();
    });
  }

  /** Revokes the keys that are restricted to this workspace. */
  async revokeOfWorkspace(tx: Tx, workspaceId: string): Promise<void> {
    await this.revokeWhere(tx, { workspaceId });
  }

  /** @returns how many keys were revoked. Those that had been revoked before do not count. */
  private async revokeWhere(tx: Tx, where: { id: string } | { workspaceId: string }): Promise<number> {
    const revoked = await tx.updateReturning(
      ApiKeyEntity,
      { ...where, revokedAt: IsNull() },
      { revokedAt: () => "now()" },
      ["id"],
    );
    for (const { id } of revoked) await this.security.record(tx, { type: "key_revoked", detail: { keyId: id } });
    return revoked.length;
  }
}
