import { sql, TENANT } from "../platform/database/sql.js";
import { type NoArgs, query } from "../platform/database/statements.js";
import type { Tx } from "../platform/database/transaction.js";

interface AuditEntry {
  change: "updated" | "deleted";
  resourceType: string;
  resourceId?: string;
  workspaceId?: string;
  conversationId?: string;
  fields?: readonly string[];
  counts?: object;
}

const WRITES_ONLY = { unrestricted: "it writes to the log and reads nothing" };

const RECORD = query<Omit<AuditEntry, "counts"> & { counts?: string }>()(
  "audit.record",
  WRITES_ONLY,
  ({ change, resourceType, resourceId, workspaceId, conversationId, fields, counts }) => sql`
    select audit_note(${change}, ${resourceType}, ${resourceId}::uuid, ${workspaceId}::uuid, ${conversationId}::uuid,
      ${fields}::text[], ${counts}::jsonb)
    where ${TENANT}::uuid is not null`,
);

const SUSPEND_ROW_AUDIT = query<NoArgs>()(
  "audit.suspendRowAudit",
  WRITES_ONLY,
  () => sql`select set_config('app.audit', 'summed up', true) where ${TENANT}::uuid is not null`,
);

/** Writes one entry to the audit log, for a change that the triggers do not record. */
export async function recordAuditEntry(tx: Tx, { fields = [], counts, ...entry }: AuditEntry): Promise<void> {
  await tx.query(RECORD, { ...entry, fields, counts: counts && JSON.stringify(counts) });
}

/**
 * From here to the end of the transaction, changed rows make no entries. Call `recordAuditEntry` in the same transaction
 * with one entry that sums them up.
 */
export async function suspendRowAudit(tx: Tx): Promise<void> {
  await tx.query(SUSPEND_ROW_AUDIT);
}
