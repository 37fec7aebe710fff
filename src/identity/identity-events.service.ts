import { Injectable } from "@nestjs/common";
import type { Caller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { inReach, one, polled, projection, time } from "../platform/database/statement.js";
import type { Json } from "../platform/http/json.js";
import type { IdentityEventDto, IdentityEventsDto } from "./events/identity-events.dto.js";

/** An identity event `e`. */
export const EVENT = projection<IdentityEventDto>({
  id: "e.id",
  tenantId: "e.tenant_id",
  conversationId: "e.conversation_id",
  occurredAt: time("e.occurred_at"),
  eventType: "e.event_type",
  factorCategory: "e.factor_category",
  factorType: "e.factor_type",
  factorBoundToPrincipal: "e.factor_bound_to_principal",
  scopeDimension: "e.scope_dimension",
  scopeValues: "e.scope_values",
  evidenceRef: "e.evidence_ref",
  promptVersion: "e.prompt_version",
  createdAt: time("e.created_at"),
});

/** @public also measured by itself */
export const LIST_IDENTITY_EVENTS = polled(
  one<IdentityEventsDto, { conversationId: string }>(
    "identity-events.list",
    "workspace",
    `select (select coalesce(json_agg(i), '[]') from (
      select ${EVENT} from identity_event e where e.tenant_id = c.tenant_id and e.conversation_id = c.id
        and not exists (select from contact k where k.tenant_id = e.tenant_id and k.id = e.factor_bound_to_principal and k.deleted_at is not null) order by e.occurred_at, e.written) i) as events
   from conversation c where c.tenant_id = :tenant and c.id = :conversationId and ${inReach("c")}`,
  ),
);

@Injectable()
export class IdentityEventsService {
  constructor(private readonly db: Database) {}

  list(caller: Caller, conversationId: string): Promise<Json<IdentityEventsDto>> {
    return this.db.read(caller, LIST_IDENTITY_EVENTS, { conversationId });
  }
}
