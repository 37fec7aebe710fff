import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { KB_STATEMENTS } from "./kb-entries.queries.js";
import { eraseEvidence } from "../review/evidence.js";

@Injectable()
export class KbEntriesPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ContactsErased, async (tx, { conversationIds, erased }) => {
      const { entries, evidence } = await eraseEvidence(tx, KB_STATEMENTS.changes, conversationIds);
      erased.kbEntries += entries;
      erased.kbEvidence += evidence;
    });
  }
}
