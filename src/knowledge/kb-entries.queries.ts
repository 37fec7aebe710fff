import { projection, time } from '../database/statement.js';
import type { KbEntryDto } from './kb-entries.dto.js';

export const KB_ENTRY = projection<KbEntryDto>({
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
/** How it becomes JSON. Unlike every other absent value, a confidence that nobody gave is missing rather than null. */
export const KB_ENTRY_JSON = `to_jsonb(r) - case when r.confidence is null then 'confidence' else '' end`;
