import { ConflictException, Injectable } from "@nestjs/common";
import { In, IsNull, Not } from "typeorm";
import { v7 as uuid } from "uuid";
import type { Caller } from "../platform/caller/caller.js";
import { callerId } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import { inTurns } from "../platform/database/turns.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { coded } from "../platform/http/error-codes.js";
import { notFound } from "../platform/http/errors.js";
import type { Json, Page } from "../platform/http/json.js";
import type {
  ContactDto,
  CreateContactDto,
  ListContactsDto,
  SearchContactsDto,
  UpdateContactDto,
} from "./contacts.dto.js";
import { ContactsLocking } from "./contact-events.js";
import { ContactEntity, ContactPointEntity } from "./contact.entity.js";
import { listStatement, SEARCH_CONTACTS } from "./contact-list.queries.js";
import {
  type ContactChange,
  EMPTY,
  FIND_BY_EXTERNAL_ID,
  FIND_ELSEWHERE,
  FIND_PERSON,
  GET_CONTACT,
  LOCK_ACCOUNT,
  LOCK_BLOCKING,
  LOCK_BY_ADDRESS,
  LOCK_BY_EXTERNAL_ID,
  LOCK_DUE_FOR_PURGE,
  LOCK_IDENTIFIED,
  LOCK_SENDER,
  LOCK_VISIBLE,
  SET_POINTS,
  updateStatement,
  VOUCH_WITHIN,
} from "./contacts.queries.js";

export const EXTERNAL_ID_TAKEN = "A contact with this externalId exists already";
export const merged = (id: string) =>
  new ConflictException(`The contact was merged into ${id}, which stands for it now`);

/** The sender of a message, as a channel knows them: an email in lower case, or a phone number in E.164. */
export interface Sender {
  kind: "email" | "phone";
  value: string;
  name?: string | null;
}

@Injectable()
export class ContactsService {
  private readonly inTurn = inTurns();

  constructor(
    private readonly db: Database,
    private readonly events: DomainEvents,
  ) {}

  list(
    caller: Caller,
    { limit = 25, cursor, sort = "recent", ...given }: ListContactsDto,
  ): Promise<Json<Page<ContactDto>>> {
    const filters = { ...given, sort };
    return this.db.page(
      caller,
      listStatement(caller.reach.level !== "tenant", filters, cursor !== undefined),
      { ...filters, self: callerId(caller) },
      { limit: filters.ids?.length ?? limit, cursor },
    );
  }

  /** Closest first. */
  search(caller: Caller, { q, limit = 25, cursor }: SearchContactsDto): Promise<Json<Page<ContactDto>>> {
    return this.inTurn(() => this.db.page(caller, SEARCH_CONTACTS, { q, self: callerId(caller) }, { limit, cursor }));
  }

  get(caller: Caller, id: string): Promise<Json<ContactDto>> {
    return this.db.read(caller, GET_CONTACT, { id, self: callerId(caller) });
  }

