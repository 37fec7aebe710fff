import { ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller } from "../platform/caller/caller.js";
import { callerId } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { notFound } from "../platform/http/errors.js";
import type { Json, Page } from "../platform/http/json.js";
import type {
  ContactDto,
  CreateContactDto,
  ListContactsDto,
  SearchContactsDto,
  UpdateContactDto,
} from "./contacts.dto.js";
import { ContactEntity } from "./contact.entity.js";
import { ACCOUNT_IN_REACH, CONTACT_IN_REACH, GET, listStatement, SEARCH, VISIBLE } from "./contacts.queries.js";

export const EXISTS = "A contact with this externalId exists already";
const merged = (id: string) => new ConflictException(`The contact was merged into ${id}, which stands for it now`);

/** What a change may set, with its column; JSON as text. */
const COLUMNS = {
  externalId: "external_id = :externalId",
  name: "name = :name",
  language: "language = :language",
  labels: "labels = :labels::text[]",
  attributes: "attributes = :attributes::jsonb",
  blocked: "blocked = :blocked::boolean",
} as const;

/** Whoever writes, as a channel knows them: an email in lower case, or a phone number in E.164. */
export interface Sender {
  kind: "email" | "phone";
  value: string;
  name?: string | null;
}

@Injectable()
export class ContactsService {
  constructor(private readonly db: Database) {}

  /** Newest first. */
  list(caller: Caller, { externalId, limit = 25, cursor }: ListContactsDto): Promise<Json<Page<ContactDto>>> {
    return this.db.page(
      caller,
      listStatement(caller.reach.level !== "tenant", externalId),
      { externalId, self: callerId(caller) },
      { limit, cursor },
    );
  }

  /** Closest first. */
  search(caller: Caller, { q, limit = 25, cursor }: SearchContactsDto): Promise<Json<Page<ContactDto>>> {
    return this.db.page(caller, SEARCH, { q, self: callerId(caller) }, { limit, cursor });
  }

  get(caller: Caller, id: string): Promise<Json<ContactDto>> {
    return this.db.read(caller, GET, { id, self: callerId(caller) });
  }

