import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { ERASE } from "./attention-items.queries.js";

@Injectable()
export class AttentionPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    // The reasons of the items may contain what the contact asked for.
    this.events.handle(ContactsErased, async (tx, { conversationIds, erased }) => {
      const [deleted] = await tx.query(ERASE, { conversationIds });
      erased.attentionItems += deleted!.items;
    });
  }
}
