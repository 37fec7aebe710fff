import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../contacts/contact-events.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { FORGET } from "./learning.queries.js";

/**
 * What an erased contact contributed goes. A proposal that rests on it goes too, as the knowledge base does it; `learning.sql`
 * then has what other contacts contributed looked at anew.
 */
@Injectable()
export class LearningPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ContactsErased, async (tx, { conversationIds }) => {
      await tx.query(FORGET, { conversationIds });
    });
  }
}
