import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Int, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";

/** How far the inbox of an email channel has been read, or what a provider has sent. */
@Entity("mailbox")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class MailboxEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) channelId: string;
  /** The account, hashed, and its UIDVALIDITY: the UIDs are valid only with these. Null until the inbox was first opened. */
  @Text({ nullable: true }) validity: string | null;
  /** Mails up to this UID have been read. */
  @Column({ type: "bigint", default: 0 }) lastUid: string;
  /** When the newest mail that was read arrived on the server. Before the first mail: when the inbox was first opened. */
  @Time({ default: () => "now()" }) newestAt: Date;
  /** When reading began to fail. */
  @Time({ nullable: true }) failingSince: Date | null;
  /** The mail that was parsed last, recorded before it is parsed: parsing it may end the process. */
  @Column({ type: "bigint", nullable: true }) readingUid: string | null;
  /** How often that was begun without success. */
  @Int({ default: 0 }) readingAttempts: number;
  /** Where Microsoft Graph goes on, if it reads the mailbox: the link to the next page, or to the next changes. Then `lastUid` does not count. */
  @Text({ nullable: true }) deltaLink: string | null;
  /** Of the mails that this link leads to, those that have been read. */
  @Column({ type: "bigint", array: true, default: [] }) deltaRead: string[];
  /** When a provider last sent something by webhook. Null until it has. */
  @Time({ nullable: true }) webhookAt: Date | null;
  /** Why that brought no mail, for people to read. */
  @Text({ nullable: true }) webhookError: string | null;
}

/** The mailboxes of active channels, of all tenants. Triggers add and remove the rows. */
@Entity("mailbox_lease")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("mailbox_lease_of_holder", ["holder"])
export class MailboxLeaseEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) channelId: string;
  /** The process that reads the mailbox; null if none does. */
  @Uuid({ nullable: true }) holder: string | null;
  /** The end of the lease, which the holder renews. After it the holder closes the mailbox; a while later others may claim it. */
  @Time({ default: () => "now()" }) heldUntil: Date;
}
