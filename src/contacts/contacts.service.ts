import { ConflictException, Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import type { Caller } from '../caller/caller.js';
import { callerId } from '../caller/caller.js';
import { Database } from '../database/database.js';
import { one, page, polled, projection, REACHABLE, time } from '../database/statement.js';
import type { Tx } from '../database/transaction.js';
import { notFound } from '../http/errors.js';
import type { Json, Page } from '../http/json.js';
import type { ContactDto, CreateContactDto, ListContactsDto } from './contacts.dto.js';
import { ContactEntity } from './contact.entity.js';

const points = (kind: 'email' | 'phone'): string => `(select coalesce(json_agg(json_build_object('value', p.value, 'verifiedAt', ${time('p.verified_at')}) order by p.position), '[]')
  from contact_point p where p.tenant_id = r.tenant_id and p.contact_id = r.id and p.kind = '${kind}')`;

const CONTACT = projection<ContactDto>({
  id: 'r.id',
  externalId: 'r.external_id',
  name: 'r.name',
  emails: points('email'),
  phones: points('phone'),
  language: 'r.language',
  accountId: 'r.account_id',
  labels: 'r.labels',
  attributes: 'r.attributes',
  blocked: 'r.blocked',
  mergedIntoId: 'r.merged_into_id',
  lastSeenAt: time('r.last_seen_at'),
  createdAt: time('r.created_at'),
  updatedAt: time('r.updated_at'),
});

/** A restricted caller reaches a contact `r` that appears in its workspaces, or that it made itself. */
export const CONTACT_IN_REACH = `((:brand::uuid is null and :workspaces::uuid[] is null) or r.created_by = :self::uuid
  or exists (select from conversation c join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id
    where c.tenant_id = r.tenant_id and c.contact_id = r.id and ${REACHABLE}))`;
/** An erased contact is shown to nobody. */
const VISIBLE = `r.erased_at is null and ${CONTACT_IN_REACH}`;

interface Self { self: string | null }
const GET = polled(one<ContactDto, Self & { id: string }>('contacts.get', 'workspace', `select ${CONTACT} from contact r where r.tenant_id = :tenant and r.id = :id and ${VISIBLE}`));
const LIST = polled(page<ContactDto, Self & { externalId?: string; limit: number }>('contacts.list', 'workspace', {
  rows: `select r.* from contact r where r.tenant_id = :tenant and (:externalId::text is null or r.external_id = :externalId) and ${VISIBLE}
      and (:after0::timestamptz is null or (r.created_at, r.id) < (:after0::timestamptz, :after1::uuid))
    order by r.created_at desc, r.id desc limit :limit + 1`,
  position: [time('r.created_at'), 'r.id'],
  item: CONTACT,
}));

@Injectable()
export class ContactsService {
  constructor(private readonly db: Database) {}

  list(caller: Caller, { externalId, limit = 25, cursor }: ListContactsDto): Promise<Json<Page<ContactDto>>> {
    return this.db.page(caller, LIST, { externalId, self: callerId(caller) }, { limit, cursor });
  }

  get(caller: Caller, id: string): Promise<Json<ContactDto>> {
    return this.db.read(caller, GET, { id, self: callerId(caller) });
  }

  /** @throws ConflictException: the externalId is taken */
  create(caller: Caller, body: CreateContactDto): Promise<Json<ContactDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { id, added } = await this.findOrAdd(tx, body);
      if (!added) throw new ConflictException('A contact with this externalId exists already');
      return (await tx.read(GET, { id, self: callerId(caller) })).created();
    });
  }

  /**
   * The contact is there until the transaction ends: whoever binds something to it asks here first. An erasure under way is
   * waited for, and then there is no such contact.
   * @throws NotFoundException unless the caller may see the contact
   */
  async assertVisible(tx: Tx, id: string): Promise<void> {
    const [row] = await tx.query(`select r.id from contact r where r.tenant_id = :tenant and r.id = :id and ${VISIBLE} for key share of r`, { id, self: callerId(tx.caller) });
    if (!row) throw notFound();
  }

  /** The contact with this externalId, unchanged, or a new one. */
  async findOrAdd(tx: Tx, { emails = [], phones = [], ...values }: CreateContactDto): Promise<{ id: string; added: boolean }> {
    const id = uuid();
    if (values.externalId) {
      const [known] = await tx.query<{ id: string }>('select id from contact where tenant_id = :tenant and external_id = :externalId for key share', { externalId: values.externalId });
      if (known) return { id: known.id, added: false };
    }
    await tx.insert(ContactEntity, { id, ...values, createdBy: callerId(tx.caller) });
    const given = [...emails.map((value) => ({ kind: 'email', value })), ...phones.map((value) => ({ kind: 'phone', value }))];
    if (given.length) {
      await tx.query(`insert into contact_point (tenant_id, id, contact_id, kind, value, position)
        select :tenant, gen_random_uuid(), :id, p.kind, p.value, p.position from jsonb_to_recordset(:given) as p (kind text, value text, position integer)`,
      { id, given: JSON.stringify(given.map((point, position) => ({ ...point, position }))) });
    }
    return { id, added: true };
  }

  /**
   * All ids of the person that a contact is, whatever was merged into what; the survivor's first.
   * @throws NotFoundException unless the caller reaches the contact; an erased one is reached as before
   */
  async personOf(tx: Tx, id: string): Promise<string[]> {
    const ids = await tx.query<{ id: string }>(`with recursive person as (
        select r.id, r.merged_into_id from contact r where r.tenant_id = :tenant and r.id = :id and ${CONTACT_IN_REACH}
        union
        select c.id, c.merged_into_id from person p join contact c on c.tenant_id = :tenant and (c.id = p.merged_into_id or c.merged_into_id = p.id))
      select id from person order by merged_into_id is not null, id`, { id, self: callerId(tx.caller) });
    if (!ids.length) throw notFound();
    return ids.map((contact) => contact.id);
  }

  /** Waits for whoever binds something to these contacts; nothing can be bound to them any more until the transaction ends. */
  async hold(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query('select 1 from contact where tenant_id = :tenant and id = any(:ids::uuid[]) and erased_at is null order by id for update', { ids });
  }

  /** Where the contacts are reached: emails and phone numbers. */
  async addressesOf(tx: Tx, ids: readonly string[]): Promise<string[]> {
    return (await tx.query<{ value: string }>('select distinct value from contact_point where tenant_id = :tenant and contact_id = any(:ids::uuid[])', { ids })).map(({ value }) => value);
  }

  /** What stays is a shell without content: conversations, as anonymous statistics, go on naming it. */
  async eraseContact(tx: Tx, ids: readonly string[]): Promise<{ contacts: number; contactPoints: number }> {
    const [erased] = await tx.query<{ contacts: number; contactPoints: number }>(`with points as (
        delete from contact_point where tenant_id = :tenant and contact_id = any(:ids::uuid[]) returning 1
      ), shells as (
        update contact set external_id = null, name = null, language = null, account_id = null, labels = '{}', attributes = '{}', blocked = false,
          merged_into_id = null, last_seen_at = null, updated_at = now(), erased_at = now()
        where tenant_id = :tenant and id = any(:ids::uuid[]) and erased_at is null returning 1
      ) select (select count(*)::int from shells) as contacts, (select count(*)::int from points) as "contactPoints"`, { ids });
    return erased!;
  }
}
