import { Check, Column, Entity, ForeignKey, PrimaryColumn } from "typeorm";
import { Id, TenantId } from "../../platform/database/columns.js";
import { isOneOf } from "../../platform/enums/named-enum.js";

/** What happened, of which finished days are packed. What is `open` was opened on the day and has not been closed. */
export const DAY_KINDS = ["opened", "open", "closed", "replied", "began", "settled", "handed_over", "rated"] as const;
export type DayKind = (typeof DAY_KINDS)[number];

/**
 * What happened in a workspace on a finished day (UTC), packed: one value for each row of `open_time`, `reply_time`,
 * `assistant_time`, `hand_over` or `csat_survey`. `ReportDaysJob` writes them, and `report-days.ts` says what is in the bytes.
 */
@Entity("report_day")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check("report_day_kind", isOneOf("kind", DAY_KINDS))
export class ReportDayEntity {
  @TenantId() tenantId: string;
  @Id() workspaceId: string;
  @PrimaryColumn({ type: "text" }) kind: DayKind;
  @PrimaryColumn({ type: "date" }) day: string;
  @Column({ type: "bytea" }) moments: Buffer;
  @Column({ type: "bytea", nullable: true }) seconds: Buffer | null;
  /** For each grouping, which of its keys each row has. */
  @Column({ type: "bytea" }) channel: Buffer;
  @Column({ type: "json" }) channelKeys: (string | null)[];
  @Column({ type: "bytea" }) member: Buffer;
  @Column({ type: "json" }) memberKeys: (string | null)[];
  @Column({ type: "bytea" }) label: Buffer;
  /** The labels of a conversation together are one key. */
  @Column({ type: "json" }) labelKeys: (string[] | null)[];
  @Column({ type: "bytea" }) resolution: Buffer;
  @Column({ type: "json" }) resolutionKeys: (string | null)[];
  @Column({ type: "bytea" }) handledBy: Buffer;
  @Column({ type: "json" }) handledByKeys: (string | null)[];
  /** Of hand-overs alone. */
  @Column({ type: "bytea", nullable: true }) reason: Buffer | null;
  @Column({ type: "json", nullable: true }) reasonKeys: (string | null)[] | null;
}

/** All days of a tenant before this one are packed, but for those with a change. A packed day without a row had nothing. */
@Entity("report_day_until")
@ForeignKey("tenant", ["tenantId"], ["id"])
export class ReportDayUntilEntity {
  @TenantId() tenantId: string;
  @Column({ type: "date" }) until: string;
}

/**
 * Something that happened on this day has changed afterwards: what is packed of it does not count. Written in the transaction of the
 * change, and removed by the statement that packs the day again.
 */
@Entity("report_day_change")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class ReportDayChangeEntity {
  @TenantId() tenantId: string;
  @Id() workspaceId: string;
  @PrimaryColumn({ type: "date" }) day: string;
  /** No two changes meet in one row, so none waits for another. */
  @PrimaryColumn({ type: "uuid" }) id: string;
}
