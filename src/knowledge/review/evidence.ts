import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import type { EvidenceDto } from "./reviewed-entry.dto.js";

/** @throws NotFoundException unless each piece of evidence is a message of a conversation in this workspace */
export async function assertEvidence(tx: Tx, workspaceId: string, evidence: readonly EvidenceDto[]): Promise<void> {
  if (!evidence.length) return;
  // Held until the entry stands: an erasure of the conversation's contact comes before, and finds no evidence, or after.
  const found = await tx.query(
    `select 1 from jsonb_to_recordset(:evidence) as e ("conversationId" uuid, "messageId" uuid)
    join conversation c on c.tenant_id = :tenant and c.id = e."conversationId" and c.workspace_id = :workspaceId and c.redacted_at is null
    where exists (select from message m where m.tenant_id = c.tenant_id and m.conversation_id = c.id and m.id = e."messageId")
    order by c.id for share of c`,
    { evidence: JSON.stringify(evidence), workspaceId },
  );
  if (found.length !== evidence.length) throw notFound();
}

/**
 * Entries lose the evidence that lies in these conversations. What nobody has approved may quote the person and goes
 * altogether; what was approved is the workspace's own knowledge, but for what it was before.
 */
export async function eraseEvidence(
  tx: Tx,
  table: string,
  conversationIds: readonly string[],
): Promise<{ entries: number; evidence: number }> {
  const touched = await tx.query<{ id: string; approved: boolean }>(
    `with theirs as materialized (select unnest(:conversationIds::uuid[]) as id)
    select k.id, k.status in ('approved', 'archived') as approved from ${table} k where k.tenant_id = :tenant and k.evidence <> '[]'
      and exists (select from jsonb_array_elements(k.evidence) e where (e ->> 'conversationId')::uuid in (select id from theirs)) order by k.id for update`,
    { conversationIds },
  );
  const [kept, gone] = [touched.filter(({ approved }) => approved), touched.filter(({ approved }) => !approved)].map(
    (entries) => entries.map(({ id }) => id),
  );
  await tx.query(
    `update ${table} k set updated_at = now(), evidence = (select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(k.evidence) e
    where (e ->> 'conversationId')::uuid <> all(:conversationIds::uuid[])) where k.tenant_id = :tenant and k.id = any(:kept::uuid[])`,
    { conversationIds, kept },
  );
  await tx.query(`delete from ${table}_version where tenant_id = :tenant and entry_id = any(:kept::uuid[])`, { kept });
  await tx.query(
    `update ${table} set duplicate_of_id = null where tenant_id = :tenant and duplicate_of_id = any(:gone::uuid[])`,
    { gone },
  );
  await tx.query(`delete from ${table} where tenant_id = :tenant and id = any(:gone::uuid[])`, { gone });
  return { entries: gone!.length, evidence: kept!.length };
}
