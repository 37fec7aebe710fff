import { Injectable } from '@nestjs/common';
import { ATTENTION_ITEM } from '../attention/attention-items.queries.js';
import { type Caller, callerId } from '../caller/caller.js';
import { CONTACT, type Self, VISIBLE } from '../contacts/contacts.queries.js';
import { CONVERSATION } from '../conversations/conversations.queries.js';
import { MESSAGE } from '../conversations/messages.queries.js';
import { Database } from '../database/database.js';
import { inReach, one } from '../database/statement.js';
import type { Json } from '../http/json.js';
import { EVENT } from '../identity/identity-events.service.js';
import type { ContactExportDto } from './people.dto.js';

const all = (rows: string): string => `(select coalesce(json_agg(row_to_json(v)), '[]') from (${rows}) v)`;
/** A conversation `r` of the person's. */
const THEIRS = `conversation r where r.tenant_id = :tenant and r.contact_id = any(p.ids) and ${inReach('r')}`;

/** The person `p`: the contact with all that was merged into it. */
const EXPORT = one<ContactExportDto, Self & { id: string }>('contacts.export', 'workspace', `select
    ${all(`select ${CONTACT} from contact r where r.tenant_id = :tenant and r.id = any(p.ids) order by r.merged_into_id is not null, r.created_at, r.id`)} as contacts,
    ${all(`select ${CONVERSATION}, (select coalesce(json_agg(row_to_json(m)), '[]') from (select ${MESSAGE} from message r where r.tenant_id = :tenant and r.conversation_id = o.conversation_id order by r.sequence) m) as messages
      from (select * from ${THEIRS}) r cross join lateral (select r.id as conversation_id) o order by r.created_at, r.id`)} as conversations,
    ${all(`select ${EVENT} from identity_event e where e.tenant_id = :tenant and e.factor_bound_to_principal = any(p.ids) order by e.occurred_at, e.written`)} as "identityEvents",
    ${all(`select ${ATTENTION_ITEM} from attention_item r where r.tenant_id = :tenant and r.conversation_id in (select r.id from ${THEIRS}) order by r.created_at, r.id`)} as "attentionItems"
  from (select array(select k.id from contact k where k.tenant_id = r.tenant_id and coalesce(r.merged_into_id, r.id) in (k.id, k.merged_into_id)) as ids
    from contact r where r.tenant_id = :tenant and r.id = :id and ${VISIBLE}) p`);

/** What is kept about a person (GDPR, article 15). */
@Injectable()
export class ExportService {
  constructor(private readonly db: Database) {}

  export(caller: Caller, id: string): Promise<Json<ContactExportDto>> {
    return this.db.read(caller, EXPORT, { id, self: callerId(caller) });
  }
}
