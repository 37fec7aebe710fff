/**
 * A model of who may raise whose assurance, and by what, written from the documents with plain lists and a clock of whole
 * minutes. It shares no code with the application.
 */

/** A human being. Each has a mailbox, knows one PIN, and has one eID. */
export type Person = string;
export type Level = "none" | "identified" | "high-assurance";
export type FactorType = "kba_dynamic" | "magic_link" | "eid_verified";

/** An address on a contact. Removed and added again, it is another one. */
export interface Address {
  value: string;
  /** Who has the mailbox. */
  person: Person;
  /** The contact was created with it. The clock never gets to where the age of another one counts. */
  original: boolean;
}
export interface Contact {
  id: string;
  /** Whose data is on file. */
  person: Person;
  addresses: Address[];
  mergedInto: Contact | null;
  deleted: boolean;
}
export interface Conversation {
  id: string;
  contact: Contact;
  /** Whether an eID of the workspace may bind a person who is on file. Otherwise only a member's confirmation binds. */
  matching: boolean;
}
interface Factor {
  conversation: Conversation;
  type: FactorType;
  expires: number;
}
export interface Link {
  token: string;
  conversation: Conversation;
  address: Address;
  sent: number;
  usable: boolean;
}
export interface Request {
  id: string;
  conversation: Conversation;
  person: Person;
  status: "pending" | "granted" | "denied" | "expired" | "failed" | "gone";
  sent: number;
  /** Until when a member may confirm the approval; null if nobody may. */
  confirmable: number | null;
}

export const LIFETIME = 30;
const LINK_MINUTES = 10;
export const PROMPT_MINUTES = 20;
const CATEGORY: Record<FactorType, string> = {
  kba_dynamic: "knowledge",
  magic_link: "possession",
  eid_verified: "possession",
};

export class Model {
  minute = 0;
  readonly contacts: Contact[] = [];
  readonly conversations: Conversation[] = [];
  readonly links: Link[] = [];
  readonly requests: Request[] = [];
  private factors: Factor[] = [];
  /** Which person each contact is proven to be. */
  private readonly bindings = new Map<Contact, Person>();

  /** Whether a conversation with the contact can start: 201, 404 or 409. */
  openStatus({ deleted, mergedInto }: Contact): number {
    return deleted ? 404 : mergedInto ? 409 : 201;
  }

  /** Whether anything can be proven in the conversation at all. */
  isGone({ contact }: Conversation): boolean {
    return contact.deleted;
  }

  /** A new link replaces the older ones of the conversation. */
  send(conversation: Conversation, address: Address, token: string): void {
    for (const link of this.links) if (link.conversation === conversation) link.usable = false;
    this.links.push({ token, conversation, address, sent: this.minute, usable: true });
  }

  /** @returns whether the press redeems the link. It proves the person only if the address was theirs from the start. */
  press(link: Link): boolean {
    const { conversation, address } = link;
    if (!link.usable || this.isGone(conversation) || this.minute - link.sent >= LINK_MINUTES) return false;
    if (!conversation.contact.addresses.includes(address)) return false;
    link.usable = false;
    if (address.original) this.prove(conversation, "magic_link");
    return true;
  }

  /** Replaces the list. Addresses that stay keep their age. */
  setAddresses(contact: Contact, addresses: readonly Omit<Address, "original">[]): number {
    if (contact.deleted) return 404;
    if (contact.mergedInto) return 409;
    contact.addresses = addresses.map(
      ({ value, person }) => contact.addresses.find((one) => one.value === value) ?? { value, person, original: false },
    );
    return 200;
  }

  /** @returns whether the answer is right: the PIN is the one on file */
  answer(conversation: Conversation, by: Person): boolean {
    if (by !== conversation.contact.person) return false;
    this.prove(conversation, "kba_dynamic");
    return true;
  }

  /** One prompt waits for a contact at a time. */
  pushStatus(conversation: Conversation): number {
    if (this.isGone(conversation)) return 404;
    return this.pending(conversation.contact).length ? 409 : 200;
  }

  push(conversation: Conversation, person: Person, id: string): Request {
    const request: Request = { id, conversation, person, status: "pending", sent: this.minute, confirmable: null };
    this.requests.push(request);
    return request;
  }

