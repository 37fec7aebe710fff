import { ConflictException, Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Caller } from '../caller/caller.js';
import { callerId } from '../caller/caller.js';
import { Database } from '../database/database.js';
import { inReach, list, one, page, polled, REACHABLE, time } from '../database/statement.js';
import { notFound } from '../http/errors.js';
import { Json, type Ok, ok, type Page } from '../http/json.js';
import type { Tx } from '../database/transaction.js';
import { WorkspaceEntity } from '../workspaces/workspace.entity.js';
import type { CreateKbEntryDto, EditKbEntryDto, EvidenceDto, KbEntryCreatedDto, KbEntryDto, KbEntryVersionDto, ListKbEntriesDto, PendingDto, RejectDto } from './kb-entries.dto.js';
import { KB_ENTRY, KB_ENTRY_JSON } from './kb-entries.queries.js';
import { KbSearchService } from './kb-search.service.js';
import { KbEntryEntity } from './kb-entry.entity.js';

const visible = `exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})`;

const GET = polled(one<KbEntryDto, { id: string }>('kb-entries.get', 'workspace',
  `select ${KB_ENTRY} from kb_entry r where r.tenant_id = :tenant and r.id = :id and ${inReach('r')}`, KB_ENTRY_JSON));
const PENDING = polled(list<KbEntryDto, { workspaceId: string; limit: number }>('kb-entries.pending', 'workspace',
  `select ${KB_ENTRY} from kb_entry r where r.tenant_id = :tenant and r.workspace_id = :workspaceId and r.status = 'pending'
   order by r.created_at, r.id limit :limit`, { visible, json: KB_ENTRY_JSON }));
const LIST = polled(page<KbEntryDto, { workspaceId: string; status?: string; limit: number }>('kb-entries.list', 'workspace', {
  rows: `select k.* from kb_entry k where k.tenant_id = :tenant and k.workspace_id = :workspaceId and (:status::text is null or k.status = :status)
      and (:after0::timestamptz is null or (k.created_at, k.id) < (:after0::timestamptz, :after1::uuid))
    order by k.created_at desc, k.id desc limit :limit + 1`,
  position: [time('r.created_at'), 'r.id'],
  item: KB_ENTRY, visible, json: KB_ENTRY_JSON,
}));
/** The version that stands, and those before it. */
const VERSIONS = polled(list<KbEntryVersionDto, { id: string }>('kb-entries.versions', 'workspace', `
  select * from (
    select r.version, r.question, r.answer, r.alternate_questions as "alternateQuestions", r.labels, ${time('r.valid_until')} as "validUntil", r.changed_by as "changedBy", r.change_reason as reason
    from kb_entry r where r.tenant_id = :tenant and r.id = :id
    union all
    select v.version, v.content ->> 'question', v.content ->> 'answer', array(select jsonb_array_elements_text(v.content -> 'alternateQuestions')),
      array(select jsonb_array_elements_text(v.content -> 'labels')), v.content ->> 'validUntil', v.changed_by, v.reason
    from kb_entry_version v where v.tenant_id = :tenant and v.entry_id = :id) r order by r.version desc`,
{ visible: `exists (select from kb_entry e where e.tenant_id = :tenant and e.id = :id and ${inReach('e')})` }));

@Injectable()
export class KbEntriesService {
  constructor(private readonly db: Database, private readonly finder: KbSearchService) {}

  list(caller: Caller, workspaceId: string, { status, limit = 25, cursor }: ListKbEntriesDto): Promise<Json<Page<KbEntryDto>>> {
    return this.db.page(caller, LIST, { workspaceId, status }, { limit, cursor });
  }

  /** Oldest first. */
  pending(caller: Caller, workspaceId: string, { limit = 500 }: PendingDto): Promise<Json<KbEntryDto[]>> {
    return this.db.read(caller, PENDING, { workspaceId, limit });
  }

  versions(caller: Caller, id: string): Promise<Json<KbEntryVersionDto[]>> {
    return this.db.read(caller, VERSIONS, { id });
  }

  get(caller: Caller, id: string): Promise<Json<KbEntryDto>> {
    return this.db.read(caller, GET, { id });
  }

