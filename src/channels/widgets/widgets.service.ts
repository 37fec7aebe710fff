import { randomBytes } from "node:crypto";
import { ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller } from "../../platform/caller/caller.js";
import { ChannelsService } from "../channels.service.js";
import { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { inReach, list, one, polled, projection, query, REACHABLE, time } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ARCHIVED, notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { ChannelEntity } from "../../workspaces/channel.entity.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";

import { WidgetEntity, type WidgetKind, WidgetLookupEntity } from "./widget.entity.js";
import type {
  ContactFormWidgetDto,
  CreateContactFormWidgetDto,
  CreateKbWidgetDto,
  KbWidgetDto,
  UpdateContactFormWidgetDto,
  UpdateKbWidgetDto,
} from "./widgets.dto.js";

/** The DTOs of each kind. */
interface Kinds {
  kb: { create: CreateKbWidgetDto; update: UpdateKbWidgetDto; shown: KbWidgetDto };
  contact_form: { create: CreateContactFormWidgetDto; update: UpdateContactFormWidgetDto; shown: ContactFormWidgetDto };
}

type Widget = KbWidgetDto | ContactFormWidgetDto;
/** A widget `r`. */
const WIDGET = projection<Widget>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  kind: sql`r.kind`,
  name: sql`r.name`,
  publicKey: sql`r.public_key`,
  allowedOrigins: sql`r.allowed_origins`,
  settings: sql`r.settings`,
  enabled: sql`r.enabled`,
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});

const LIST = polled(
  list<Widget, { workspaceId: string; kind: WidgetKind }>("widgets.list", "restricted", ({ workspaceId, kind }) => ({
    rows: sql`
      select ${WIDGET} from widget r
      where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId} and r.kind = ${kind}
      order by r.created_at, r.id`,
    visible: sql`exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})`,
  })),
);
const GET = one<Widget, { id: string }>(
  "widgets.get",
  "restricted",
  ({ id }) => sql`
    select ${WIDGET} from widget r
    where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
);

/** Two forms that are created at the same time share one channel. */
const LOCK_FORM_CHANNEL = query<{ workspaceId: string }>()(
  "widgets.lockFormChannel",
  { unrestricted: "a lock shows nothing" },
  ({ workspaceId }) => sql`
    select pg_advisory_xact_lock(hashtextextended('contact form ' || ${workspaceId}::uuid, 0))
    where ${TENANT}::uuid is not null`,
);

/** 144 random bits: unique, and impossible to guess. */
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
      tx.changesWorkspace(workspaceId);
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
      await tx.insert(WidgetLookupEntity, { publicKey, widgetId: id });
      return (await tx.read(GET, { id })).created();
    });
  }

  /** The workspace's first channel for forms. The first form creates it. */
  private async formChannel(tx: Tx, workspaceId: string): Promise<string> {
    await tx.query(LOCK_FORM_CHANNEL, { workspaceId });
    const known = await tx.findOne(
      ChannelEntity,
      { workspaceId, type: "contact_form" },
      { order: { createdAt: "ASC", id: "ASC" } },
    );
    return known?.id ?? this.channels.add(tx, workspaceId, { type: "contact_form", name: "Contact form" });
  }

  update<Kind extends WidgetKind>(
    caller: Caller,
    kind: Kind,
    id: string,
    { name, allowedOrigins, settings, enabled }: Kinds[Kind]["update"],
  ): Promise<Json<Kinds[Kind]["shown"]>> {
    return this.db.transaction(caller, async (tx) => {
      const [changed] = await tx.updateReturning(
        WidgetEntity,
        { id, kind },
        { name, allowedOrigins, settings, enabled, updatedAt: () => "now()" },
        ["workspaceId"],
      );
      if (!changed) throw notFound();
      tx.changesWorkspace(changed.workspaceId);
      return await tx.read(GET, { id });
    });
  }

  /** Keeps what came in through the widget. */
  remove(caller: Caller, kind: WidgetKind, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const [deleted] = await tx.deleteReturning(WidgetEntity, { id, kind }, ["workspaceId"]);
      if (!deleted) throw notFound();
      tx.changesWorkspace(deleted.workspaceId);
      return ok();
    });
  }
}
