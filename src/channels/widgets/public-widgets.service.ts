import { Injectable } from "@nestjs/common";
import type { Environment, VisitorCaller } from "../../platform/caller/caller.js";
import { beginRequest } from "../../platform/caller/request-context.js";
import { Database } from "../../platform/database/database.js";
import { sql } from "../../platform/database/sql.js";
import { globalQuery } from "../../platform/database/statements.js";
import { notFound } from "../../platform/http/errors.js";
import { PublicCors } from "../../platform/http/public-cors.js";
import type { WidgetKind } from "./widget.entity.js";
import type { ContactFormSettings, KbWidgetSettings } from "./widgets.dto.js";

interface PublicWidget<Settings> {
  id: string;
  tenantId: string;
  environment: Environment;
  workspaceId: string;
  channelId: string | null;
  name: string;
  allowedOrigins: string[];
  settings: Settings;
  /** ISO 639-1. */
  language: string;
}
export type KbWidget = PublicWidget<Required<KbWidgetSettings>>;
export type ContactForm = PublicWidget<Required<ContactFormSettings>> & { channelId: string };

const KEY = /^wgt_[\w-]{24}$/;
/** Finds the widget's tenant and sets it for this statement, so that row-level security shows the widget. */
const FIND = globalQuery<{ key: string; kind: WidgetKind }, { widget: unknown }>()(
  "widgets.findPublic",
  "everywhere",
  ({ key, kind }) => sql`
    with found as materialized (
      select l.tenant_id, l.widget_id, set_config('app.tenant_id', l.tenant_id::text, true) as tenant
      from widget_lookup l
      where l.public_key = ${key}
    )
    select (
      select row_to_json(s)
      from (
        select r.id, r.tenant_id as "tenantId", t.environment, r.workspace_id as "workspaceId",
          r.channel_id as "channelId", r.name, r.allowed_origins as "allowedOrigins", r.settings,
          coalesce(r.settings ->> 'language', w.primary_language) as language
        from widget r
        join tenant t on t.id = r.tenant_id
        join workspace w on w.tenant_id = r.tenant_id and w.id = r.workspace_id
        where r.tenant_id = found.tenant_id and r.id = found.widget_id and r.kind = ${kind} and r.enabled
          and w.deleted_at is null and w.status <> 'archived'
          and not exists (
            select from channel c
            where c.tenant_id = r.tenant_id and c.id = r.channel_id and c.status = 'disabled')
      ) s
    ) as widget
    from found
    where tenant is not null`,
);

/** Finds widgets by the public key that a page names. */
@Injectable()
export class PublicWidgetsService {
  constructor(
    private readonly db: Database,
    origins: PublicCors,
  ) {
    origins.open("/api/public/kb-widgets/", (key, origin) => this.welcomes("kb", key, origin));
    origins.open("/api/public/contact-form-widgets/", (key, origin) => this.welcomes("contact_form", key, origin));
  }

  /** @throws NotFoundException: there is no such widget, it is disabled, or its workspace is archived or deleted */
  async kb(key: string): Promise<KbWidget> {
    return (await this.find<KbWidget>("kb", key)) ?? absent();
  }

  /** @throws NotFoundException, as above, or its channel is disabled */
  async form(key: string): Promise<ContactForm> {
    return (await this.find<ContactForm>("contact_form", key)) ?? absent();
  }

  private async find<Widget extends PublicWidget<unknown>>(kind: WidgetKind, key: string): Promise<Widget | null> {
    if (!KEY.test(key)) return null;
    const [row] = await this.db.lookUp(FIND, { key, kind }, ({ widget }) => (widget as Widget | null)?.tenantId);
    return (row?.widget ?? null) as Widget | null;
  }

  /** Any page may read that a widget does not exist. */
  private async welcomes(kind: WidgetKind, key: string, origin: string): Promise<boolean> {
    const widget = await this.find<KbWidget | ContactForm>(kind, key);
    return !widget?.allowedOrigins.length || widget.allowedOrigins.includes(origin);
  }
}

function absent(): never {
  throw notFound();
}

/** The caller of a widget. Records name the widget's id, because nothing is known about the person. */
export const visitorOf = (
  { id, tenantId, environment, workspaceId }: PublicWidget<unknown>,
  operation: string,
): VisitorCaller =>
  beginRequest(
    {
      kind: "visitor",
      visitorId: id,
      tenantId,
      environment,
      reach: { level: "workspaces", workspaceIds: [workspaceId] },
    },
    operation,
  );
