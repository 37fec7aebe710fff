import { Injectable, type OnModuleInit } from "@nestjs/common";
import { ContactsErased } from "../../contacts/contact-events.js";
import { In } from "typeorm";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { AttachmentEntity } from "./attachment.entity.js";

@Injectable()
export class AttachmentsPersonalData implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    // The files are removed later: see `AttachmentCleanupService.removeFiles`.
    this.events.handle(ContactsErased, async (tx, { conversationIds, erased, removedIds }) => {
      if (!conversationIds.length) return;
      const gone = await tx.deleteReturning(AttachmentEntity, { conversationId: In([...conversationIds]) }, ["id"]);
      erased.attachments += gone.length;
      removedIds.push(...gone.map(({ id }) => id));
    });
  }
}
