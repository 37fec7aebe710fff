import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Json } from "../../platform/http/json.js";
import { SigningKeysService } from "./signing-keys.service.js";
import type { TenantDto, UpdateTenantDto } from "./tenants.dto.js";
import { GET_TENANT, UPDATE_TENANT } from "./tenants.queries.js";

@Injectable()
export class TenantsService {
  constructor(
    private readonly db: Database,
    private readonly keys: SigningKeysService,
  ) {}

  async get(caller: Caller): Promise<Json<TenantDto>> {
    const tenant = await this.db.read(caller, GET_TENANT, {});
    if ((tenant.parse() as Partial<TenantDto>).erasureKey) return tenant;
    await this.db.transaction(caller, (tx) => this.keys.ensure(tx));
    return this.db.read(caller, GET_TENANT, {});
  }

  update(caller: Caller, changes: UpdateTenantDto): Promise<Json<TenantDto>> {
    return this.db.transaction(caller, async (tx) => {
      await tx.query(UPDATE_TENANT, changes);
      await this.keys.ensure(tx);
      return tx.read(GET_TENANT, {});
    });
  }
}
