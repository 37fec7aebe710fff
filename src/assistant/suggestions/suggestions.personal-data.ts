import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { FORGET_SUGGESTIONS } from "./suggestions.queries.js";

@Injectable()
export class SuggestionsPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    // Which entries fitted says what the contact asked.
    this.events.handle(ContactsErased, async (tx, { conversationIds }) => {
      await tx.query(FORGET_SUGGESTIONS, { conversationIds });
    });
  }
}
