import { Module } from "@nestjs/common";
import { AttachmentStore } from "./attachment-store.js";
import { AttachmentCleanup } from "./attachment-cleanup.service.js";
import { AttachmentsController } from "./attachments.controller.js";
import { AttachmentsService } from "./attachments.service.js";
import { DiskStore } from "./disk-store.js";
import { Links } from "./links.js";

@Module({
  controllers: [AttachmentsController],
  providers: [AttachmentsService, AttachmentCleanup, Links, { provide: AttachmentStore, useClass: DiskStore }],
  exports: [AttachmentsService, AttachmentCleanup],
})
export class AttachmentsModule {}
