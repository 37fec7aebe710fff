import { Module } from "@nestjs/common";
import { AttachmentStore } from "./attachment-store.js";
import { AttachmentUpkeep } from "./attachment-upkeep.service.js";
import { AttachmentsController } from "./attachments.controller.js";
import { AttachmentsService } from "./attachments.service.js";
import { DiskStore } from "./disk-store.js";
import { Links } from "./links.js";

@Module({
  controllers: [AttachmentsController],
  providers: [AttachmentsService, AttachmentUpkeep, Links, { provide: AttachmentStore, useClass: DiskStore }],
  exports: [AttachmentsService, AttachmentUpkeep],
})
export class AttachmentsModule {}
