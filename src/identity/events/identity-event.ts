import { v7 as uuid } from "uuid";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { namedEnum } from "../../platform/enums/named-enum.js";

export const FACTOR_CATEGORIES = namedEnum("FactorCategory", "What a factor proves.", {
  knowledge: "the contact knows something",
  possession: "the contact has something",
  inherence: "the contact is someone",
});
export type FactorCategory = (typeof FACTOR_CATEGORIES)[number];
export const FACTOR_TYPES = namedEnum("FactorType", "A way to prove an identity.", {
  kba_static: "the answer to a question about stored data",
  kba_dynamic: "the answer to a question about recent data",
  otp_email: "a code sent by email",
  otp_sms: "a code sent by SMS",
  magic_link: "a link that the contact opened",
  ani_match: "the caller ID is the contact's number",
  eid_verified: "an electronic identity",
});
export type FactorType = (typeof FACTOR_TYPES)[number];

export const IDENTITY_EVENT_TYPES = namedEnum("IdentityEventType", "A step of a contact's verification.", [
  "factor_added",
  "factor_failed",
  "kbv_question_asked",
  "kbv_question_passed",
  "kbv_question_failed",
  "identity_locked_per_call",
  "identity_locked_per_24h",
  "ani_blocked",
  "assurance_level_reached",
  "verification_not_configured",
  "verification_agent_context_used",
  "eid_approval_requested",
  "eid_link_issued",
  "eid_approval_granted",
  "eid_approval_denied",
  "eid_approval_expired",
]);
export type IdentityEventType = (typeof IDENTITY_EVENT_TYPES)[number];

type ToolRef = `tool:${string}`;
interface Bound {
  /** The contact that the factor binds to. */
  factorBoundToPrincipal: string;
}

/** One member for each event type, with exactly the fields that the type requires. */
export type IdentityTransition =
  | (Bound & {
      eventType: "factor_added" | "factor_failed";
      factorCategory: FactorCategory;
      factorType: FactorType;
      evidenceRef: `kbv:${string}` | `magic_link:${string}` | `eid:${string}` | ToolRef;
    })
  | (Bound & {
      eventType: "kbv_question_asked" | "kbv_question_passed" | "kbv_question_failed";
      factorCategory: "knowledge";
      evidenceRef: ToolRef;
    })
  | (Bound & { eventType: "identity_locked_per_call"; evidenceRef: `lockout:per_call:cap=${number}` })
  | (Bound & { eventType: "identity_locked_per_24h"; evidenceRef: `per_24h:cap=${number}` })
  | { eventType: "ani_blocked"; scopeDimension: "caller_ani"; scopeValues: [phone: string] }
  | (Bound & {
      eventType: "assurance_level_reached";
      scopeDimension: "assurance_level";
      scopeValues: ["identified" | "high-assurance"];
    })
  | { eventType: "verification_not_configured"; scopeDimension: "workspace_id"; scopeValues: [workspaceId: string] }
  | (Bound & { eventType: "verification_agent_context_used"; evidenceRef: ToolRef })
  | (Bound & {
      eventType:
        | "eid_approval_requested"
        | "eid_link_issued"
        | "eid_approval_granted"
        | "eid_approval_denied"
        | "eid_approval_expired";
      factorCategory: "possession";
      factorType: "eid_verified";
      evidenceRef: `eid:${string}`;
    });

/** What an identity event belongs to. */
export interface IdentityEventOrigin {
  conversationId: string;
  /** Names the transition for good, such as `question:<id>:passed`. Recording the same transition again writes nothing. */
  transitionKey: string;
  /** Version of the verification specialist's system prompt, if one was in use. */
  promptVersion?: string;
}

/** The fields of `IdentityTransition` that are columns as they are. */
interface TransitionFields {
  eventType: IdentityEventType;
  factorCategory?: FactorCategory;
  factorType?: FactorType;
  factorBoundToPrincipal?: string;
  scopeDimension?: string;
  evidenceRef?: string;
}
interface NewEvent extends TransitionFields, IdentityEventOrigin {
  id: string;
  /** JSON */
  scopeValues?: string;
}

/** The lock on the contacts waits for an erasure that is under way. */
const INSERT_EVENT = query<NewEvent>()(
  "identityEvents.insert",
  "checked",
  (e) => sql`
    with people as (
      select k.erased_at from contact k
      where k.tenant_id = ${TENANT} and k.id in (
        ${e.factorBoundToPrincipal}::uuid,
        (select c.contact_id from conversation c where c.tenant_id = ${TENANT} and c.id = ${e.conversationId})
      )
      order by k.id
      for key share
    )
    insert into identity_event (tenant_id, id, workspace_id, conversation_id, event_type, factor_category, factor_type,
      factor_bound_to_principal, scope_dimension, scope_values, evidence_ref, prompt_version, transition_key)
    select c.tenant_id, ${e.id}, c.workspace_id, c.id, ${e.eventType}, ${e.factorCategory}, ${e.factorType},
      ${e.factorBoundToPrincipal}::uuid, ${e.scopeDimension}, ${e.scopeValues}::jsonb, ${e.evidenceRef},
      ${e.promptVersion}, ${e.transitionKey}
    from conversation c
    where c.tenant_id = ${TENANT} and c.id = ${e.conversationId}
      and not exists (select from people where erased_at is not null)
    on conflict (tenant_id, transition_key) do nothing
    returning id`,
);

/**
 * Writes one identity event, in the transaction of the change that it records. Its time is the database's clock.
 * Nothing is written about a contact that was erased.
 * @returns whether the event is new
 */
export async function recordIdentityEvent(
  tx: Tx,
  origin: IdentityEventOrigin,
  transition: IdentityTransition,
): Promise<boolean> {
  const { scopeValues, ...fields }: TransitionFields & { scopeValues?: readonly string[] } = transition;
  const inserted = await tx.query(INSERT_EVENT, {
    ...fields,
    ...origin,
    id: uuid(),
    scopeValues: scopeValues && JSON.stringify(scopeValues),
  });
  return inserted.length === 1;
}
