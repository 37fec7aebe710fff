import { Column, Entity, ForeignKey, PrimaryColumn } from "typeorm";

/** Whose a channel is that something comes in for: ids only, for what comes before its tenant is known. */
@Entity("channel_lookup")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class ChannelLookupEntity {
  @PrimaryColumn({ type: "uuid" }) channelId: string;
  @Column({ type: "uuid" }) tenantId: string;
}
