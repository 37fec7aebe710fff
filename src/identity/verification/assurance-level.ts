import { v7 as uuid } from "uuid";
import type { Tx } from "../../platform/database/transaction.js";
import { type FactorCategory, type FactorType, recordIdentityEvent, type Where } from "../events/identity-event.js";

export const LEVELS = ["none", "identified", "high-assurance"] as const;
export type AssuranceLevel = (typeof LEVELS)[number];

/** The factors that count now: young enough, and not the mere match of a caller ID, which never raises anything. */
const QUALIFYING = `f.tenant_id = c.tenant_id and f.conversation_id = c.id and f.expires_at > clock_timestamp() and f.factor_type <> 'ani_match'`;

/** The level of a conversation `c`: eID, or factors of two categories; else any one. Knowledge alone never reaches the higher one. */
export const LEVEL = `(select case when bool_or(f.factor_type = 'eid_verified') or count(distinct f.factor_category) > 1 then 'high-assurance'
    when count(*) > 0 then 'identified' else 'none' end from verification_factor f where ${QUALIFYING})`;

export interface Proof extends Omit<Where, "transitionKey"> {
  contactId: string;
  factorType: FactorType;
  factorCategory: FactorCategory;
  evidenceRef: `kbv:${string}` | `magic_link:${string}` | `eid:${string}` | `tool:${string}`;
  /** For how many minutes it counts. */
  lifetimeMinutes: number;
}

/**
 * Adds a factor with its event, and where that reaches a new level, the event of that too. The caller's transaction holds
 * the lock on the conversation.
 * @returns the level now
 */
export async function addFactor(
  tx: Tx,
  { contactId, factorType, factorCategory, evidenceRef, lifetimeMinutes, ...where }: Proof,
): Promise<AssuranceLevel> {
  const id = uuid();
  // What ran out a moment ago may not have been lowered yet: reached again, it is new.
  const { level: before } = await refreshLevel(tx, where.conversationId);
  await tx.query(
    `insert into verification_factor (tenant_id, id, conversation_id, contact_id, factor_type, factor_category, expires_at)
    values (:tenant, :id, :conversationId, :contactId, :factorType, :factorCategory, clock_timestamp() + make_interval(mins => :lifetimeMinutes::int))`,
    { id, conversationId: where.conversationId, contactId, factorType, factorCategory, lifetimeMinutes },
  );
  await recordIdentityEvent(
    tx,
    { ...where, transitionKey: `factor:${id}` },
    { eventType: "factor_added", factorCategory, factorType, factorBoundToPrincipal: contactId, evidenceRef },
  );
  const { level } = await refreshLevel(tx, where.conversationId);
  if (LEVELS.indexOf(level) > LEVELS.indexOf(before)) {
    await recordIdentityEvent(
      tx,
      { ...where, transitionKey: `factor:${id}:${level}` },
      {
        eventType: "assurance_level_reached",
        factorBoundToPrincipal: contactId,
        scopeDimension: "assurance_level",
        scopeValues: [level as Exclude<AssuranceLevel, "none">],
      },
    );
  }
  return level;
}

/** Brings the level that the conversation shows in line with its factors' age, now and when the next of them runs out. */
export async function refreshLevel(tx: Tx, conversationId: string): Promise<{ level: AssuranceLevel }> {
  const [row] = await tx.query<{ level: AssuranceLevel }>(
    `with was as (
      select c.tenant_id, c.id, c.assurance_level as before, ${LEVEL} as level from conversation c where c.tenant_id = :tenant and c.id = :conversationId
    ), changed as (
      update conversation c set assurance_level = was.level, last_activity_at = clock_timestamp(), updated_at = clock_timestamp()
      from was where c.tenant_id = was.tenant_id and c.id = was.id and was.level <> was.before
    ), due as (
      insert into assurance_due (tenant_id, conversation_id, due_at)
      select f.tenant_id, f.conversation_id, min(f.expires_at) from verification_factor f
      where f.tenant_id = :tenant and f.conversation_id = :conversationId and f.expires_at > clock_timestamp() group by 1, 2
      on conflict (tenant_id, conversation_id) do update set due_at = excluded.due_at
    )
    select level from was`,
    { conversationId },
  );
  return row!;
}
