import { Column, Entity, ForeignKey, PrimaryColumn } from "typeorm";

/** Finds the tenant of a channel that a webhook names. Ids only, because it is read before the tenant is known. */
@Entity("channel_lookup")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class ChannelLookupEntity {
  @PrimaryColumn({ type: "uuid" }) channelId: string;
  @Column({ type: "uuid" }) tenantId: string;
}
