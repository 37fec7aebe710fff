import type { Changes } from "../../platform/database/changes.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { Presence } from "./member.entity.js";
import { LIST_SIDES } from "./members.queries.js";

/** What the signal `presence.changed` says. */
interface PresenceChanged {
  memberId: string;
  presence: Presence;
}

/** Tells both sides of the tenant once the transaction has committed. */
export async function announcePresence(tx: Tx, changes: Changes, data: PresenceChanged): Promise<void> {
  const sides = await tx.query(LIST_SIDES);
  tx.afterCommit(() => {
    for (const { id: tenantId } of sides)
      changes.signal({ tenantId, workspaceId: null, type: "presence.changed", data });
  });
}
