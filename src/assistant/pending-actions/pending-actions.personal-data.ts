import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { ERASE_ACTIONS } from "./pending-actions.queries.js";

@Injectable()
export class PendingActionsPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    // Their arguments are about the contact, and so is what the tools answered.
    this.events.handle(ContactsErased, async (tx, { conversationIds }) => {
      await tx.query(ERASE_ACTIONS, { conversationIds });
    });
  }
}
