import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import type { Changes } from "./entries.queries.js";
import type { EntryEvidenceDto } from "./reviewed-entry.dto.js";

/**
 * Locked until the entry is committed, so that an erasure of the conversation's contact comes either before, and no
 * evidence is found, or after. `evidence` is JSON.
 */
const LOCK_CONVERSATIONS = query<{ workspaceId: string; evidence: string }>()(
  "knowledge.lockEvidence",
  "checked",
  ({ workspaceId, evidence }) => sql`
    select 1
    from jsonb_to_recordset(${evidence}) as e ("conversationId" uuid, "messageId" uuid)
      join conversation c on c.tenant_id = ${TENANT} and c.id = e."conversationId" and c.workspace_id = ${workspaceId}
        and c.redacted_at is null
    where exists (
      select from message m where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.id = e."messageId"
    )
    order by c.id for share of c`,
);

/** @throws NotFoundException unless each piece of evidence is a message of a conversation in this workspace */
export async function assertEvidence(
  tx: Tx,
  workspaceId: string,
  evidence: readonly EntryEvidenceDto[],
): Promise<void> {
  if (!evidence.length) return;
  const found = await tx.query(LOCK_CONVERSATIONS, { evidence: JSON.stringify(evidence), workspaceId });
  if (found.length !== evidence.length) throw notFound();
}

/**
 * Removes the evidence that comes from these conversations. Entries that were never approved may quote the person and are
 * deleted. Approved ones are the workspace's own knowledge and stay, without their earlier versions, and so do those that a
 * kind remembers.
 */
export async function eraseEvidence(
  tx: Tx,
  changes: Changes,
  conversationIds: readonly string[],
): Promise<{ entries: number; evidence: number }> {
  const touched = await tx.query(changes.lockWithEvidence, { conversationIds });
  const [kept, gone] = [touched.filter((entry) => entry.kept), touched.filter((entry) => !entry.kept)].map((entries) =>
    entries.map(({ id }) => id),
  ) as [string[], string[]];
  await tx.query(changes.removeEvidence, { conversationIds, ids: kept });
  await tx.query(changes.deleteVersions, { ids: kept });
  await tx.query(changes.forgetDuplicates, { ids: gone });
  await tx.query(changes.delete, { ids: gone });
  return { entries: gone.length, evidence: kept.length };
}
