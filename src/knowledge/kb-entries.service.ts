import { ConflictException, Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Caller } from '../caller/caller.js';
import { callerId } from '../caller/caller.js';
import { Database } from '../database/database.js';
import { inReach, list, one, page, polled, projection, REACHABLE, time } from '../database/statement.js';
import { notFound } from '../http/errors.js';
import { type Json, type Ok, ok, type Page } from '../http/json.js';
import type { Tx } from '../database/transaction.js';
import { WorkspaceEntity } from '../workspaces/workspace.entity.js';
import type { CreateKbEntryDto, EvidenceDto, KbEntryDto, ListKbEntriesDto, PendingDto, RejectDto } from './kb-entries.dto.js';
import { KbEntryEntity } from './kb-entry.entity.js';

const KB_ENTRY = projection<KbEntryDto>({
  id: 'r.id',
  workspaceId: 'r.workspace_id',
  status: 'r.status',
  question: 'r.question',
  answer: 'r.answer',
  alternateQuestions: 'r.alternate_questions',
  language: 'r.language',
  labels: 'r.labels',
  source: 'r.source',
  confidence: 'r.confidence',
  evidence: 'r.evidence',
  evidenceCount: 'jsonb_array_length(r.evidence)',
  duplicateOfId: 'r.duplicate_of_id',
  reviewedBy: 'r.reviewed_by',
  reviewedAt: time('r.reviewed_at'),
  rejectionReason: 'r.rejection_reason',
  validUntil: time('r.valid_until'),
  usage: `json_build_object('retrieved', r.retrieved, 'answered', r.answered, 'helpful', r.helpful)`,
  version: 'r.version',
  createdAt: time('r.created_at'),
  updatedAt: time('r.updated_at'),
});
/** Unlike every other absent value, a confidence that nobody gave is missing rather than null. */
const json = `to_jsonb(r) - case when r.confidence is null then 'confidence' else '' end`;
const visible = `exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})`;

const GET = polled(one<KbEntryDto, { id: string }>('kb-entries.get', 'workspace',
  `select ${KB_ENTRY} from kb_entry r where r.tenant_id = :tenant and r.id = :id and ${inReach('r')}`, json));
const PENDING = polled(list<KbEntryDto, { workspaceId: string; limit: number }>('kb-entries.pending', 'workspace',
  `select ${KB_ENTRY} from kb_entry r where r.tenant_id = :tenant and r.workspace_id = :workspaceId and r.status = 'pending'
   order by r.created_at, r.id limit :limit`, { visible, json }));
const LIST = polled(page<KbEntryDto, { workspaceId: string; status?: string; limit: number }>('kb-entries.list', 'workspace', {
  rows: `select k.* from kb_entry k where k.tenant_id = :tenant and k.workspace_id = :workspaceId and (:status::text is null or k.status = :status)
      and (:after0::timestamptz is null or (k.created_at, k.id) < (:after0::timestamptz, :after1::uuid))
    order by k.created_at desc, k.id desc limit :limit + 1`,
  position: [time('r.created_at'), 'r.id'],
  item: KB_ENTRY, visible, json,
}));

@Injectable()
export class KbEntriesService {
  constructor(private readonly db: Database) {}

  list(caller: Caller, workspaceId: string, { status, limit = 25, cursor }: ListKbEntriesDto): Promise<Json<Page<KbEntryDto>>> {
    return this.db.page(caller, LIST, { workspaceId, status }, { limit, cursor });
  }

  /** Oldest first. */
  pending(caller: Caller, workspaceId: string, { limit = 500 }: PendingDto): Promise<Json<KbEntryDto[]>> {
    return this.db.read(caller, PENDING, { workspaceId, limit });
  }

  get(caller: Caller, id: string): Promise<Json<KbEntryDto>> {
    return this.db.read(caller, GET, { id });
  }

