import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { conversationInReach, itemsIn, polled, projection, time } from "../../platform/database/statements.js";
import type { Json } from "../../platform/http/json.js";
import type { IdentityEventDto, IdentityEventsDto } from "./identity-events.dto.js";

/** An identity event, from a row `e`. */
export const EVENT = projection<IdentityEventDto>({
  id: sql`e.id`,
  tenantId: sql`e.tenant_id`,
  conversationId: sql`e.conversation_id`,
  occurredAt: time(sql`e.occurred_at`),
  eventType: sql`e.event_type`,
  factorCategory: sql`e.factor_category`,
  factorType: sql`e.factor_type`,
  factorBoundToPrincipal: sql`e.factor_bound_to_principal`,
  scopeDimension: sql`e.scope_dimension`,
  scopeValues: sql`e.scope_values`,
  evidenceRef: sql`e.evidence_ref`,
  promptVersion: sql`e.prompt_version`,
  createdAt: time(sql`e.created_at`),
});

/**
 * Without the events of deleted contacts, which are purged later. Nearly all events of a conversation are bound to its
 * contact, so that one is looked up once, and only others are looked up for each event. `offset 0`: the planner might read all
 * deleted contacts of the tenant instead.
 * @public benchmarks run it on its own
 */
export const LIST_IDENTITY_EVENTS = polled(
  itemsIn<IdentityEventsDto, { conversationId: string }>(
    "events",
    "identityEvents.list",
    "restricted",
    EVENT,
    ({ conversationId }, event) => ({
      of: conversationInReach(
        conversationId,
        sql`c.workspace_id, (
          select k.id from contact k
          where k.tenant_id = ${TENANT} and k.id = c.contact_id and k.deleted_at is null
        ) as kept_contact`,
      ),
      rows: sql`
        select ${event} from identity_event e
        where e.tenant_id = ${TENANT} and e.conversation_id = ${conversationId} and (
          e.factor_bound_to_principal = c.kept_contact or not exists (
            select from contact k
            where k.tenant_id = ${TENANT} and k.id = e.factor_bound_to_principal and k.deleted_at is not null
            offset 0
          )
        )
        order by e.occurred_at, e.written`,
    }),
  ),
);

@Injectable()
export class IdentityEventsService {
  constructor(private readonly db: Database) {}

  list(caller: Caller, conversationId: string): Promise<Json<IdentityEventsDto>> {
    return this.db.read(caller, LIST_IDENTITY_EVENTS, { conversationId });
  }
}
