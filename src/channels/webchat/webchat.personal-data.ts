import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { ERASE_SESSIONS, ERASE_THREADS } from "./webchat.queries.js";

@Injectable()
export class WebchatPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    // Without its session no browser of an erased contact can read on.
    this.events.handle(ContactsErased, async (tx, { contactIds, conversationIds }) => {
      await tx.query(ERASE_SESSIONS, { contactIds });
      await tx.query(ERASE_THREADS, { conversationIds });
    });
  }
}
