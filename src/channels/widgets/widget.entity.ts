import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Now, TenantId, Text, Uuid } from "../../platform/database/columns.js";

export type WidgetKind = "kb" | "contact_form";

/** What stands on pages of others, in which anybody searches or writes. */
@Entity("widget")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("widget_of_workspace", ["tenantId", "workspaceId", "kind", "createdAt"])
@Index("widget_of_channel", ["tenantId", "channelId"], { where: "channel_id is not null" })
@Check("widget_kind", `kind in ('kb', 'contact_form')`)
@Check("widget_channel", `(kind = 'contact_form') = (channel_id is not null)`)
export class WidgetEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Text() kind: WidgetKind;
  /** Where a form's messages come in. */
  @Uuid({ nullable: true }) channelId: string | null;
  @Text() name: string;
  /** Names it on pages. It is no secret. */
  @Text() publicKey: string;
  /** Empty: pages of any. */
  @Text({ array: true, default: () => `'{}'` }) allowedOrigins: string[];
  @Column({ type: "jsonb" }) settings: object;
  @Column({ type: "boolean", default: true }) enabled: boolean;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** Finds a widget, whose tenant is not known before, by what names it on pages. */
@Entity("widget_lookup")
@ForeignKey("widget", ["tenantId", "widgetId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("widget_lookup_widget", ["tenantId", "widgetId"], { unique: true })
export class WidgetLookupEntity {
  @PrimaryColumn({ type: "text" }) publicKey: string;
  @Uuid() tenantId: string;
  @Uuid() widgetId: string;
}
