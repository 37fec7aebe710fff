import { Check, Column, Entity, ForeignKey, Index } from "typeorm";
import { Id, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf } from "../../platform/enums/named-enum.js";
import { FACTOR_CATEGORIES } from "./identity-event.js";

const FACTOR_EVENTS = `'factor_added', 'factor_failed'`;
const QUESTION_EVENTS = `'kbv_question_asked', 'kbv_question_passed', 'kbv_question_failed'`;
const EID_EVENTS = `'eid_approval_requested', 'eid_link_issued', 'eid_approval_granted', 'eid_approval_denied', 'eid_approval_expired'`;

/** A condition that must hold for rows of these event types. A missing field (null) fails it. */
const required = (events: string, condition: string): string =>
  `event_type not in (${events}) or coalesce(${condition}, false)`;

/**
 * One step of proving who a caller is. Append-only: the application's role may insert and read, nothing else.
 * The checks repeat in the database what the union in `identity-event.ts` tells the compiler.
 */
@Entity("identity_event")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"])
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"])
@ForeignKey("contact", ["tenantId", "factorBoundToPrincipal"], ["tenantId", "id"])
@Index("identity_event_of_conversation", ["tenantId", "conversationId", "occurredAt", "written"])
@Index("identity_event_by_age", ["tenantId", "workspaceId", "occurredAt"])
@Index("identity_event_of_principal", ["tenantId", "factorBoundToPrincipal"], {
  where: "factor_bound_to_principal is not null",
})
@Index("identity_event_of_caller", ["tenantId", "scopeValues"], { where: `event_type = 'ani_blocked'` })
@Index("identity_event_transition", ["tenantId", "transitionKey"], { unique: true })
@Check(
  "identity_event_type",
  `event_type in (${FACTOR_EVENTS}, ${QUESTION_EVENTS}, 'identity_locked_per_call', 'identity_locked_per_24h', 'ani_blocked', 'assurance_level_reached', 'verification_not_configured', 'verification_agent_context_used', ${EID_EVENTS})`,
)
@Check("identity_event_category", isOneOf("factor_category", FACTOR_CATEGORIES))
@Check(
  "identity_event_factor",
  required(
    FACTOR_EVENTS,
    "factor_category is not null and factor_type is not null and factor_bound_to_principal is not null and evidence_ref is not null",
  ),
)
@Check(
  "identity_event_question",
  required(
    QUESTION_EVENTS,
    `factor_category = 'knowledge' and factor_bound_to_principal is not null and evidence_ref like 'tool:_%'`,
  ),
)
@Check(
  "identity_event_locked_per_call",
  required(
    `'identity_locked_per_call'`,
    `factor_bound_to_principal is not null and evidence_ref ~ '^lockout:per_call:cap=[0-9]+$'`,
  ),
)
@Check(
  "identity_event_locked_per_24h",
  required(
    `'identity_locked_per_24h'`,
    `factor_bound_to_principal is not null and evidence_ref ~ '^per_24h:cap=[0-9]+$'`,
  ),
)
@Check(
  "identity_event_ani",
  required(
    `'ani_blocked'`,
    `scope_dimension = 'caller_ani' and jsonb_typeof(scope_values) = 'array' and jsonb_array_length(scope_values) = 1`,
  ),
)
@Check(
  "identity_event_assurance",
  required(
    `'assurance_level_reached'`,
    `factor_bound_to_principal is not null and scope_dimension = 'assurance_level' and scope_values in ('["identified"]', '["high-assurance"]')`,
  ),
)
@Check(
  "identity_event_unconfigured",
  required(
    `'verification_not_configured'`,
    `scope_dimension = 'workspace_id' and scope_values = jsonb_build_array(workspace_id::text)`,
  ),
)
@Check(
  "identity_event_context",
  required(
    `'verification_agent_context_used'`,
    `factor_bound_to_principal is not null and evidence_ref like 'tool:_%'`,
  ),
)
@Check(
  "identity_event_eid",
  required(
    EID_EVENTS,
    `factor_category = 'possession' and factor_type = 'eid_verified' and factor_bound_to_principal is not null and evidence_ref like 'eid:_%'`,
  ),
)
@Check(
  "identity_event_only_factors",
  `factor_category is null or event_type in (${FACTOR_EVENTS}, ${QUESTION_EVENTS}, ${EID_EVENTS})`,
)
export class IdentityEventEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Uuid() conversationId: string;
  /** Order of writing, for events of the same millisecond. */
  @Column({ type: "bigint", generated: "identity", generatedIdentity: "ALWAYS" }) written: string;
  @Time({ default: () => "clock_timestamp()" }) occurredAt: Date;
  @Text() eventType: string;
  @Text({ nullable: true }) factorCategory: string | null;
  @Text({ nullable: true }) factorType: string | null;
  @Uuid({ nullable: true }) factorBoundToPrincipal: string | null;
  @Text({ nullable: true }) scopeDimension: string | null;
  @Column({ type: "jsonb", nullable: true }) scopeValues: object | null;
  @Text({ nullable: true }) evidenceRef: string | null;
  @Text({ nullable: true }) promptVersion: string | null;
  /** Unique, so recording the same transition again writes nothing. */
  @Text() transitionKey: string;
  @Time({ default: () => "clock_timestamp()" }) createdAt: Date;
}
