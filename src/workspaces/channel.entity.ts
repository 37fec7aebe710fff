import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";
import { isOneOf, namedEnum } from "../platform/enums/named-enum.js";

export const CHANNEL_TYPES = namedEnum("ChannelType", "The medium of a channel.", [
  "webchat",
  "email",
  "sms",
  "voice",
  "contact_form",
  "api",
]);
export type ChannelType = (typeof CHANNEL_TYPES)[number];
export const CHANNEL_STATUSES = namedEnum("ChannelStatus", "Whether a channel works.", [
  "provisioning",
  "active",
  "error",
  "disabled",
]);
export type ChannelStatus = (typeof CHANNEL_STATUSES)[number];
export const MAIL_CHECKS = namedEnum("MailCheckResult", "What receivers find of one check of a mailbox's mails.", {
  pass: "They accept mails of the channel.",
  fail: "They do not, or what they ask for is missing.",
  unknown: "It could not be found out.",
});
export type MailCheck = (typeof MAIL_CHECKS)[number];

/** Times are in ISO 8601. */
export interface ChannelSignIn {
  /** The account; null until somebody has signed in. */
  account: string | null;
  since: string | null;
  /** When the provider ended it. */
  endedAt: string | null;
  /** Why the last attempt failed, or why it ended, for people to read. */
  error: string | null;
}

@Entity("channel")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check("channel_type", isOneOf("type", CHANNEL_TYPES))
@Check("channel_status", isOneOf("status", CHANNEL_STATUSES))
@Check("channel_credentials", "(credentials is null) = (credential_fingerprint is null)")
@Index("channel_of_workspace", ["tenantId", "workspaceId"])
export class ChannelEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Text() type: ChannelType;
  @Text() name: string;
  @Text({ default: "active" }) status: ChannelStatus;
  /** The email address, phone number or public key through which contacts reach it. */
  @Text({ nullable: true }) address: string | null;
  @Column({ type: "jsonb", default: () => `'{}'` }) settings: object;
  /** Encrypted with the master key. */
  @Column({ type: "bytea", nullable: true }) credentials: Buffer | null;
  @Text({ nullable: true }) credentialFingerprint: string | null;
  /** Who has signed in to it, for channels that somebody signs in to. */
  @Column({ type: "jsonb", nullable: true }) signIn: ChannelSignIn | null;
  /** When the newest sign-in was begun that came back. Each counts once, and none after a newer one. */
  @Time({ nullable: true }) signInBegunAt: Date | null;
  /** What the sign-in brought, encrypted with the master key. */
  @Column({ type: "bytea", nullable: true }) tokens: Buffer | null;
  /** Until then one process renews the tokens. */
  @Time({ nullable: true }) renewingUntil: Date | null;
  /** Whether outgoing messages are sent through it. Otherwise they wait to be fetched. */
  @Column({ type: "boolean", default: false }) delivers: boolean;
  /** Whether API keys fetch our messages and pass them on to the contact. */
  @Column({ type: "boolean", default: false }) fetched: boolean;
  /** Markdown below mails of whoever has no signature of their own. */
  @Text({ nullable: true }) signature: string | null;
  /** Counts changes of the settings and credentials. A result about an older revision no longer applies. */
  @Int({ default: 1 }) revision: number;
  /** Failed attempts since the channel last worked, or since its settings changed. */
  @Int({ default: 0 }) attempts: number;
  @Text({ nullable: true }) lastError: string | null;
  @Time({ nullable: true }) nextRetryAt: Date | null;
  /** Since when no message could be sent through it. */
  @Time({ nullable: true }) failingSince: Date | null;
  @Column({ type: "jsonb", nullable: true }) lastTest: object | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** The channels of all tenants that are to be provisioned or checked. Jobs claim them, so it holds only ids and times. */
@Entity("channel_due")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("channel_due_next", ["dueAt"])
@Index("channel_due_turn", ["tenantId", "dueAt"])
export class ChannelDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) channelId: string;
  /** When it is due. While a process works on it, the end of the process's lease. */
  @Time({ default: () => "now()" }) dueAt: Date;
}
