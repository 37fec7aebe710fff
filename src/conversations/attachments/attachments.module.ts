import { Module } from "@nestjs/common";
import { AttachmentStore } from "./attachment-store.js";
import { AttachmentCleanup } from "./attachment-cleanup.service.js";
import { AttachmentsController } from "./attachments.controller.js";
import { AttachmentsService } from "./attachments.service.js";
import { DiskStore } from "./disk-store.js";
import { Links } from "./links.js";
import { AttachmentsPersonalData } from "./attachments.personal-data.js";

@Module({
  controllers: [AttachmentsController],
  providers: [
    AttachmentsService,
    AttachmentsPersonalData,
    AttachmentCleanup,
    Links,
    { provide: AttachmentStore, useClass: DiskStore },
  ],
  exports: [AttachmentsService, AttachmentCleanup],
})
export class AttachmentsModule {}
