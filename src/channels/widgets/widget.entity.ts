import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Now, TenantId, Text, Uuid } from "../../platform/database/columns.js";

export type WidgetKind = "kb" | "contact_form";

/** A search box or a contact form on a customer's web pages, for anyone to use. */
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
  /** The channel of a form's messages. */
  @Uuid({ nullable: true }) channelId: string | null;
  @Text() name: string;
  /** Names the widget on pages. Not a secret. */
  @Text() publicKey: string;
  /** Empty: any origin. */
  @Text({ array: true, default: () => `'{}'` }) allowedOrigins: string[];
  @Column({ type: "jsonb" }) settings: object;
  @Column({ type: "boolean", default: true }) enabled: boolean;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** Finds a widget by its public key, before its tenant is known. */
@Entity("widget_lookup")
@ForeignKey("widget", ["tenantId", "widgetId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("widget_lookup_widget", ["tenantId", "widgetId"], { unique: true })
export class WidgetLookupEntity {
  @PrimaryColumn({ type: "text" }) publicKey: string;
  @Uuid() tenantId: string;
  @Uuid() widgetId: string;
}
