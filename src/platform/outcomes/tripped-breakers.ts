import { literal, type Sql, sql, TENANT } from "../database/sql.js";
import type { BreakerAction, BreakerEntityType } from "./circuit-breaker.entity.js";

/**
 * A tripped breaker `b` of this entity that has this action. Entity ids are texts. Add a condition on the workspace where
 * the breaker holds in one workspace alone.
 */
export const openBreaker = (entityType: BreakerEntityType, entityId: Sql, action: BreakerAction): Sql => sql`
  b.tenant_id = ${TENANT} and b.entity_type = ${literal(entityType)} and b.entity_id = ${entityId}
  and b.state = 'tripped' and b.action = ${literal(action)}`;
