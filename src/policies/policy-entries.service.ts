import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { type Caller, callerId } from '../caller/caller.js';
import { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import type { Json } from '../http/json.js';
import { EntrySearch } from '../knowledge/kb-search.service.js';
import { EntryImport } from '../review/entry-import.js';
import { assertEvidence, eraseEvidence } from '../review/evidence.js';
import { Life } from '../review/life.js';
import { WorkspaceEntity } from '../workspaces/workspace.entity.js';
import { CreatePolicyEntryDto, type PolicyEntryDto, type PolicyEntryVersionDto } from './policy-entries.dto.js';
import { POLICY_ENTRIES } from './policy-entries.queries.js';
import { PolicyEntryEntity } from './policy-entry.entity.js';

@Injectable()
export class PolicyEntriesService {
  readonly life: Life<PolicyEntryDto, PolicyEntryVersionDto>;
  readonly lines: EntryImport<PolicyEntryDto, CreatePolicyEntryDto>;

  constructor(private readonly db: Database, private readonly finder: EntrySearch<PolicyEntryDto>) {
    this.life = new Life(db, POLICY_ENTRIES);
    this.lines = new EntryImport(db, this.life, {
      table: 'policy_entry', type: CreatePolicyEntryDto, fields: {
        title: 'text', rule: 'text', category: 'text', effect: 'text', tools: 'list', conditions: 'json', requiredAssuranceLevel: 'text', priority: 'json', validUntil: 'text', status: 'text',
      },
    });
  }

  create(caller: Caller, workspaceId: string, { validUntil, ...body }: CreatePolicyEntryDto): Promise<Json<PolicyEntryDto>> {
    return this.db.transaction(caller, async (tx) => {
      await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
      tx.within(workspaceId);
      await assertEvidence(tx, workspaceId, body.evidence ?? []);
      const id = uuid();
      const duplicateOfId = await this.finder.duplicateOf(tx, workspaceId, body.title);
      await tx.insert(PolicyEntryEntity, { status: 'approved', ...body, id, workspaceId, validUntil: validUntil ? new Date(validUntil) : null, duplicateOfId, changedBy: callerId(caller) });
      return (await tx.read(this.life.reads.get, { id })).created();
    });
  }

  async eraseContact(tx: Tx, conversationIds: readonly string[]): Promise<{ policyEntries: number; policyEvidence: number }> {
    const { entries, evidence } = await eraseEvidence(tx, 'policy_entry', conversationIds);
    return { policyEntries: entries, policyEvidence: evidence };
  }
}
