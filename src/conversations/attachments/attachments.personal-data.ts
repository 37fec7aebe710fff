import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import { DomainEvents } from "../../platform/events/domain-events.js";

@Injectable()
export class AttachmentsPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    // The files follow: see `AttachmentCleanup.removeFiles`.
    this.events.handle(ContactsErased, async (tx, { conversationIds, erased, ids }) => {
      const gone = await tx.query<{ id: string }>(
        "delete from attachment where tenant_id = :tenant and conversation_id = any(:conversationIds::uuid[]) returning id",
        { conversationIds },
      );
      erased.attachments += gone.length;
      ids.push(...gone.map(({ id }) => id));
    });
  }
}
