import { randomBytes } from "node:crypto";
import { ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller } from "../../platform/caller/caller.js";
import { ChannelsService } from "../channels.service.js";
import { Database } from "../../platform/database/database.js";
import { inReach, list, one, polled, projection, REACHABLE, time } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED, notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";

import { WidgetEntity, type WidgetKind } from "./widget.entity.js";
import type {
  ContactFormWidgetDto,
  CreateContactFormWidgetDto,
  CreateKbWidgetDto,
  KbWidgetDto,
  UpdateContactFormWidgetDto,
  UpdateKbWidgetDto,
} from "./widgets.dto.js";

/** What each kind is made from, changed by and shown as. */
interface Kinds {
  kb: { create: CreateKbWidgetDto; update: UpdateKbWidgetDto; shown: KbWidgetDto };
  contact_form: { create: CreateContactFormWidgetDto; update: UpdateContactFormWidgetDto; shown: ContactFormWidgetDto };
}

type Widget = KbWidgetDto | ContactFormWidgetDto;
/** A widget `r`. */
const WIDGET = projection<Widget>({
  id: "r.id",
  workspaceId: "r.workspace_id",
  kind: "r.kind",
  name: "r.name",
  publicKey: "r.public_key",
  allowedOrigins: "r.allowed_origins",
  settings: "r.settings",
  enabled: "r.enabled",
  createdAt: time("r.created_at"),
  updatedAt: time("r.updated_at"),
});

const LIST = polled(
  list<Widget, { workspaceId: string; kind: WidgetKind }>(
    "widgets.list",
    "workspace",
    `select ${WIDGET} from widget r where r.tenant_id = :tenant and r.workspace_id = :workspaceId and r.kind = :kind order by r.created_at, r.id`,
    { visible: `exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})` },
  ),
);
const GET = one<Widget, { id: string }>(
  "widgets.get",
  "workspace",
  `select ${WIDGET} from widget r where r.tenant_id = :tenant and r.id = :id and ${inReach("r")}`,
);

/** 144 random bits, so that keys meet nowhere and are not found by trying. */
const mintPublicKey = (): string => `wgt_${randomBytes(18).toString("base64url")}`;

@Injectable()
export class WidgetsService {
  constructor(
    private readonly db: Database,
    private readonly channels: ChannelsService,
  ) {}

  list<Kind extends WidgetKind>(
    caller: Caller,
    kind: Kind,
    workspaceId: string,
  ): Promise<Json<Kinds[Kind]["shown"][]>> {
    return this.db.read(caller, LIST, { workspaceId, kind });
  }

  /** @throws NotFoundException (the workspace), ConflictException (archived) */
  create<Kind extends WidgetKind>(
    caller: Caller,
    kind: Kind,
    workspaceId: string,
    { name, allowedOrigins, settings, enabled }: Kinds[Kind]["create"],
  ): Promise<Json<Kinds[Kind]["shown"]>> {
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
      if (workspace.status === "archived") throw new ConflictException(ARCHIVED);
      tx.within(workspaceId);
      const [id, publicKey] = [uuid(), mintPublicKey()];
      const channelId = kind === "contact_form" ? await this.formChannel(tx, workspaceId) : null;
      await tx.insert(WidgetEntity, {
        id,
        workspaceId,
        kind,
        channelId,
        name,
        publicKey,
        allowedOrigins,
        settings,
        enabled,
      });
      await tx.query("insert into widget_lookup (public_key, tenant_id, widget_id) values (:publicKey, :tenant, :id)", {
        publicKey,
        id,
      });
      return (await tx.read(GET, { id })).created();
    });
  }

  /** The workspace's first channel for forms; two forms made at once make one. */
  private async formChannel(tx: Tx, workspaceId: string): Promise<string> {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('contact form ' || :workspaceId::uuid, 0))`, {
      workspaceId,
    });
    const [known] = await tx.query<{ id: string }>(
      `select id from channel where tenant_id = :tenant and workspace_id = :workspaceId and type = 'contact_form' order by created_at, id limit 1`,
      { workspaceId },
    );
    return known?.id ?? this.channels.add(tx, workspaceId, { type: "contact_form", name: "Contact form" });
  }

  update<Kind extends WidgetKind>(
    caller: Caller,
    kind: Kind,
    id: string,
    { settings, ...body }: Kinds[Kind]["update"],
  ): Promise<Json<Kinds[Kind]["shown"]>> {
    return this.db.transaction(caller, async (tx) => {
      const [changed] = await tx.query<{ workspaceId: string }>(
        `update widget r set name = coalesce(:name, r.name), allowed_origins = coalesce(:allowedOrigins::text[], r.allowed_origins),
          settings = coalesce(:settings::jsonb, r.settings), enabled = coalesce(:enabled::boolean, r.enabled), updated_at = now()
        where r.tenant_id = :tenant and r.id = :id and r.kind = :kind and ${inReach("r")} returning r.workspace_id as "workspaceId"`,
        { ...body, id, kind, settings: settings && JSON.stringify(settings) },
      );
      if (!changed) throw notFound();
      tx.within(changed.workspaceId);
      return await tx.read(GET, { id });
    });
  }

  /** What came in through it stays. */
  remove(caller: Caller, kind: WidgetKind, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const [gone] = await tx.query<{ workspaceId: string }>(
        `delete from widget r where r.tenant_id = :tenant and r.id = :id and r.kind = :kind and ${inReach("r")} returning r.workspace_id as "workspaceId"`,
        { id, kind },
      );
      if (!gone) throw notFound();
      tx.within(gone.workspaceId);
      return ok();
    });
  }
}
