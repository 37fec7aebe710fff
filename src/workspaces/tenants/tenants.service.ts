import { ConflictException, Injectable } from "@nestjs/common";
import type { Caller, MemberCaller } from "../../platform/caller/caller.js";
import { SecondFactorsService } from "../../auth/second-factors/second-factors.service.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import type { Json } from "../../platform/http/json.js";
import { SigningKeysService } from "./signing-keys.service.js";
import type { TenantDto, UpdateTenantDto } from "./tenants.dto.js";
import { GET_TENANT, UPDATE_TENANT } from "./tenants.queries.js";

@Injectable()
export class TenantsService {
  private readonly defaults: { attachmentQuota: number };

  constructor(
    private readonly db: Database,
    private readonly keys: SigningKeysService,
    private readonly secondFactors: SecondFactorsService,
    config: Config,
  ) {
    this.defaults = { attachmentQuota: config.attachmentQuotaBytes };
  }

  async get(caller: Caller): Promise<Json<TenantDto>> {
    const tenant = await this.db.read(caller, GET_TENANT, this.defaults);
    if ((tenant.parse() as Partial<TenantDto>).erasureKey) return tenant;
    await this.db.transaction(caller, (tx) => this.keys.ensure(tx));
    return this.db.read(caller, GET_TENANT, this.defaults);
  }

  /** @throws ConflictException: who requires a second factor has none */
  update(caller: MemberCaller, changes: UpdateTenantDto): Promise<Json<TenantDto>> {
    return this.db.transaction(caller, async (tx) => {
      const isExempt = caller.sessionId === undefined;
      if (changes.requireSecondFactor && !isExempt && !(await this.secondFactors.has(tx, caller.memberId)))
        throw new ConflictException("Set up a second factor for yourself before you require one of everybody");
      await tx.query(UPDATE_TENANT, changes);
      await this.keys.ensure(tx);
      return tx.read(GET_TENANT, this.defaults);
    });
  }
}
