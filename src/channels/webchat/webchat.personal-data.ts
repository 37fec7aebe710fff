import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";

@Injectable()
export class WebchatPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    // Their visitors' sessions and threads go: no browser of theirs reads on.
    this.events.handle(ContactsErased, async (tx, { contactIds, conversationIds }) => {
      await tx.query(
        "delete from webchat_session where tenant_id = :tenant and contact_id = any(:contactIds::uuid[])",
        {
          contactIds,
        },
      );
      await tx.query(
        "delete from webchat_thread where tenant_id = :tenant and conversation_id = any(:conversationIds::uuid[])",
        { conversationIds },
      );
    });
  }
}
