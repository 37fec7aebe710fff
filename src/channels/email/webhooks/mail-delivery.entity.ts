import { Column, Entity, ForeignKey, PrimaryColumn } from "typeorm";
import { Int, Now, TenantId, Text } from "../../../platform/database/columns.js";

/** A mail that a provider has sent us, by a webhook. */
@Entity("mail_delivery")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class MailDeliveryEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) channelId: string;
  /** SHA-256 of the mail. */
  @PrimaryColumn({ type: "text" }) content: string;
  /** How often it was begun: parsing it may end the process. */
  @Int({ default: 1 }) attempts: number;
  /** Whether it is in. */
  @Column({ type: "boolean", default: false }) stored: boolean;
  @Now() createdAt: Date;
}

/** A token that a provider has signed in place of a mail. It goes with the mail that it came with first. */
@Entity("mail_token")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class MailTokenEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) channelId: string;
  @PrimaryColumn({ type: "text" }) token: string;
  /** SHA-256 of the mail. */
  @Text() content: string;
  @Now() createdAt: Date;
}
