import { ConflictException, Injectable } from "@nestjs/common";
import { IsNull } from "typeorm";
import { v7 as uuid } from "uuid";
import { ApiKeysService } from "../auth/api-keys/api-keys.service.js";
import type { Caller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { notFound } from "../platform/http/errors.js";
import { type Json, type Ok, ok } from "../platform/http/json.js";
import type { ChannelDto } from "./channel.dto.js";
import { PrimaryLanguageChanged, WorkspaceCreated } from "./workspace-events.js";
import {
  BrandEntity,
  PurgeQueueEntity,
  WORKSPACE_STATUSES,
  WorkspaceEntity,
  type WorkspaceStatus,
} from "./workspace.entity.js";
import type {
  BrandDto,
  CreateBrandDto,
  CreateWorkspaceDto,
  UpdateBrandDto,
  UpdateWorkspaceDto,
  WorkspaceDto,
  WorkspaceSummaryDto,
} from "./workspaces.dto.js";
import {
  GET_BRAND,
  GET_WORKSPACE,
  LIST_BRANDS,
  LIST_CHANNELS,
  LIST_WORKSPACES,
  UPDATE_WORKSPACE,
  WAIT_FOR_WRITERS,
} from "./workspaces.queries.js";

const TRANSITIONS: Record<WorkspaceStatus, readonly WorkspaceStatus[]> = {
  active: ["inactive", "archived"],
  inactive: ["active", "archived"],
  archived: ["inactive"],
};

@Injectable()
export class WorkspacesService {
  constructor(
    private readonly db: Database,
    private readonly keys: ApiKeysService,
    private readonly events: DomainEvents,
  ) {}

  list(caller: Caller): Promise<Json<WorkspaceSummaryDto[]>> {
    return this.db.read(caller, LIST_WORKSPACES, {});
  }

  get(caller: Caller, id: string): Promise<Json<WorkspaceDto>> {
    return this.db.read(caller, GET_WORKSPACE, { id });
  }

  channels(caller: Caller, id: string): Promise<Json<ChannelDto[]>> {
    return this.db.read(caller, LIST_CHANNELS, { id });
  }

  brands(caller: Caller): Promise<Json<BrandDto[]>> {
    return this.db.read(caller, LIST_BRANDS, {});
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

  /** @throws NotFoundException: the brand does not exist or is out of reach, as it is for a key of one workspace */
  create(caller: Caller, body: CreateWorkspaceDto): Promise<Json<WorkspaceDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { reach } = caller;
      if (reach.level === "workspaces" || (reach.level === "brand" && reach.brandId !== body.brandId))
        throw notFound("brandId");
      await tx.findOrThrow(BrandEntity, { id: body.brandId }, { field: "brandId" });
      return (await tx.read(GET_WORKSPACE, { id: await this.add(tx, body) })).created();
    });
  }

  /** Adds a workspace. The channels feature adds the channels that each workspace has. */
  async add(tx: Tx, { brandId, name, primaryLanguage = "en", timezone = "UTC" }: CreateWorkspaceDto): Promise<string> {
    const id = uuid();
    await tx.insert(WorkspaceEntity, { id, brandId, name, primaryLanguage, timezone });
    await this.events.publish(tx, new WorkspaceCreated(id));
    return id;
  }

  /**
   * @throws NotFoundException
   * @throws ConflictException: the transition of the status is not allowed
   */
  update(caller: Caller, id: string, body: UpdateWorkspaceDto): Promise<Json<WorkspaceDto>> {
    const { primaryLanguage, status } = body;
    const allowedFrom =
      status && WORKSPACE_STATUSES.filter((one) => one === status || TRANSITIONS[one].includes(status));
    return this.db.transaction(caller, async (tx) => {
      const sets = { setsFooter: body.mailFooter !== undefined, setsLogo: body.mailLogoUrl !== undefined };
      const [changed] = await tx.query(UPDATE_WORKSPACE, { ...body, ...sets, id, allowedFrom });
      if (changed && status === "archived") await tx.query(WAIT_FOR_WRITERS, { id });
      if (primaryLanguage && changed?.languageChanged)
        await this.events.publish(tx, new PrimaryLanguageChanged(id, primaryLanguage));
      const workspace = await tx.read(GET_WORKSPACE, { id });
      if (!changed)
        throw new ConflictException(`The workspace is ${workspace.parse().status}: it cannot become ${status}`);
      return workspace;
    });
  }

  /** The workspace is gone when this answers, whatever its size. A job deletes its rows afterwards. */
  remove(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      // The condition on deletedAt is checked again after a wait for another request that deletes it.
      const deleted = await tx.update(WorkspaceEntity, { id, deletedAt: IsNull() }, { deletedAt: () => "now()" });
      if (!deleted) throw notFound();
      await tx.insert(PurgeQueueEntity, { workspaceId: id });
      await this.keys.revokeOfWorkspace(tx, id);
      return ok();
    });
  }
}