  /** The person approves or declines what waits for them, if it is not over. */
  settle(request: Request, approved: boolean): void {
    if (request.status !== "pending") return;
    const { conversation, person } = request;
    const { contact, matching } = conversation;
    if (this.minute - request.sent >= PROMPT_MINUTES) request.status = "expired";
    else if (!approved) request.status = "denied";
    else if (this.isAnother(contact, person)) request.status = "failed";
    else {
      request.status = "granted";
      if (matching && person === contact.person) this.bindings.set(contact, person);
      if (this.bindings.get(contact) === person) this.prove(conversation, "eid_verified");
      else request.confirmable = this.minute + LIFETIME;
    }
  }

  /** A member says that the person who approved is the contact. */
  confirm(request: Request): number {
    const { conversation, person, confirmable } = request;
    const { contact } = conversation;
    if (request.status === "gone" || this.isGone(conversation)) return 404;
    if (confirmable === null || confirmable <= this.minute || this.level(conversation) === "none") return 409;
    if (this.isAnother(contact, person)) return 409;
    this.bindings.set(contact, person);
    request.confirmable = null;
    // It counts from the approval on.
    this.factors.push({ conversation, type: "eid_verified", expires: confirmable });
    return 200;
  }

  unbind(contact: Contact): number {
    if (contact.deleted) return 404;
    if (contact.mergedInto) return 409;
    this.forget(contact);
    this.factors = this.factors.filter(
      ({ conversation, type }) => conversation.contact !== contact || type !== "eid_verified",
    );
    return 200;
  }

  merge(survivor: Contact, source: Contact): number {
    if (survivor.deleted || source.deleted) return 404;
    if (survivor.mergedInto || source.mergedInto) return 409;
    if (this.bindings.has(survivor) && this.bindings.has(source)) return 409;
    for (const request of this.pending(source)) request.status = "expired";
    this.forget(source);
    this.factors = this.factors.filter(({ conversation }) => conversation.contact !== source);
    for (const link of this.links) if ([survivor, source].includes(link.conversation.contact)) link.usable = false;
    const own = new Set(survivor.addresses.map(({ value }) => value));
    survivor.addresses.push(
      ...source.addresses.filter(({ value }) => !own.has(value)).map((moved) => ({ ...moved, original: false })),
    );
    source.addresses = [];
    for (const conversation of this.conversations) if (conversation.contact === source) conversation.contact = survivor;
    for (const contact of this.contacts)
      if (contact === source || contact.mergedInto === source) contact.mergedInto = survivor;
    return 200;
  }

  /** The contact with those merged into it. */
  remove(contact: Contact): number {
    if (contact.deleted) return 404;
    for (const request of this.pending(contact)) request.status = "gone";
    this.forget(contact);
    for (const one of this.contacts) if (one === contact || one.mergedInto === contact) one.deleted = true;
    return 200;
  }

  level(conversation: Conversation): Level {
    const types = this.factorTypes(conversation);
    if (types.includes("eid_verified") || new Set(types.map((type) => CATEGORY[type])).size > 1)
      return "high-assurance";
    return types.length ? "identified" : "none";
  }

  factorTypes(conversation: Conversation): FactorType[] {
    return this.factors
      .filter((factor) => factor.conversation === conversation && factor.expires > this.minute)
      .map(({ type }) => type)
      .sort();
  }

  isBound({ contact }: Conversation): boolean {
    return this.bindings.has(contact);
  }

  /** The requests whose approval a member may confirm. */
  approvals(conversation: Conversation): string[] {
    return this.requests
      .filter((one) => one.conversation === conversation && one.confirmable !== null && one.confirmable > this.minute)
      .map(({ id }) => id)
      .sort();
  }

  pending(contact: Contact): Request[] {
    return this.requests.filter(({ status, conversation }) => status === "pending" && conversation.contact === contact);
  }

  private prove(conversation: Conversation, type: FactorType): void {
    this.factors.push({ conversation, type, expires: this.minute + LIFETIME });
  }

  /** The contact is proven to be another person, or the person another contact. */
  private isAnother(contact: Contact, person: Person): boolean {
    return [...this.bindings].some(([one, bound]) => (one === contact) !== (bound === person));
  }

  private forget(contact: Contact): void {
    this.bindings.delete(contact);
    for (const request of this.requests) if (request.conversation.contact === contact) request.confirmable = null;
  }
}
