import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { type Sealer, Sealers } from "../../platform/database/seal.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import { OutboundClient, OutboundError } from "../../platform/outbound/outbound.client.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import { isBuiltIn } from "./built-in.js";
import { ToolEntity } from "./tool.entity.js";
import type { CreateToolDto, ToolCredentialsDto, ToolDto, UpdateToolDto } from "./tools.dto.js";
import { COUNT_TOOLS, GET_TOOL, LIST_TOOLS } from "./tools.queries.js";

const MAX_TOOLS = 200;

@Injectable()
export class ToolsService {
  private readonly sealer: Sealer;

  constructor(
    private readonly db: Database,
    private readonly outbound: OutboundClient,
    sealers: Sealers,
  ) {
    this.sealer = sealers.for("tools");
  }

  list(caller: Caller, workspaceId: string, { limit = 25, cursor }: PagingDto): Promise<Json<Page<ToolDto>>> {
    return this.db.page(caller, LIST_TOOLS, { workspaceId }, { limit, cursor });
  }

  /** @throws NotFoundException (the workspace), BadRequestException (a URL), ConflictException: the name is taken, or there are too many */
  create(
    caller: Caller,
    workspaceId: string,
    { credentials = null, statusUrl = null, ...body }: CreateToolDto,
  ): Promise<Json<ToolDto>> {
    this.assertCallable(body.url, statusUrl);
    return this.db.transaction(caller, async (tx) => {
      await tx.findOrThrow(WorkspaceEntity, { id: workspaceId }, { lock: "no key update" });
      tx.changesWorkspace(workspaceId);
      const [{ count } = { count: 0 }] = await tx.query(COUNT_TOOLS, { workspaceId });
      if (count >= MAX_TOOLS) throw new ConflictException(`There are ${MAX_TOOLS} tools already`);
      const id = uuid();
      const values = { ...DEFAULTS, ...body, statusUrl, sealed: this.seal(credentials, caller.tenantId, id) };
      if (isBuiltIn(body.name)) throw new ConflictException("Parley has a tool of its own with this name");
      if (!(await tx.insertOrIgnore(ToolEntity, { id, workspaceId, ...values })))
        throw new ConflictException("Another tool of the workspace has this name");
      return (await tx.read(GET_TOOL, { id })).created();
    });
  }

  /** A change makes a new version, also for calls that wait. @throws NotFoundException, BadRequestException (a URL) */
  update(caller: Caller, id: string, { credentials, ...changes }: UpdateToolDto): Promise<Json<ToolDto>> {
    return this.db.transaction(caller, async (tx) => {
      const before = await tx.findOrThrow(ToolEntity, { id }, { lock: "no key update" });
      tx.changesWorkspace(before.workspaceId);
      const { url = before.url, statusUrl = before.statusUrl } = changes;
      if (changes.url !== undefined || changes.statusUrl !== undefined) this.assertCallable(url, statusUrl);
      // Credentials are kept only for the same host. Otherwise an admin could read them by pointing the tool elsewhere.
      const moved = new URL(url).origin !== new URL(before.url).origin;
      const sealed =
        credentials !== undefined ? this.seal(credentials, caller.tenantId, id) : moved ? null : before.sealed;
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      if (Object.keys(given).length || sealed !== before.sealed)
        await tx.update(
          ToolEntity,
          { id },
          { ...given, sealed, version: before.version + 1, updatedAt: () => "clock_timestamp()" },
        );
      return tx.read(GET_TOOL, { id });
    });
  }

  /** @throws NotFoundException */
  delete(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const { workspaceId } = await tx.findOrThrow(ToolEntity, { id }, { lock: "update" });
      tx.changesWorkspace(workspaceId);
      if (!(await tx.delete(ToolEntity, { id }))) throw notFound();
      return ok();
    });
  }

  /** The whole `Authorization` header. */
  authorizationOf(tenantId: string, { id, sealed }: { id: string; sealed: Buffer | null }): string | null {
    return sealed && this.sealer.open<ToolCredentialsDto>(sealed, tenantId + id).authorization;
  }

  private seal(credentials: ToolCredentialsDto | null, tenantId: string, id: string): Buffer | null {
    return credentials && this.sealer.seal(credentials, tenantId + id);
  }

  /** @throws BadRequestException */
  private assertCallable(url: string, statusUrl: string | null): void {
    const target = this.targetOf("url", url);
    // It gets the same credentials.
    if (statusUrl !== null && this.targetOf("statusUrl", statusUrl).origin !== target.origin)
      throw new BadRequestException("statusUrl must be on the same host as url");
  }

  private targetOf(field: string, url: string): URL {
    try {
      return this.outbound.registrable(url);
    } catch (error) {
      if (error instanceof OutboundError) throw new BadRequestException(`${field}: ${error.message}`);
      throw error;
    }
  }
}

const DEFAULTS = { idempotent: false, publicFields: [] as string[], timeoutSeconds: 10, expiresAfterHours: 24 };
