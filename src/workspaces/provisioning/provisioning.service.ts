import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { ApiKeysService } from "../../auth/api-keys/api-keys.service.js";
import { MembersService, type NewMember } from "../../auth/members/members.service.js";
import { hashPassword } from "../../auth/sessions/password.js";
import { system } from "../../platform/caller/caller.js";
import { SCOPES } from "../../platform/caller/scope.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { TenantEntity } from "../tenants/tenant.entity.js";
import { FIND_TENANT_BY_EXTERNAL_ID } from "../tenants/tenants.queries.js";
import { TenantProvisioned } from "../workspace-events.js";
import { WorkspacesService } from "../workspaces.service.js";

export interface NewTenant {
  name: string;
  owner: Omit<NewMember, "role">;
  /** The organisation's id at the authentication provider. */
  externalId?: string;
  /** Also create an organisation-wide API key with all scopes for each side. */
  withKeys?: boolean;
}
export interface Defaults {
  brandId: string;
  workspaceId: string;
}
export interface CreatedTenant {
  tenantId: string;
  testTenantId: string;
  /** The raw keys of the live and the test side, if `withKeys` asked for them. */
  keys?: { live: string; test: string };
  defaults: Defaults;
  testDefaults: Defaults;
}

/** Creates a tenant with its two sides in one transaction. */
@Injectable()
export class ProvisioningService {
  constructor(
    private readonly db: Database,
    private readonly workspaces: WorkspacesService,
    private readonly members: MembersService,
    private readonly keys: ApiKeysService,
    private readonly events: DomainEvents,
  ) {}

  /** Gives the tenant of the provider's organisation. The first of any number of simultaneous deliveries creates it. */
  async provision(externalId: string, name: string, owner: NewTenant["owner"]): Promise<{ tenantId: string }> {
    const made = await this.create({ name, owner, externalId });
    if (made) return { tenantId: made.tenantId };
    const [known] = await this.db.global(FIND_TENANT_BY_EXTERNAL_ID, { externalId });
    return { tenantId: known!.id };
  }

  /**
   * @returns null if a tenant with this externalId exists already
   * @throws ConflictException: the owner's email belongs to a member already
   */
  async create(tenant: NewTenant): Promise<CreatedTenant | null> {
    const passwordHash = tenant.owner.password === undefined ? null : await hashPassword(tenant.owner.password);
    const live = system("provisioning", uuid(), "live");
    const test = system("provisioning", uuid(), "test");
    return this.db.transaction(live, async (tx) => {
      const { name, externalId = null } = tenant;
      const organisationId = live.tenantId;
      const created = await tx.insertOrIgnore(TenantEntity, {
        id: live.tenantId,
        organisationId,
        environment: "live",
        name,
        externalId,
      });
      if (!created) return null;
      await tx.insert(TenantEntity, { id: test.tenantId, organisationId, environment: "test", name });
      const defaults = await this.addDefaults(tx, tenant.name);
      await this.members.add(tx, live.tenantId, { ...tenant.owner, role: "owner" }, passwordHash);
      const liveKey = tenant.withKeys ? await this.createKey(tx) : "";
      const onTest = await tx.actingFor(test);
      const testDefaults = await this.addDefaults(onTest, tenant.name);
      const testKey = tenant.withKeys ? await this.createKey(onTest) : "";
      return {
        tenantId: live.tenantId,
        testTenantId: test.tenantId,
        defaults,
        testDefaults,
        ...(tenant.withKeys ? { keys: { live: liveKey, test: testKey } } : {}),
      };
    });
  }

  private async addDefaults(tx: Tx, name: string): Promise<Defaults> {
    await this.events.publish(tx, new TenantProvisioned());
    const brandId = await this.workspaces.addBrand(tx, name);
    return { brandId, workspaceId: await this.workspaces.add(tx, { brandId, name: "Support" }) };
  }

  /** Creates an organisation-wide key with all scopes. @returns the raw key */
  async createKey(tx: Tx, name = "First key"): Promise<string> {
    return (
      await this.keys.issue(tx, { name, scopes: [...SCOPES], brandId: null, workspaceId: null, expiresAt: null })
    ).parse().key;
  }
}
