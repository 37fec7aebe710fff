import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { ApiKeysService } from "../../auth/api-keys/api-keys.service.js";
import { MembersService, type NewMember } from "../../auth/members/members.service.js";
import { hashPassword } from "../../auth/sessions/password.js";
import { system } from "../../platform/caller/caller.js";
import { SCOPES } from "../../platform/caller/scope.js";
import { Database } from "../../platform/database/database.js";
import { sql } from "../../platform/database/sql.js";
import { globalQuery } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { TenantProvisioned } from "../workspace-events.js";
import { WorkspacesService } from "../workspaces.service.js";

export interface NewTenant {
  name: string;
  owner: Omit<NewMember, "role">;
  /** The organisation's id at the authentication provider. */
  externalId?: string;
  /** Make an organisation-wide key with all scopes for each side. */
  withKeys?: boolean;
}
export interface Defaults {
  brandId: string;
  workspaceId: string;
}
export interface CreatedTenant {
  tenantId: string;
  testTenantId: string;
  /** Of the live and the test side; only when made now. */
  keys?: { live: string; test: string };
  defaults: Defaults;
  testDefaults: Defaults;
}

/** The live side of the organisation with this id at the authentication provider. */
export const FIND_TENANT = globalQuery<{ externalId: string }, { id: string }>(
  "provisioning.findTenant",
  ({ externalId }) => sql`select t.id from tenant t where t.external_id = ${externalId}`,
);

/** Makes a tenant with its two sides, whole or not at all. */
@Injectable()
export class ProvisioningService {
  constructor(
    private readonly db: Database,
    private readonly workspaces: WorkspacesService,
    private readonly members: MembersService,
    private readonly keys: ApiKeysService,
    private readonly events: DomainEvents,
  ) {}

  /** The tenant of the provider's organisation; made by the first of any number of deliveries at once. */
  async provision(externalId: string, name: string, owner: NewTenant["owner"]): Promise<{ tenantId: string }> {
    const made = await this.create({ name, owner, externalId });
    if (made) return { tenantId: made.tenantId };
    const [known] = await this.db.global(FIND_TENANT, { externalId });
    return { tenantId: known!.id };
  }

  /**
   * @returns null where a tenant with this externalId exists already
   * @throws ConflictException: the owner's email belongs to a member already
   */
  async create(tenant: NewTenant): Promise<CreatedTenant | null> {
    const passwordHash = tenant.owner.password === undefined ? null : await hashPassword(tenant.owner.password);
    const live = system("provisioning", uuid(), "live");
    const test = system("provisioning", uuid(), "test");
    return this.db.transaction(live, async (tx) => {
      const insert = `insert into tenant (id, organisation_id, environment, name, external_id) values (:id, :organisationId, :environment, :name, :externalId)
        on conflict (external_id) do nothing returning id`;
      const common = { organisationId: live.tenantId, name: tenant.name };
      const [mine] = await tx.query(insert, {
        ...common,
        id: live.tenantId,
        environment: "live",
        externalId: tenant.externalId ?? null,
      });
      if (!mine) return null;
      await tx.query(insert, { ...common, id: test.tenantId, environment: "test", externalId: null });
      const defaults = await this.defaults(tx, tenant.name);
      await this.members.add(tx, live.tenantId, { ...tenant.owner, role: "owner" }, passwordHash);
      const liveKey = tenant.withKeys ? await this.key(tx) : "";
      const onTest = await tx.actingFor(test);
      const testDefaults = await this.defaults(onTest, tenant.name);
      const testKey = tenant.withKeys ? await this.key(onTest) : "";
      return {
        tenantId: live.tenantId,
        testTenantId: test.tenantId,
        defaults,
        testDefaults,
        ...(tenant.withKeys ? { keys: { live: liveKey, test: testKey } } : {}),
      };
    });
  }

  private async defaults(tx: Tx, name: string): Promise<Defaults> {
    await this.events.publish(tx, new TenantProvisioned());
    const brandId = await this.workspaces.addBrand(tx, name);
    return { brandId, workspaceId: await this.workspaces.add(tx, { brandId, name: "Support" }) };
  }

  /** An organisation-wide key with all scopes. */
  async key(tx: Tx, name = "First key"): Promise<string> {
    return (
      await this.keys.issue(tx, { name, scopes: [...SCOPES], brandId: null, workspaceId: null, expiresAt: null })
    ).parse().key;
  }
}
