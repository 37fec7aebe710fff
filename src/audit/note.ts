import type { Tx } from "../platform/database/transaction.js";

interface Note {
  change: "updated" | "deleted";
  resourceType: string;
  resourceId?: string;
  workspaceId?: string;
  conversationId?: string;
  fields?: readonly string[];
  counts?: object;
}

/** Writes an entry of the audit log by hand, for what the triggers do not tell of. */
export async function note(
  tx: Tx,
  { change, resourceType, resourceId, workspaceId, conversationId, fields = [], counts }: Note,
): Promise<void> {
  await tx.query(
    "select audit_note(:change, :resourceType, :resourceId::uuid, :workspaceId::uuid, :conversationId::uuid, :fields::text[], :counts::jsonb)",
    { change, resourceType, resourceId, workspaceId, conversationId, fields, counts: counts && JSON.stringify(counts) },
  );
}

/** From here to the transaction's end no row makes an entry: whoever asks for this writes the one entry for all of them. */
export async function sumUp(tx: Tx): Promise<void> {
  await tx.query(`select set_config('app.audit', 'summed up', true)`);
}