  create(caller: Caller, workspaceId: string, { confidence, validUntil, ...body }: CreateKbEntryDto): Promise<Json<KbEntryCreatedDto>> {
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
      tx.within(workspaceId);
      await this.assertEvidence(tx, workspaceId, body.evidence ?? []);
      const id = uuid();
      const [similar = []] = await this.finder.alike(tx, workspaceId, [body]);
      await tx.insert(KbEntryEntity, {
        status: 'approved', ...body, id, workspaceId, language: body.language ?? workspace.primaryLanguage,
        confidence: confidence ?? null, validUntil: validUntil ? new Date(validUntil) : null,
        duplicateOfId: similar[0]?.kbEntryId ?? null, changedBy: callerId(caller),
      });
      return Json.of({ ...(await tx.read(GET, { id })).parse(), similar }).created();
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

  /** @throws NotFoundException, ConflictException: it is not approved */
  archive(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const [archived] = await tx.query<{ workspaceId: string }>(`update kb_entry r set status = 'archived', updated_at = now()
        where r.tenant_id = :tenant and r.id = :id and r.status = 'approved' and ${inReach('r')} returning r.workspace_id as "workspaceId"`, { id });
      if (!archived) throw await this.refusal(tx, id, 'Only an approved entry can be archived');
      tx.within(archived.workspaceId);
      return ok();
    });
  }

  /** The version before is kept. @throws NotFoundException, ConflictException: it is no longer pending */
  edit(caller: Caller, id: string, { validUntil, reason, ...body }: EditKbEntryDto): Promise<Json<KbEntryDto>> {
    return this.db.transaction(caller, async (tx) => {
      const [edited] = await tx.query<{ workspaceId: string }>(`with before as (
          select r.* from kb_entry r where r.tenant_id = :tenant and r.id = :id and r.status = 'pending' and ${inReach('r')} for update
        ), kept as (
          insert into kb_entry_version (tenant_id, entry_id, version, content, changed_by, reason, created_at)
          select r.tenant_id, r.id, r.version, jsonb_build_object('question', r.question, 'answer', r.answer, 'alternateQuestions', r.alternate_questions, 'labels', r.labels, 'validUntil', ${time('r.valid_until')}),
            r.changed_by, r.change_reason, r.updated_at from before r
        )
        update kb_entry r set question = coalesce(:question, r.question), answer = coalesce(:answer, r.answer), alternate_questions = coalesce(:alternateQuestions::text[], r.alternate_questions),
          labels = coalesce(:labels::text[], r.labels), valid_until = case when :ends then :validUntil::timestamptz else r.valid_until end,
          version = r.version + 1, changed_by = :by, change_reason = :reason, updated_at = now()
        from before b where r.tenant_id = b.tenant_id and r.id = b.id returning r.workspace_id as "workspaceId"`,
      { ...body, id, ends: validUntil !== undefined, validUntil: validUntil ?? null, reason: reason ?? null, by: callerId(caller) });
      if (!edited) throw await this.refusal(tx, id, 'Only a pending entry can be edited');
      tx.within(edited.workspaceId);
      return tx.read(GET, { id });
    });
  }

  remove(caller: Caller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      const [entry] = await tx.query<{ workspaceId: string }>(`select r.workspace_id as "workspaceId" from kb_entry r where r.tenant_id = :tenant and r.id = :id and ${inReach('r')} for update`, { id });
      if (!entry) throw notFound();
      tx.within(entry.workspaceId);
      await tx.query('update kb_entry set duplicate_of_id = null where tenant_id = :tenant and duplicate_of_id = :id', { id });
      await tx.query('delete from kb_entry where tenant_id = :tenant and id = :id', { id });
      return ok();
    });
  }

  private async refusal(tx: Tx, id: string, sentence: string): Promise<ConflictException> {
    const { status } = (await tx.read(GET, { id })).parse();
    return new ConflictException(`${sentence}; this one is ${status}`);
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
      throw await this.refusal(tx, id, `Only a pending entry can be ${status}`);
    });
  }

  /**
   * Entries lose the evidence that lies in these conversations. What nobody has approved may quote the person and goes
   * altogether; what was approved is the workspace's own knowledge, but for what it was before.
   */
  async eraseContact(tx: Tx, conversationIds: readonly string[]): Promise<{ kbEntries: number; kbEvidence: number }> {
    const touched = await tx.query<{ id: string; approved: boolean }>(`with theirs as materialized (select unnest(:conversationIds::uuid[]) as id)
      select k.id, k.status in ('approved', 'archived') as approved from kb_entry k where k.tenant_id = :tenant and k.evidence <> '[]'
        and exists (select from jsonb_array_elements(k.evidence) e where (e ->> 'conversationId')::uuid in (select id from theirs)) order by k.id for update`, { conversationIds });
    const [kept, gone] = [touched.filter(({ approved }) => approved), touched.filter(({ approved }) => !approved)].map((entries) => entries.map(({ id }) => id));
    await tx.query(`update kb_entry k set updated_at = now(), evidence = (select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(k.evidence) e
      where (e ->> 'conversationId')::uuid <> all(:conversationIds::uuid[])) where k.tenant_id = :tenant and k.id = any(:kept::uuid[])`, { conversationIds, kept });
    await tx.query('delete from kb_entry_version where tenant_id = :tenant and entry_id = any(:kept::uuid[])', { kept });
    await tx.query('update kb_entry set duplicate_of_id = null where tenant_id = :tenant and duplicate_of_id = any(:gone::uuid[])', { gone });
    await tx.query('delete from kb_entry where tenant_id = :tenant and id = any(:gone::uuid[])', { gone });
    return { kbEntries: gone!.length, kbEvidence: kept!.length };
  }
}
