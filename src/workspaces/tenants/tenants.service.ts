import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { one, projection, time } from "../../platform/database/statement.js";
import type { Json } from "../../platform/http/json.js";
import { SigningKeysService } from "./signing-keys.service.js";
import type { TenantDto, UpdateTenantDto } from "./tenants.dto.js";

const GET = one<TenantDto>(
  "tenants.get",
  { none: "members see the tenant that they belong to" },
  `select ${projection<TenantDto>({
    id: "t.id",
    name: "t.name",
    environment: "t.environment",
    erasureKey: "(select k.public_key from signing_key k where k.tenant_id = t.id)",
    webhooksPreview: "t.webhooks_preview",
    createdAt: time("t.created_at"),
  })} from tenant t where t.id = :tenant`,
);

@Injectable()
export class TenantsService {
  constructor(
    private readonly db: Database,
    private readonly keys: SigningKeysService,
  ) {}

  async get(caller: Caller): Promise<Json<TenantDto>> {
    const tenant = await this.db.read(caller, GET, {});
    if ((tenant.parse() as Partial<TenantDto>).erasureKey) return tenant;
    await this.db.transaction(caller, (tx) => this.keys.ensure(tx));
    return this.db.read(caller, GET, {});
  }

  update(caller: Caller, { name, webhooksPreview }: UpdateTenantDto): Promise<Json<TenantDto>> {
    return this.db.transaction(caller, async (tx) => {
      await tx.query(
        `update tenant t set name = coalesce(:name, t.name), webhooks_preview = case when t.id = :tenant then coalesce(:webhooksPreview, t.webhooks_preview) else t.webhooks_preview end
        where t.organisation_id = (select mine.organisation_id from tenant mine where mine.id = :tenant)`,
        { name, webhooksPreview },
      );
      await this.keys.ensure(tx);
      return tx.read(GET, {});
    });
  }
}
