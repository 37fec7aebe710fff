import { Module } from "@nestjs/common";
import { AttachmentStore } from "./attachment-store.js";
import { AttachmentCleanupService } from "./attachment-cleanup.service.js";
import { AttachmentQuota } from "./attachment-quota.js";
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
    AttachmentCleanupService,
    AttachmentQuota,
    Links,
    { provide: AttachmentStore, useClass: DiskStore },
  ],
  exports: [AttachmentsService, AttachmentCleanupService, AttachmentQuota, AttachmentStore],
})
export class AttachmentsModule {}
