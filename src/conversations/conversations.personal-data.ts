import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsLocking, ContactsMerged } from "../contacts/contact-events.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { FIND_OF_CONTACTS, LOCK_OF_CONTACTS, MOVE_TO_CONTACT, REDACT } from "./conversations.queries.js";

/** Handles conversations and their messages when contacts are merged or a person is erased. */
@Injectable()
export class ConversationsPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ContactsLocking, async (tx, { contactIds }) => {
      await tx.query(LOCK_OF_CONTACTS, { contactIds });
    });
    this.events.handle(ContactsMerged, async (tx, { from, to, moved }) => {
      moved.conversations += (await tx.query(MOVE_TO_CONTACT, { from, to })).length;
    });
  }

  async idsOf(tx: Tx, contactIds: readonly string[]): Promise<string[]> {
    return (await tx.query(FIND_OF_CONTACTS, { contactIds })).map(({ id }) => id);
  }

  /** Conversations stay as anonymous statistics. They are closed, and the text of their messages is removed. */
  async erase(tx: Tx, contactIds: readonly string[]): Promise<{ conversations: number; messages: number }> {
    const [erased] = await tx.query(REDACT, { contactIds });
    return erased!;
  }
}
