import { ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { ApiKeysService } from "../auth/api-keys/api-keys.service.js";
import type { Caller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { sql, TENANT } from "../platform/database/sql.js";
import { list, one, polled, projection, REACHABLE, time } from "../platform/database/statement.js";
import * as statements from "../platform/database/statements.js";
import type { Tx } from "../platform/database/transaction.js";
import { notFound } from "../platform/http/errors.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { type Json, type Ok, ok } from "../platform/http/json.js";
import { CHANNEL, type ChannelDto } from "./channel.dto.js";
import type {
  BrandDto,
  CreateBrandDto,
  CreateWorkspaceDto,
  UpdateBrandDto,
  UpdateWorkspaceDto,
  WorkspaceDto,
  WorkspaceSummaryDto,
} from "./workspaces.dto.js";
import { PrimaryLanguageChanged, WorkspaceCreated } from "./workspace-events.js";
import { BrandEntity, WORKSPACE_STATUSES, WorkspaceEntity, type WorkspaceStatus } from "./workspace.entity.js";

const MOVES: Record<WorkspaceStatus, readonly WorkspaceStatus[]> = {
  active: ["inactive", "archived"],
  inactive: ["active", "archived"],
  archived: ["inactive"],
};

const SUMMARY: Record<keyof WorkspaceSummaryDto, string> = {
  id: "w.id",
  name: "w.name",
  status: "w.status",
  brandId: "w.brand_id",
  brandName: "b.name",
  primaryLanguage: "w.primary_language",
};
const FULL: Record<keyof WorkspaceDto, string> = {
  ...SUMMARY,
  timezone: "w.timezone",
  assistantEnabled: "w.assistant_enabled",
  identityRetentionMonths: "w.identity_retention_months",
  createdAt: time("w.created_at"),
  updatedAt: time("w.updated_at"),
};
const FROM = `from workspace w join brand b on b.tenant_id = w.tenant_id and b.id = w.brand_id where ${REACHABLE}`;
const LIST = polled(
  list<WorkspaceSummaryDto>(
    "workspaces.list",
    "workspace",
    `select ${projection<WorkspaceSummaryDto>(SUMMARY)} ${FROM} order by w.created_at, w.id`,
  ),
);
const GET = polled(
  one<WorkspaceDto, { id: string }>(
    "workspaces.get",
    "workspace",
    `select ${projection<WorkspaceDto>(FULL)} ${FROM} and w.id = :id`,
  ),
);

const CHANNELS = statements.list<ChannelDto, { id: string }>("workspaces.channels", "restricted", ({ id }) => ({
  rows: sql`
    select ${CHANNEL} from channel c
    where c.tenant_id = ${TENANT} and c.workspace_id = ${id} and ${statements.inReach("c")}
    order by c.created_at, c.id`,
  visible: sql`exists (select from workspace w where w.id = ${id} and ${statements.REACHABLE})`,
}));

const BRAND = projection<BrandDto>({
  id: "b.id",
  name: "b.name",
  createdAt: time("b.created_at"),
  updatedAt: time("b.updated_at"),
});
const BRANDS = list<BrandDto>(
  "brands.list",
  "workspace",
  `select ${BRAND} from brand b where b.tenant_id = :tenant and (:brand::uuid is null or b.id = :brand)
  and (:workspaces::uuid[] is null or exists (select from workspace w where w.brand_id = b.id and ${REACHABLE})) order by b.created_at, b.id`,
);
const GET_BRAND = one<BrandDto, { id: string }>(
  "brands.get",
  { none: "read back by the admin who wrote it" },
  `select ${BRAND} from brand b where b.tenant_id = :tenant and b.id = :id`,
);

@Injectable()
export class WorkspacesService {
  constructor(
    private readonly db: Database,
    private readonly keys: ApiKeysService,
    private readonly events: DomainEvents,
  ) {}

  list(caller: Caller): Promise<Json<WorkspaceSummaryDto[]>> {
    return this.db.read(caller, LIST, {});
  }

  get(caller: Caller, id: string): Promise<Json<WorkspaceDto>> {
    return this.db.read(caller, GET, { id });
  }

  channels(caller: Caller, id: string): Promise<Json<ChannelDto[]>> {
    return this.db.read(caller, CHANNELS, { id });
  }

  brands(caller: Caller): Promise<Json<BrandDto[]>> {
    return this.db.read(caller, BRANDS, {});
  }

  createBrand(caller: Caller, body: CreateBrandDto): Promise<Json<BrandDto>> {
    return this.db.transaction(caller, async (tx) =>
      (await tx.read(GET_BRAND, { id: await this.addBrand(tx, body.name) })).created(),
    );
  }

  updateBrand(caller: Caller, id: string, { name }: UpdateBrandDto): Promise<Json<BrandDto>> {
    return this.db.transaction(caller, async (tx) => {
      if (name !== undefined) await tx.update(BrandEntity, { id }, { name, updatedAt: () => "now()" });
      return tx.read(GET_BRAND, { id });
    });
  }

  async addBrand(tx: Tx, name: string): Promise<string> {
    const id = uuid();
    await tx.insert(BrandEntity, { id, name });
    return id;
  }

  /** @throws NotFoundException (the brand; or out of the caller's reach, which a key for one workspace always is) */
  create(caller: Caller, body: CreateWorkspaceDto): Promise<Json<WorkspaceDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { reach } = caller;
      if (reach.level === "workspaces" || (reach.level === "brand" && reach.brandId !== body.brandId)) throw notFound();
      await tx.findOrThrow(BrandEntity, { id: body.brandId });
      return (await tx.read(GET, { id: await this.add(tx, body) })).created();
    });
  }

  /** Adds a workspace. The channels feature adds the channels that each workspace has. */
  async add(tx: Tx, { brandId, name, primaryLanguage = "en", timezone = "UTC" }: CreateWorkspaceDto): Promise<string> {
    const id = uuid();
    await tx.insert(WorkspaceEntity, { id, brandId, name, primaryLanguage, timezone });
    await this.events.publish(tx, new WorkspaceCreated(id));
    return id;
  }

  /** @throws NotFoundException, ConflictException (a move that there is not) */
  update(caller: Caller, id: string, body: UpdateWorkspaceDto): Promise<Json<WorkspaceDto>> {
    const { name, primaryLanguage, timezone, assistantEnabled, status } = body;
    const from = status && WORKSPACE_STATUSES.filter((one) => one === status || MOVES[one].includes(status));
    return this.db.transaction(caller, async (tx) => {
      // The row is locked first, so that `before` is what the update replaces.
      const [changed] = await tx.query<{ languageChanged: boolean }>(
        `update workspace w set name = coalesce(:name, w.name), primary_language = coalesce(:primaryLanguage, w.primary_language), timezone = coalesce(:timezone, w.timezone),
          assistant_enabled = coalesce(:assistantEnabled, w.assistant_enabled), status = coalesce(:status, w.status), updated_at = now()
        from (select id, primary_language from workspace where tenant_id = :tenant and id = :id for no key update) before
        where w.tenant_id = :tenant and w.id = before.id and ${REACHABLE} and (:from::text[] is null or w.status = any(:from))
        returning w.primary_language <> before.primary_language as "languageChanged"`,
        { id, name, primaryLanguage, timezone, assistantEnabled, status, from },
      );
      // Whoever is writing into it has come to an end when this has the lock; whoever comes later finds it archived.
      if (changed && status === "archived")
        await tx.query("select pg_advisory_xact_lock(hashtextextended(:id::uuid::text, 0))", { id });
      if (primaryLanguage && changed?.languageChanged)
        await this.events.publish(tx, new PrimaryLanguageChanged(id, primaryLanguage));
      const workspace = await tx.read(GET, { id });
      if (!changed)
        throw new ConflictException(`The workspace is ${workspace.parse().status}: it cannot become ${status}`);
      return workspace;
    });
  }

  /** Gone for everybody when this answers, whatever its size; the purge frees the rows afterwards. */
  remove(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const [gone] = await tx.query(
        `update workspace w set deleted_at = now() where w.id = :id and ${REACHABLE} returning w.id`,
        { id },
      );
      if (!gone) throw notFound();
      await tx.query("insert into purge_queue (tenant_id, workspace_id) values (:tenant, :id)", { id });
      await this.keys.revokeOfWorkspace(tx, id);
      return ok();
    });
  }
}
