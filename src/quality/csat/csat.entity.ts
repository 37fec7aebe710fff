import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

/** How many answers a survey offers; the lowest is 1. */
export const SCALES = namedEnum("CsatScale", "The highest score of a survey.", [2, 5, 10]);
export type Scale = (typeof SCALES)[number];

/** Whether and how a workspace asks for ratings. Without a row, the defaults of `PutCsatConfigDto` apply. */
@Entity("csat_config")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Check("csat_config_scale", isOneOf("scale", SCALES))
@Check("csat_config_delay", "delay_minutes between 0 and 10080")
@Check("csat_config_frequency", "ask_once_per_days between 0 and 365")
@Check("csat_config_threshold", "low_score_threshold >= 1 and low_score_threshold < scale")
export class CsatConfigEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) workspaceId: string;
  @Column({ type: "boolean" }) enabled: boolean;
  @Column({ type: "smallint" }) scale: Scale;
  @Int() delayMinutes: number;
  @Int() askOncePerDays: number;
  @Column({ type: "smallint" }) lowScoreThreshold: number;
  /** By language, ISO 639-1. */
  @Column({ type: "jsonb" }) questions: Record<string, string>;
}

/** The queue of resolved conversations whose contact may be asked, across all tenants: ids and times only. */
@Entity("csat_due")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("csat_due_next", ["dueAt"])
@Index("csat_due_turn", ["tenantId", "dueAt"])
export class CsatDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  @Time() dueAt: Date;
}

/** A survey of a contact, with their answer if there is one. It has the id of the message that carries its link. */
@Entity("csat_survey")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("csat_survey_of_contact", ["tenantId", "contactId", "workspaceId", "askedAt"])
@Index("csat_survey_of_conversation", ["tenantId", "conversationId", "ratedAt", "id"])
@Index("csat_survey_rated", ["tenantId", "workspaceId", "ratedAt", "id"], { where: "rated_at is not null" })
@Check("csat_survey_scale", isOneOf("scale", SCALES))
@Check("csat_survey_score", "score between 1 and scale")
@Check("csat_survey_answer", "(score is null) = (rated_at is null) and (comment is null or rated_at is not null)")
@Check("csat_survey_not_sent", "not_sent is null or rated_at is null")
export class CsatSurveyEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Uuid() conversationId: string;
  @Uuid() contactId: string;
  @Uuid() channelId: string;
  /**
   * Who the answer is counted for, as of the time of asking: the assignee, otherwise the last member who wrote; the agents
   * that wrote; the KB entries that were cited.
   */
  @Uuid({ nullable: true }) memberId: string | null;
  @Uuid({ array: true }) agentIds: string[];
  @Uuid({ array: true }) kbEntryIds: string[];
  /** As of the time of asking, whatever the workspace configures later. */
  @Column({ type: "smallint" }) scale: Scale;
  @Column({ type: "smallint" }) lowScoreThreshold: number;
  @Text() question: string;
  /** The languages of the question and of the rest of the page; ISO 639-1. */
  @Text() questionLanguage: string;
  @Text() language: string;
  @Time({ default: () => "clock_timestamp()" }) askedAt: Date;
  @Time() expiresAt: Date;
  /** Why it could not be sent. Null: it was sent. */
  @Text({ nullable: true }) notSent: string | null;
  @Column({ type: "smallint", nullable: true }) score: number | null;
  @Text({ nullable: true }) comment: string | null;
  @Time({ nullable: true }) ratedAt: Date | null;
}
