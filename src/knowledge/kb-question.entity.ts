import { Entity, ForeignKey } from 'typeorm';
import { IndexedText, Posting } from '../review/index.entity.js';

@Entity('kb_question')
@ForeignKey('kb_entry', ['tenantId', 'entryId'], ['tenantId', 'id'], { onDelete: 'CASCADE' })
export class KbQuestionEntity extends IndexedText {}

@Entity('kb_posting')
export class KbPostingEntity extends Posting {}
