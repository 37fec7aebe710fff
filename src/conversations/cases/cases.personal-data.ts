import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased, ContactsMerged } from "../../contacts/contact-events.js";
import { callerId } from "../../platform/caller/caller.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { ERASE, MOVE } from "./cases.queries.js";

@Injectable()
export class CasesPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ContactsMerged, async (tx, { from, to, moved }) => {
      const { kind } = tx.caller;
      moved.cases += (await tx.query(MOVE, { from, to, kind, actorId: callerId(tx.caller) })).length;
    });
    // Cases stay, as work that was done, without what was said of the person.
    this.events.handle(ContactsErased, async (tx, { contactIds, conversationIds, erased }) => {
      const [redacted] = await tx.query<{ cases: number }>(ERASE, { contactIds, conversationIds });
      erased.cases += redacted!.cases;
    });
  }
}