  /** @throws ConflictException: a contact within reach has the externalId */
  create(caller: Caller, body: CreateContactDto): Promise<Json<ContactDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { id, added } = await this.findOrAdd(tx, body);
      if (!added) throw new ConflictException(EXTERNAL_ID_TAKEN);
      return (await this.read(tx, id)).created();
    });
  }

  /**
   * Replaces the fields that are given. An address that stays keeps its proof. An externalId that a contact out of reach
   * has is not taken.
   * @throws NotFoundException, ConflictException: the contact was merged, or one within reach has the externalId
   */
  update(
    caller: Caller,
    id: string,
    { emails, phones, attributes, ...fields }: UpdateContactDto,
  ): Promise<Json<ContactDto>> {
    const given: ContactChange = { ...fields, attributes: attributes && JSON.stringify(attributes) };
    if (!emails && !phones && Object.values(given).every((value) => value === undefined)) return this.get(caller, id);
    return this.db.transaction(caller, async (tx) => {
      const taken = !given.externalId || (await this.mayTake(tx, given.externalId, id));
      const change = taken ? given : { ...given, externalId: undefined };
      await this.change(tx, id, change);
      if (emails) await this.setPoints(tx, id, "email", emails);
      if (phones) await this.setPoints(tx, id, "phone", phones);
      if (change.blocked) await tx.query(LOCK_BLOCKING, { ids: [id] });
      return this.read(tx, id);
    });
  }

  /** @throws NotFoundException (contact or account), ConflictException: the contact was merged */
  link(caller: Caller, id: string, accountId: string): Promise<Json<ContactDto>> {
    return this.db.transaction(caller, async (tx) => {
      const [account] = await tx.query(LOCK_ACCOUNT, { accountId, self: callerId(caller) });
      if (!account) throw notFound("accountId");
      return this.changeAccount(tx, id, accountId);
    });
  }

  /** @throws NotFoundException, ConflictException: the contact was merged */
  unlink(caller: Caller, id: string): Promise<Json<ContactDto>> {
    return this.db.transaction(caller, (tx) => this.changeAccount(tx, id, null));
  }

  /** Its conversations have the account, too. */
  private async changeAccount(tx: Tx, id: string, accountId: string | null): Promise<Json<ContactDto>> {
    await this.events.publish(tx, new ContactsLocking([id]));
    await this.change(tx, id, { accountId });
    return this.read(tx, id);
  }

  private read(tx: Tx, id: string): Promise<Json<ContactDto>> {
    return tx.read(GET_CONTACT, { id, self: callerId(tx.caller) });
  }

  /** Whether the externalId is free, or the contact's own. @throws ConflictException: another contact within reach has it */
  private async mayTake(tx: Tx, externalId: string, id: string): Promise<boolean> {
    const [holder] = await tx.query(FIND_BY_EXTERNAL_ID, { externalId, self: callerId(tx.caller) });
    if (!holder || holder.id === id) return true;
    if (holder.id !== null) throw new ConflictException(EXTERNAL_ID_TAKEN);
    return false;
  }

  private async change(tx: Tx, id: string, change: ContactChange): Promise<void> {
    const [changed] = await tx.query(updateStatement(change), { ...change, id, self: callerId(tx.caller) });
    if (!changed) throw merged((await this.read(tx, id)).parse().mergedIntoId!);
  }

  /** Lock the contact's row first. */
  private async setPoints(tx: Tx, id: string, kind: "email" | "phone", values: readonly string[]): Promise<void> {
    await tx.delete(ContactPointEntity, { contactId: id, kind, value: Not(In([...values])) });
    if (values.length) await tx.query(SET_POINTS, { id, kind, values });
  }

  /**
   * Locks the contact until the transaction ends. Call it before you bind something to the contact: it waits for an
   * erasure, a deletion or a merge, and then finds no contact, or that it was merged.
   * @param field what names the contact, unless the path does
   * @throws NotFoundException (the caller may not see the contact), ConflictException (it was merged)
   */
  async assertVisible(tx: Tx, id: string, field?: string): Promise<void> {
    const [row] = await tx.query(LOCK_VISIBLE, { id, self: callerId(tx.caller) });
    if (!row) throw notFound(field);
    if (row.mergedIntoId) throw merged(row.mergedIntoId);
  }

  /**
   * The contact with this externalId, unchanged, or a new one. If a contact out of the caller's reach has the externalId,
   * the new one has none. If two requests take a free one at the same time, the second fails on the unique key. Its
   * transaction runs again and finds the first.
   */
  async findOrAdd(tx: Tx, values: CreateContactDto): Promise<{ id: string; added: boolean }> {
    const [holder] = values.externalId
      ? await tx.query(LOCK_BY_EXTERNAL_ID, { externalId: values.externalId, self: callerId(tx.caller) })
      : [];
    if (holder?.id) return { id: holder.id, added: false };
    return { id: await this.add(tx, { ...values, externalId: holder ? null : values.externalId }), added: true };
  }

  /**
   * The contact that a channel knows by this externalId, or a new one. The channel proves who it is: a contact to which somebody
   * gave the externalId who does not reach the workspace loses it.
   * @param at the workspace that they write to
   */
  async identified(tx: Tx, values: CreateContactDto & { externalId: string }, at: string): Promise<{ id: string }> {
    const [known] = await tx.query(LOCK_IDENTIFIED, { externalId: values.externalId, at });
    if (known?.isVouched) return { id: known.id };
    if (known) await tx.update(ContactEntity, { id: known.id }, { externalId: null, updatedAt: () => "now()" });
    return { id: await this.add(tx, values) };
  }

  private async add(tx: Tx, { emails = [], phones = [], ...values }: CreateContactDto): Promise<string> {
    const id = uuid();
    await tx.insert(ContactEntity, { id, ...values, createdBy: callerId(tx.caller) });
    const given = [
      ...emails.map((value) => ({ kind: "email" as const, value })),
      ...phones.map((value) => ({ kind: "phone" as const, value })),
    ];
    if (given.length)
      await tx.insert(
        ContactPointEntity,
        given.map((point, position) => ({ ...point, id: uuid(), contactId: id, position, original: true })),
      );
    const claims = given.length > 0 || values.externalId;
    if (claims && tx.caller.reach.level !== "tenant") await tx.query(VOUCH_WITHIN, { id, within: null });
    return id;
  }

  /**
   * The contact with this address (see `LOCK_BY_ADDRESS`), or a new one. Lock the address first, so that two messages at
   * once make one contact.
   * @param at the workspace that they write to. An unproven address is looked up there alone, and found there alone later:
   * elsewhere it names nobody
   */
  async withAddress(
    tx: Tx,
    { name, ...address }: Sender,
    { at, isProven }: { at: string; isProven: boolean },
  ): Promise<{ id: string; blocked: boolean }> {
    const known = await this.atAddress(tx, address, { at, within: isProven ? null : at });
    if (known) return known;
    // Whoever is blocked elsewhere does not get in here, neither by an address that they need not prove.
    const elsewhere = await this.atAddress(tx, address);
    if (elsewhere?.blocked) return elsewhere;
    const { id } = await this.findOrAdd(tx, {
      name: name ?? null,
      [address.kind === "email" ? "emails" : "phones"]: [address.value],
    });
    if (!isProven) await tx.query(VOUCH_WITHIN, { id, within: at });
    return { id, blocked: false };
  }

  /** The contact with this address, if there is one. */
  async atAddress(
    tx: Tx,
    { kind, value }: Pick<Sender, "kind" | "value">,
    { within = null, at = null }: { within?: string | null; at?: string | null } = {},
  ): Promise<{ id: string; blocked: boolean } | undefined> {
    const [known] = await tx.query(LOCK_BY_ADDRESS, { kind, value, within, at });
    return known;
  }

  /** The contact that writes, or the one that it was merged into. @throws NotFoundException: it is deleted or erased */
  async senderOf(tx: Tx, id: string): Promise<{ id: string; blocked: boolean }> {
    const [sender] = await tx.query(LOCK_SENDER, { id });
    if (!sender) throw notFound();
    return sender;
  }

  /**
   * The ids of all contacts of a person, however they were merged. The one that survived comes first.
   * @throws NotFoundException: the caller does not reach the contact. An erased contact is reached as before.
   */
  async personOf(tx: Tx, id: string): Promise<string[]> {
    const ids = await tx.query(FIND_PERSON, { id, self: callerId(tx.caller) });
    if (!ids.length) throw notFound();
    return ids.map((contact) => contact.id);
  }

  /** Locks these contacts, so that nothing is bound to them until the transaction ends. */
  async hold(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.find(ContactEntity, { id: In([...ids]), erasedAt: IsNull() }, { order: { id: "ASC" }, lock: "update" });
  }

  /**
   * What removes a person removes them everywhere, so the caller must reach all workspaces in which they appear. Lock the contacts first.
   * @throws ConflictException
   */
  async assertNowhereElse(tx: Tx, ids: readonly string[]): Promise<void> {
    const [elsewhere] = await tx.query(FIND_ELSEWHERE, { ids });
    if (elsewhere)
      throw coded(
        new ConflictException(
          "The contact also appears in workspaces that you do not reach: only somebody who reaches all of them can remove it",
        ),
        "reach-missing",
      );
  }

  /** The emails and phone numbers of these contacts. */
  async addressesOf(tx: Tx, ids: readonly string[]): Promise<string[]> {
    const found = await tx.find(ContactPointEntity, { contactId: In([...ids]) });
    return [...new Set(found.map(({ value }) => value))];
  }

  /** Hides contacts from everybody. They give up what only one contact can have: externalId and proven addresses. */
  async hide(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.update(ContactPointEntity, { contactId: In([...ids]), verifiedAt: Not(IsNull()) }, { verifiedAt: null });
    await tx.update(
      ContactEntity,
      { id: In([...ids]), deletedAt: IsNull() },
      { deletedAt: () => "now()", externalId: null, accountId: null, updatedAt: () => "now()" },
    );
  }

  /** Locks contacts that were deleted longer ago than `keptFor`, a PostgreSQL interval, and are not purged yet. */
  async lockDueForPurge(tx: Tx, keptFor: string, limit: number): Promise<string[]> {
    return (await tx.query(LOCK_DUE_FOR_PURGE, { keptFor, limit })).map(({ id }) => id);
  }

  /** What stays of the contacts is a shell without content. */
  async eraseContact(tx: Tx, ids: readonly string[]): Promise<{ contacts: number; contactPoints: number }> {
    const [erased] = await tx.query(EMPTY, { ids });
    return erased!;
  }
}
