import type { BreakerAction, BreakerEntityType } from "./circuit-breaker.entity.js";

/** A tripped breaker `b` of the entity that does this to it. Ids of entities are texts; give the workspace in further conditions. */
export const openBreaker = (entityType: BreakerEntityType, entityId: string, action: BreakerAction): string =>
  `b.tenant_id = :tenant and b.entity_type = '${entityType}' and b.entity_id = ${entityId} and b.state = 'tripped' and b.action = '${action}'`;
