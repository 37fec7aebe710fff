import { setTimeout as sleep } from "node:timers/promises";
import { ConflictException, Injectable, ServiceUnavailableException } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { ApiKeysService } from "../../auth/api-keys/api-keys.service.js";
import { MembersService, type NewMember } from "../../auth/members/members.service.js";
import { hashPassword } from "../../auth/sessions/password.js";
import { system, type SystemCaller } from "../../platform/caller/caller.js";
import { SCOPES } from "../../platform/caller/scope.js";
import { Database } from "../../platform/database/database.js";
import { Homes } from "../../platform/database/homes.js";
import { Reservations, type Unique } from "../../platform/database/reservations.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { TenantEntity } from "../tenants/tenant.entity.js";
import { FIND_TENANT_BY_EXTERNAL_ID } from "../tenants/tenants.queries.js";
import { TenantProvisioned } from "../workspace-events.js";
import { WorkspacesService } from "../workspaces.service.js";

/** How long a delivery waits for another one of the same organisation, and how often it looks. */
const MAKING_MS = 5_000;
const LOOK_MS = 50;

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
    private readonly homes: Homes,
    private readonly reservations: Reservations,
  ) {}

  /** Gives the tenant of the provider's organisation. The first of any number of simultaneous deliveries creates it. */
  async provision(externalId: string, name: string, owner: NewTenant["owner"]): Promise<{ tenantId: string }> {
    const made = await this.create({ name, owner, externalId });
    if (made) return { tenantId: made.tenantId };
    return { tenantId: await this.known(externalId) };
  }

  /** On another server it is reserved before it is made: the delivery that makes it may not have ended. */
  private async known(externalId: string): Promise<string> {
    for (const until = performance.now() + MAKING_MS; ; await sleep(LOOK_MS)) {
      const [known] = await this.db.lookUp(FIND_TENANT_BY_EXTERNAL_ID, { externalId }, ({ id }) => id);
      if (known) return known.id;
      if (performance.now() > until) throw new ServiceUnavailableException("The organisation is being made; try again");
    }
  }

  /**
   * @returns null if a tenant with this externalId exists already
   * @throws ConflictException: the owner's email belongs to a member already
   */
  async create(tenant: NewTenant): Promise<CreatedTenant | null> {
    const passwordHash = tenant.owner.password === undefined ? null : await hashPassword(tenant.owner.password);
    const live = system("provisioning", uuid(), "live");
    const test = system("provisioning", uuid(), "test");
    const externalId = this.externalId(live.tenantId, tenant);
    if (externalId && !(await this.reservations.reserve(externalId))) return null;
    try {
      await this.members.reserveEmail(live.tenantId, tenant.owner);
      await this.homes.place(live.tenantId, test.tenantId);
      return await this.make(live, test, tenant, passwordHash);
    } catch (error) {
      // Only here is it certain that nothing was made.
      if (externalId && error instanceof ConflictException) await this.reservations.release(externalId);
      throw error;
    }
  }

  private make(
    live: SystemCaller,
    test: SystemCaller,
    tenant: NewTenant,
    passwordHash: string | null,
  ): Promise<CreatedTenant | null> {
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

  private externalId(organisationId: string, { externalId }: NewTenant): Unique | undefined {
    const isHeldBy = async (holder: string): Promise<boolean> => {
      const found = await this.db.all(FIND_TENANT_BY_EXTERNAL_ID, { externalId: externalId! });
      return found.some(({ id }) => id === holder);
    };
    return externalId === undefined ? undefined : { kind: "external id", value: externalId, organisationId, isHeldBy };
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
