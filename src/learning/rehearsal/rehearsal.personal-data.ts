import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { FORGET } from "./rehearsal.queries.js";

/** A test that was saved from a conversation of an erased contact goes, and what a rehearsal says about one. */
@Injectable()
export class RehearsalPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ContactsErased, async (tx, { conversationIds }) => {
      await tx.query(FORGET, { conversationIds });
    });
  }
}
