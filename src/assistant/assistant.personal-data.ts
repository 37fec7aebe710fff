import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../contacts/contact-events.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { FORGET_RUNS } from "./runs.queries.js";

@Injectable()
export class AssistantPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    // Steps quote what the contact asked.
    this.events.handle(ContactsErased, async (tx, { conversationIds }) => {
      await tx.query(FORGET_RUNS, { conversationIds });
    });
  }
}
