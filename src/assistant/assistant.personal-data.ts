import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../contacts/contact-events.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { FORGET_PROCEDURES } from "./procedures/procedure-runs.queries.js";
import { FORGET_RUNS } from "./runs.queries.js";

@Injectable()
export class AssistantPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    // The steps of a run (`assistant_step`) quote what the contact asked. They go with it.
    this.events.handle(ContactsErased, async (tx, { conversationIds }) => {
      await tx.query(FORGET_RUNS, { conversationIds });
      await tx.query(FORGET_PROCEDURES, { conversationIds });
    });
  }
}
