import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { POLICY_STATEMENTS } from "./policy-entries.queries.js";
import { eraseEvidence } from "../review/evidence.js";

@Injectable()
export class PoliciesPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ContactsErased, async (tx, { conversationIds, erased }) => {
      const { entries, evidence } = await eraseEvidence(tx, POLICY_STATEMENTS.changes, conversationIds);
      erased.policyEntries += entries;
      erased.policyEvidence += evidence;
    });
  }
}
