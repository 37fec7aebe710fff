import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased, ContactsMerged } from "../../contacts/contact-events.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";

@Injectable()
export class CsatPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ContactsMerged, (tx, { from, to }) => this.move(tx, from, to));
    this.events.handle(ContactsErased, (tx, erasure) => this.erase(tx, erasure));
  }

  /** The survivor was asked when the merged contact was; neither is asked about the time before the merge. */
  private async move(tx: Tx, from: string, to: string): Promise<void> {
    await tx.query(
      "delete from csat_due d using conversation c where d.tenant_id = :tenant and c.tenant_id = d.tenant_id and c.id = d.conversation_id and c.contact_id in (:from, :to)",
      { from, to },
    );
    await tx.query("update csat_survey set contact_id = :to where tenant_id = :tenant and contact_id = :from", {
      from,
      to,
    });
  }

  /** What they wrote goes; that they answered, and how, stays as anonymous statistics, as their conversations do. */
  private async erase(tx: Tx, { conversationIds, erased }: ContactsErased): Promise<void> {
    await tx.query(
      "delete from csat_due where tenant_id = :tenant and conversation_id = any(:conversationIds::uuid[])",
      { conversationIds },
    );
    const silenced = await tx.query(
      "update csat_survey set comment = null where tenant_id = :tenant and conversation_id = any(:conversationIds::uuid[]) and comment is not null returning 1",
      { conversationIds },
    );
    erased.csatComments += silenced.length;
  }
}