  create(caller: Caller, workspaceId: string, { confidence, validUntil, ...body }: CreateKbEntryDto): Promise<Json<KbEntryDto>> {
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
      tx.within(workspaceId);
      await this.assertEvidence(tx, workspaceId, body.evidence ?? []);
      const id = uuid();
      await tx.insert(KbEntryEntity, {
        status: 'approved', ...body, id, workspaceId, language: body.language ?? workspace.primaryLanguage,
        confidence: confidence ?? null, validUntil: validUntil ? new Date(validUntil) : null,
      });
      return (await tx.read(GET, { id })).created();
    });
  }

  /** @throws NotFoundException unless each piece of evidence is a message of a conversation in this workspace */
  private async assertEvidence(tx: Tx, workspaceId: string, evidence: EvidenceDto[]): Promise<void> {
    if (!evidence.length) return;
    // Held until the entry stands: an erasure of the conversation's contact comes before, and finds no evidence, or after.
    const found = await tx.query(`select 1 from jsonb_to_recordset(:evidence) as e ("conversationId" uuid, "messageId" uuid)
      join conversation c on c.tenant_id = :tenant and c.id = e."conversationId" and c.workspace_id = :workspaceId and c.redacted_at is null
      where exists (select from message m where m.tenant_id = c.tenant_id and m.conversation_id = c.id and m.id = e."messageId")
      order by c.id for share of c`, { evidence: JSON.stringify(evidence), workspaceId });
    if (found.length !== evidence.length) throw notFound();
  }

  /** @throws NotFoundException, ConflictException: it is no longer pending */
  approve(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.review(caller, id, 'approved', null);
  }

  /** @throws NotFoundException, ConflictException: it is no longer pending */
  reject(caller: Caller, id: string, { reason }: RejectDto): Promise<Json<Ok>> {
    return this.review(caller, id, 'rejected', reason ?? null);
  }

  /** One conditional update decides: of any number at once, one wins. */
  private review(caller: Caller, id: string, status: 'approved' | 'rejected', reason: string | null): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const [reviewed] = await tx.query<{ workspaceId: string }>(`update kb_entry r set status = :status, rejection_reason = :reason, reviewed_by = :by, reviewed_at = now(), updated_at = now()
        where r.tenant_id = :tenant and r.id = :id and r.status = 'pending' and ${inReach('r')} returning r.workspace_id as "workspaceId"`, { id, status, reason, by: callerId(caller) });
      if (reviewed) {
        tx.within(reviewed.workspaceId);
        return ok();
      }
      const entry = (await tx.read(GET, { id })).parse();
      throw new ConflictException(`Only a pending entry can be ${status}; this one is ${entry.status}`);
    });
  }

  /**
   * Entries lose the evidence that lies in these conversations. What nobody has approved may quote the person and goes
   * altogether; what was approved is the workspace's own knowledge.
   */
  async eraseContact(tx: Tx, conversationIds: readonly string[]): Promise<{ kbEntries: number; kbEvidence: number }> {
    const touched = await tx.query<{ id: string; approved: boolean }>(`with theirs as materialized (select unnest(:conversationIds::uuid[]) as id)
      select k.id, k.status in ('approved', 'archived') as approved from kb_entry k where k.tenant_id = :tenant and k.evidence <> '[]'
        and exists (select from jsonb_array_elements(k.evidence) e where (e ->> 'conversationId')::uuid in (select id from theirs)) order by k.id for update`, { conversationIds });
    const [kept, gone] = [touched.filter(({ approved }) => approved), touched.filter(({ approved }) => !approved)].map((entries) => entries.map(({ id }) => id));
    await tx.query(`update kb_entry k set updated_at = now(), evidence = (select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(k.evidence) e
      where (e ->> 'conversationId')::uuid <> all(:conversationIds::uuid[])) where k.tenant_id = :tenant and k.id = any(:kept::uuid[])`, { conversationIds, kept });
    await tx.query('update kb_entry set duplicate_of_id = null where tenant_id = :tenant and duplicate_of_id = any(:gone::uuid[])', { gone });
    await tx.query('delete from kb_entry where tenant_id = :tenant and id = any(:gone::uuid[])', { gone });
    return { kbEntries: gone!.length, kbEvidence: kept!.length };
  }
}
