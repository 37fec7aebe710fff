import { Check, Column, Entity, PrimaryColumn } from "typeorm";
import { TenantId, Text, Time, Uuid } from "../platform/database/columns.js";

export const CHANGES = ["created", "updated", "deleted", "merged", "erased"] as const;
export type Change = (typeof CHANGES)[number];

const Position = (): PropertyDecorator => PrimaryColumn({ type: "bigint" });

/**
 * One change of one resource, without its content. Only triggers write rows. They are ordered by `transactionId`, then by
 * position, and a row may be read once every transaction with this number or a lower one has ended.
 */
@Entity("resource_change")
@Check("resource_change_change", `change in ('created', 'updated', 'deleted', 'merged', 'erased')`)
export class ResourceChangeEntity {
  @TenantId() tenantId: string;
  @Position() transactionId: string;
  @Position() position: string;
  /** The transaction that wrote the row. Its number is `transactionId` or a lower one. */
  @Column({ type: "bigint" }) writtenBy: string;
  @Time() at: Date;
  @Text() change: Change;
  @Text() resourceType: string;
  @Uuid() resourceId: string;
  @Uuid({ nullable: true }) workspaceId: string | null;
  @Uuid({ nullable: true }) conversationId: string | null;
  /** What events say of the resource as it was then: numbers, ids and states, never text. */
  @Column({ type: "jsonb", nullable: true }) state: object | null;
}

/** Behind which position the feed of a side is whole. */
@Entity("resource_change_floor")
export class ResourceChangeFloorEntity {
  @TenantId() tenantId: string;
  @Column({ type: "bigint" }) transactionId: string;
  @Column({ type: "bigint" }) position: string;
}
