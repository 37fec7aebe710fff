import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";

/** How far an email channel's inbox was taken in. */
@Entity("mailbox")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class MailboxEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) channelId: string;
  /** Names the account, hashed, and its UIDVALIDITY: what the UIDs are good for. Null until it was opened for the first time. */
  @Text({ nullable: true }) validity: string | null;
  /** Everything up to this UID was taken in. */
  @Column({ type: "bigint", default: 0 }) lastUid: string;
  /** When the newest of them arrived on the server; until there is one, when the mailbox was first opened. */
  @Time({ default: () => "now()" }) newestAt: Date;
  /** Since when it could not be read. */
  @Time({ nullable: true }) failingSince: Date | null;
}

/** The mailboxes, of all tenants, that are to be read: those of active channels. A trigger keeps them so. */
@Entity("mailbox_lease")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("mailbox_lease_of_holder", ["holder"])
export class MailboxLeaseEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) channelId: string;
  /** The process that reads it; null while nobody does. */
  @Uuid({ nullable: true }) holder: string | null;
  /** Until then it is the holder's, who renews it; past it the holder lets go, and when it has not, others take it a while later. */
  @Time({ default: () => "now()" }) heldUntil: Date;
}
