import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { eraseEvidence } from "../review/evidence.js";

@Injectable()
export class PoliciesPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ContactsErased, async (tx, { conversationIds, erased }) => {
      const { entries, evidence } = await eraseEvidence(tx, "policy_entry", conversationIds);
      erased.policyEntries += entries;
      erased.policyEvidence += evidence;
    });
  }
}
