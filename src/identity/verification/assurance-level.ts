import { v7 as uuid } from "uuid";
import { ASSURANCE_LEVELS, type AssuranceLevel } from "../../conversations/assurance-level.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import {
  FACTOR_TYPES,
  type FactorCategory,
  type FactorType,
  type IdentityEventOrigin,
  recordIdentityEvent,
} from "../events/identity-event.js";

/**
 * The level of a conversation `c`: high with an eID or with factors of two categories, otherwise identified with any
 * factor. Factors that have expired do not count. Neither does a matched caller ID, because a caller ID can be forged.
 */
export const LEVEL = sql`(
  select case
    when bool_or(f.factor_type = 'eid_verified') or count(distinct f.factor_category) > 1 then 'high-assurance'
    when count(*) > 0 then 'identified'
    else 'none'
  end
  from verification_factor f
  where f.tenant_id = ${TENANT} and f.conversation_id = c.id and f.expires_at > clock_timestamp()
    and f.factor_type <> 'ani_match'
)`;

export interface NewFactor extends Omit<IdentityEventOrigin, "transitionKey"> {
  contactId: string;
  factorType: FactorType;
  factorCategory: FactorCategory;
  evidenceRef: `kbv:${string}` | `magic_link:${string}` | `eid:${string}` | `tool:${string}`;
  /** For how many minutes the factor counts. */
  lifetimeMinutes: number;
}

const INSERT_FACTOR = query<
  Pick<NewFactor, "conversationId" | "contactId" | "factorType" | "factorCategory" | "lifetimeMinutes"> & { id: string }
>()(
  "assurance.insertFactor",
  "checked",
  ({ id, conversationId, contactId, factorType, factorCategory, lifetimeMinutes }) => sql`
    insert into verification_factor (tenant_id, id, conversation_id, contact_id, factor_type, factor_category, expires_at)
    values (${TENANT}, ${id}, ${conversationId}, ${contactId}, ${factorType}, ${factorCategory},
      clock_timestamp() + make_interval(secs => ${lifetimeMinutes}::float8 * 60))`,
);

const REFRESH_LEVELS = query<
  { conversationIds: readonly string[] },
  { before: AssuranceLevel; level: AssuranceLevel }
>()(
  "assurance.refreshLevels",
  "checked",
  ({ conversationIds }) => sql`
    with was as (
      select c.tenant_id, c.id, c.assurance_level as before, ${LEVEL} as level
      from conversation c
      where c.tenant_id = ${TENANT} and c.id = any(${conversationIds}::uuid[])
    ), changed as (
      update conversation c
      set assurance_level = was.level, last_activity_at = clock_timestamp(), updated_at = clock_timestamp()
      from was
      where c.tenant_id = ${TENANT} and c.id = was.id and was.level <> was.before
    ), due as (
      insert into assurance_due (tenant_id, conversation_id, due_at)
      select f.tenant_id, f.conversation_id, min(f.expires_at)
      from verification_factor f
      where f.tenant_id = ${TENANT} and f.conversation_id = any(${conversationIds}::uuid[])
        and f.expires_at > clock_timestamp()
      group by f.tenant_id, f.conversation_id
      on conflict (tenant_id, conversation_id) do update set due_at = excluded.due_at
    )
    select before, level from was`,
);

/**
 * Adds a factor with its event. If the conversation reaches a new level, that is a second event. The caller's
 * transaction must hold the lock on the conversation.
 * @returns the level after the factor
 */
export async function addFactor(
  tx: Tx,
  { contactId, factorType, factorCategory, evidenceRef, lifetimeMinutes, ...origin }: NewFactor,
): Promise<AssuranceLevel> {
  const id = uuid();
  const { conversationId } = origin;
  // A level that has just expired may not have been lowered yet. Reaching it again is a new event.
  const { level: before } = await refreshLevel(tx, conversationId);
  await tx.query(INSERT_FACTOR, { id, conversationId, contactId, factorType, factorCategory, lifetimeMinutes });
  await recordIdentityEvent(
    tx,
    { ...origin, transitionKey: `factor:${id}` },
    { eventType: "factor_added", factorCategory, factorType, factorBoundToPrincipal: contactId, evidenceRef },
  );
  const { level } = await refreshLevel(tx, conversationId);
  if (level !== "none" && ASSURANCE_LEVELS.indexOf(level) > ASSURANCE_LEVELS.indexOf(before)) {
    await recordIdentityEvent(
      tx,
      { ...origin, transitionKey: `factor:${id}:${level}` },
      {
        eventType: "assurance_level_reached",
        factorBoundToPrincipal: contactId,
        scopeDimension: "assurance_level",
        scopeValues: [level],
      },
    );
  }
  return level;
}

/** Brings the level that the conversation shows in line with its factors, and schedules the next factor's expiry. */
export async function refreshLevel(tx: Tx, conversationId: string): Promise<{ level: AssuranceLevel }> {
  const [row] = await tx.query(REFRESH_LEVELS, { conversationIds: [conversationId] });
  return row!;
}

const END_FACTORS = query<{ contactId: string; factorTypes: readonly FactorType[] }>()(
  "assurance.endFactors",
  { unrestricted: "the contact was found within reach and locked, whatever workspaces it was seen in" },
  ({ contactId, factorTypes }) => sql`
    delete from verification_factor
    where tenant_id = ${TENANT} and contact_id = ${contactId} and factor_type = any(${factorTypes}::text[])
    returning conversation_id as "conversationId"`,
);

/**
 * Ends factors of a contact, whatever workspaces they are in, and lowers the levels that rest on them. The identity events
 * stay. The caller's transaction must hold the lock on the contact, without which no factor is added.
 * @returns how many factors ended, and how many conversations lost their level
 */
export async function endFactors(
  tx: Tx,
  contactId: string,
  factorTypes: readonly FactorType[] = FACTOR_TYPES,
): Promise<{ factors: number; levelsLost: number }> {
  const ended = await tx.query(END_FACTORS, { contactId, factorTypes });
  const conversationIds = [...new Set(ended.map(({ conversationId }) => conversationId))];
  const levels = conversationIds.length ? await tx.query(REFRESH_LEVELS, { conversationIds }) : [];
  return { factors: ended.length, levelsLost: levels.filter(({ before, level }) => level !== before).length };
}
