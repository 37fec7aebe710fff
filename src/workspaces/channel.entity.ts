import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";

export const CHANNEL_TYPES = ["webchat", "email", "sms", "voice", "contact_form", "api"] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];
export const CHANNEL_STATUSES = ["provisioning", "active", "error", "disabled"] as const;
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number];

@Entity("channel")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check("channel_type", `type in ('webchat', 'email', 'sms', 'voice', 'contact_form', 'api')`)
@Check("channel_status", `status in ('provisioning', 'active', 'error', 'disabled')`)
@Check("channel_credentials", "(credentials is null) = (credential_fingerprint is null)")
@Index("channel_of_workspace", ["tenantId", "workspaceId"])
export class ChannelEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Text() type: ChannelType;
  @Text() name: string;
  @Text({ default: "active" }) status: ChannelStatus;
  /** Where contacts reach it: an email address, a phone number, or a public key. */
  @Text({ nullable: true }) address: string | null;
  @Column({ type: "jsonb", default: () => `'{}'` }) settings: object;
  /** Sealed. */
  @Column({ type: "bytea", nullable: true }) credentials: Buffer | null;
  @Text({ nullable: true }) credentialFingerprint: string | null;
  /** Whether our messages leave through it, rather than wait to be fetched. */
  @Column({ type: "boolean", default: false }) delivers: boolean;
  /** Whether API keys fetch our messages and pass them on to the contact. */
  @Column({ type: "boolean", default: false }) fetched: boolean;
  /** Counts what was set anew: whatever was found out about an older revision is no longer true. */
  @Int({ default: 1 }) revision: number;
  /** How often it was tried in vain since it last worked, or since something was set anew. */
  @Int({ default: 0 }) attempts: number;
  @Text({ nullable: true }) lastError: string | null;
  @Time({ nullable: true }) nextRetryAt: Date | null;
  /** Since when nothing that was to leave through it was taken. */
  @Time({ nullable: true }) failingSince: Date | null;
  @Column({ type: "jsonb", nullable: true }) lastTest: object | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** Channels, of all tenants, that are to be made ready, or looked at again: ids and times only, for the job to claim. */
@Entity("channel_due")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("channel_due_next", ["dueAt"])
export class ChannelDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) channelId: string;
  /** Not before then; while one process is at it, the end of its lease. */
  @Time({ default: () => "now()" }) dueAt: Date;
}
