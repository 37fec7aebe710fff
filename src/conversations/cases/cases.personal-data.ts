import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased, ContactsMerged } from "../../contacts/contact-events.js";
import { callerId } from "../../platform/caller/caller.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { MOVE_TO_CONTACT, REDACT } from "./cases.queries.js";

@Injectable()
export class CasesPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ContactsMerged, async (tx, { from, to, moved }) => {
      const { kind } = tx.caller;
      moved.cases += (await tx.query(MOVE_TO_CONTACT, { from, to, kind, actorId: callerId(tx.caller) })).length;
    });
    // Cases stay as a record of work, without personal data.
    this.events.handle(ContactsErased, async (tx, { contactIds, conversationIds, erased }) => {
      const [redacted] = await tx.query(REDACT, { contactIds, conversationIds });
      erased.cases += redacted!.cases;
    });
  }
}