  /** @throws ConflictException: the externalId is taken */
  create(caller: Caller, body: CreateContactDto): Promise<Json<ContactDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { id, added } = await this.findOrAdd(tx, body);
      if (!added) throw new ConflictException(EXISTS);
      return (await this.read(tx, id)).created();
    });
  }

  /**
   * What is given replaces what was; an address that stays keeps its proof.
   * @throws NotFoundException, ConflictException: it was merged, or the externalId is taken
   */
  update(caller: Caller, id: string, body: UpdateContactDto): Promise<Json<ContactDto>> {
    const names = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).filter((name) => body[name] !== undefined);
    if (!names.length && !body.emails && !body.phones) return this.get(caller, id);
    return this.db.transaction(caller, async (tx) => {
      if (body.externalId) await this.assertFree(tx, body.externalId, id);
      await this.change(
        tx,
        id,
        names.map((name) => COLUMNS[name]),
        { ...body, attributes: JSON.stringify(body.attributes) },
      );
      if (body.emails) await this.setPoints(tx, id, "email", body.emails);
      if (body.phones) await this.setPoints(tx, id, "phone", body.phones);
      // Once this is committed, no message of the contact's comes in: those that are under way are waited for.
      if (body.blocked)
        await tx.query(`select pg_advisory_xact_lock(hashtextextended('block ' || :id::uuid, 0))`, { id });
      return this.read(tx, id);
    });
  }

  /** @throws NotFoundException (the contact, or the account), ConflictException: it was merged */
  link(caller: Caller, id: string, accountId: string): Promise<Json<ContactDto>> {
    return this.db.transaction(caller, async (tx) => {
      const [account] = await tx.query(
        `select r.id from account r where r.tenant_id = :tenant and r.id = :accountId and ${ACCOUNT_IN_REACH} for key share of r`,
        { accountId, self: callerId(caller) },
      );
      if (!account) throw notFound();
      await this.change(tx, id, ["account_id = :accountId::uuid"], { accountId });
      return this.read(tx, id);
    });
  }

  /** @throws NotFoundException, ConflictException: it was merged */
  unlink(caller: Caller, id: string): Promise<Json<ContactDto>> {
    return this.db.transaction(caller, async (tx) => {
      await this.change(tx, id, ["account_id = null"], {});
      return this.read(tx, id);
    });
  }

  private read(tx: Tx, id: string): Promise<Json<ContactDto>> {
    return tx.read(GET, { id, self: callerId(tx.caller) });
  }

  private async assertFree(tx: Tx, externalId: string, id: string): Promise<void> {
    const [other] = await tx.query(
      "select 1 from contact where tenant_id = :tenant and external_id = :externalId and id <> :id",
      { externalId, id },
    );
    if (other) throw new ConflictException(EXISTS);
  }

  /** One conditional update decides whether the contact is still there, and itself. */
  private async change(tx: Tx, id: string, sets: readonly string[], values: object): Promise<void> {
    const [changed] = await tx.query(
      `update contact r set ${[...sets, "updated_at = now()"].join(", ")}
      where r.tenant_id = :tenant and r.id = :id and r.merged_into_id is null and ${VISIBLE} returning r.id`,
      { ...values, id, self: callerId(tx.caller) },
    );
    if (!changed) throw merged((await this.read(tx, id)).parse().mergedIntoId!);
  }

  /** The contact's row is held. */
  private async setPoints(tx: Tx, id: string, kind: "email" | "phone", values: readonly string[]): Promise<void> {
    await tx.query(
      "delete from contact_point where tenant_id = :tenant and contact_id = :id and kind = :kind and value <> all(:values::text[])",
      { id, kind, values },
    );
    if (!values.length) return;
    await tx.query(
      `insert into contact_point (tenant_id, id, contact_id, kind, value, position)
      select :tenant, gen_random_uuid(), :id, :kind, p.value, p.place - 1 from unnest(:values::text[]) with ordinality as p (value, place)
      on conflict (tenant_id, contact_id, kind, value) do update set position = excluded.position`,
      { id, kind, values },
    );
  }

  /**
   * The contact is there until the transaction ends: whoever binds something to it asks here first. An erasure, a deletion
   * or a merge under way is waited for, and then there is no such contact, or another one stands for it.
   * @throws NotFoundException unless the caller may see the contact, ConflictException: it was merged
   */
  async assertVisible(tx: Tx, id: string): Promise<void> {
    const [row] = await tx.query<{ mergedIntoId: string | null }>(
      `select r.merged_into_id as "mergedIntoId" from contact r where r.tenant_id = :tenant and r.id = :id and ${VISIBLE} for key share of r`,
      { id, self: callerId(tx.caller) },
    );
    if (!row) throw notFound();
    if (row.mergedIntoId) throw merged(row.mergedIntoId);
  }

  /** The contact with this externalId, unchanged, or a new one. */
  async findOrAdd(
    tx: Tx,
    { emails = [], phones = [], ...values }: CreateContactDto,
  ): Promise<{ id: string; added: boolean }> {
    const id = uuid();
    if (values.externalId) {
      const [known] = await tx.query<{ id: string }>(
        "select id from contact where tenant_id = :tenant and external_id = :externalId for key share",
        { externalId: values.externalId },
      );
      if (known) return { id: known.id, added: false };
    }
    await tx.insert(ContactEntity, { id, ...values, createdBy: callerId(tx.caller) });
    const given = [
      ...emails.map((value) => ({ kind: "email", value })),
      ...phones.map((value) => ({ kind: "phone", value })),
    ];
    if (given.length) {
      await tx.query(
        `insert into contact_point (tenant_id, id, contact_id, kind, value, position)
        select :tenant, gen_random_uuid(), :id, p.kind, p.value, p.position from jsonb_to_recordset(:given) as p (kind text, value text, position integer)`,
        { id, given: JSON.stringify(given.map((point, position) => ({ ...point, position }))) },
      );
    }
    return { id, added: true };
  }

  /**
   * Whose address this is: of those who claim it, whoever proved it, otherwise the one who had it first; or a new contact.
   * The caller holds a lock on the address, so that two at once make one.
   */
  async withAddress(tx: Tx, { name, ...address }: Sender): Promise<{ id: string; blocked: boolean }> {
    const known = await this.atAddress(tx, address);
    if (known) return known;
    const { id } = await this.findOrAdd(tx, {
      name: name ?? null,
      [address.kind === "email" ? "emails" : "phones"]: [address.value],
    });
    return { id, blocked: false };
  }

  /** The same, without a new contact. */
  async atAddress(
    tx: Tx,
    { kind, value }: Pick<Sender, "kind" | "value">,
  ): Promise<{ id: string; blocked: boolean } | undefined> {
    const [known] = await tx.query<{ id: string; blocked: boolean }>(
      `select k.id, k.blocked from contact_point p join contact k on k.tenant_id = p.tenant_id and k.id = p.contact_id
      where p.tenant_id = :tenant and p.kind = :kind and p.value = :value and k.erased_at is null and k.deleted_at is null and k.merged_into_id is null
      order by p.verified_at is null, k.created_at, k.id limit 1 for key share of k`,
      { kind, value },
    );
    return known;
  }

  /** A contact that writes, or whoever it was merged into. @throws NotFoundException: it is deleted or erased */
  async senderOf(tx: Tx, id: string): Promise<{ id: string; blocked: boolean }> {
    const [sender] = await tx.query<{ id: string; blocked: boolean }>(
      `select k.id, k.blocked from contact r join contact k on k.tenant_id = r.tenant_id and k.id = coalesce(r.merged_into_id, r.id)
      where r.tenant_id = :tenant and r.id = :id and k.erased_at is null and k.deleted_at is null for key share of k`,
      { id },
    );
    if (!sender) throw notFound();
    return sender;
  }

  /**
   * All ids of the person that a contact is, whatever was merged into what; the survivor's first.
   * @throws NotFoundException unless the caller reaches the contact; an erased one is reached as before
   */
  async personOf(tx: Tx, id: string): Promise<string[]> {
    const ids = await tx.query<{ id: string }>(
      `with recursive person as (
        select r.id, r.merged_into_id from contact r where r.tenant_id = :tenant and r.id = :id and ${CONTACT_IN_REACH}
        union
        select c.id, c.merged_into_id from person p join contact c on c.tenant_id = :tenant and (c.id = p.merged_into_id or c.merged_into_id = p.id))
      select id from person order by merged_into_id is not null, id`,
      { id, self: callerId(tx.caller) },
    );
    if (!ids.length) throw notFound();
    return ids.map((contact) => contact.id);
  }

  /** Waits for whoever binds something to these contacts; nothing can be bound to them any more until the transaction ends. */
  async hold(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query(
      "select 1 from contact where tenant_id = :tenant and id = any(:ids::uuid[]) and erased_at is null order by id for update",
      { ids },
    );
  }

  /** Where the contacts are reached: emails and phone numbers. */
  async addressesOf(tx: Tx, ids: readonly string[]): Promise<string[]> {
    return (
      await tx.query<{ value: string }>(
        "select distinct value from contact_point where tenant_id = :tenant and contact_id = any(:ids::uuid[])",
        { ids },
      )
    ).map(({ value }) => value);
  }

  /** Nobody sees them any more. What only one contact can have, they let go of: their externalId and the proof of their addresses. */
  async hide(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query(
      "update contact_point set verified_at = null where tenant_id = :tenant and contact_id = any(:ids::uuid[]) and verified_at is not null",
      { ids },
    );
    await tx.query(
      "update contact set deleted_at = now(), external_id = null, account_id = null, updated_at = now() where tenant_id = :tenant and id = any(:ids::uuid[]) and deleted_at is null",
      { ids },
    );
  }

  /** Locks contacts that were deleted longer ago than `keptFor`, a PostgreSQL interval, and are not purged yet. */
  async deletedLongAgo(tx: Tx, keptFor: string, limit: number): Promise<string[]> {
    return (
      await tx.query<{ id: string }>(
        `select id from contact where tenant_id = :tenant and deleted_at <= now() - :keptFor::interval and erased_at is null order by id limit :limit for update`,
        { keptFor, limit },
      )
    ).map(({ id }) => id);
  }

  /** What stays is a shell without content: conversations, as anonymous statistics, go on naming it. */
  async eraseContact(tx: Tx, ids: readonly string[]): Promise<{ contacts: number; contactPoints: number }> {
    const [erased] = await tx.query<{ contacts: number; contactPoints: number }>(
      `with points as (
        delete from contact_point where tenant_id = :tenant and contact_id = any(:ids::uuid[]) returning 1
      ), shells as (
        update contact set external_id = null, name = null, language = null, account_id = null, labels = '{}', attributes = '{}', blocked = false,
          merged_into_id = null, last_seen_at = null, updated_at = now(), erased_at = now()
        where tenant_id = :tenant and id = any(:ids::uuid[]) and erased_at is null returning 1
      ) select (select count(*)::int from shells) as contacts, (select count(*)::int from points) as "contactPoints"`,
      { ids },
    );
    return erased!;
  }
}
