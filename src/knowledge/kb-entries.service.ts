import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { type Caller, callerId } from '../caller/caller.js';
import { Database } from '../database/database.js';
import type { Tx } from '../database/transaction.js';
import type { Json } from '../http/json.js';
import { EntryImport } from '../review/entry-import.js';
import { assertEvidence, eraseEvidence } from '../review/evidence.js';
import { Life } from '../review/life.js';
import { WorkspaceEntity } from '../workspaces/workspace.entity.js';
import { CreateKbEntryDto, type KbEntryDto, type KbEntryVersionDto } from './kb-entries.dto.js';
import { KB_ENTRIES } from './kb-entries.queries.js';
import { KbEntryEntity } from './kb-entry.entity.js';
import { EntrySearch } from './kb-search.service.js';

@Injectable()
export class KbEntriesService {
  readonly life: Life<KbEntryDto, KbEntryVersionDto>;
  readonly lines: EntryImport<KbEntryDto, CreateKbEntryDto>;

  constructor(private readonly db: Database, private readonly finder: EntrySearch<KbEntryDto>) {
    this.life = new Life(db, KB_ENTRIES);
    this.lines = new EntryImport(db, this.life, {
      table: 'kb_entry', type: CreateKbEntryDto, from: ({ primaryLanguage }) => ({ language: primaryLanguage }),
      fields: { question: 'text', answer: 'text', alternateQuestions: 'list', language: 'text', labels: 'list', validUntil: 'text', status: 'text' },
    });
  }

  create(caller: Caller, workspaceId: string, { confidence, validUntil, ...body }: CreateKbEntryDto): Promise<Json<KbEntryDto>> {
    return this.db.transaction(caller, async (tx) => {
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: workspaceId });
      tx.within(workspaceId);
      await assertEvidence(tx, workspaceId, body.evidence ?? []);
      const id = uuid();
      const duplicateOfId = await this.finder.duplicateOf(tx, workspaceId, body.question);
      await tx.insert(KbEntryEntity, {
        status: 'approved', ...body, id, workspaceId, language: body.language ?? workspace.primaryLanguage,
        confidence: confidence ?? null, validUntil: validUntil ? new Date(validUntil) : null,
        duplicateOfId, changedBy: callerId(caller),
      });
      return (await tx.read(this.life.reads.get, { id })).created();
    });
  }

  async eraseContact(tx: Tx, conversationIds: readonly string[]): Promise<{ kbEntries: number; kbEvidence: number }> {
    const { entries, evidence } = await eraseEvidence(tx, 'kb_entry', conversationIds);
    return { kbEntries: entries, kbEvidence: evidence };
  }
}
