import { Module } from "@nestjs/common";
import { AttachmentStore } from "./attachment-store.js";
import { AttachmentCleanupService } from "./attachment-cleanup.service.js";
import { AttachmentPresence } from "./attachment-presence.js";
import { AttachmentQuota } from "./attachment-quota.js";
import { AttachmentsController } from "./attachments.controller.js";
import { AttachmentsService } from "./attachments.service.js";
import { Links } from "./links.js";
import { Config } from "../../platform/config/config.js";
import { openStore } from "./open-store.js";
import { AttachmentMoveService } from "./attachment-move.service.js";
import { AttachmentsPersonalData } from "./attachments.personal-data.js";

@Module({
  controllers: [AttachmentsController],
  providers: [
    AttachmentsService,
    AttachmentsPersonalData,
    AttachmentCleanupService,
    AttachmentQuota,
    Links,
    { provide: AttachmentStore, useFactory: openStore, inject: [Config] },
    AttachmentMoveService,
    AttachmentPresence,
  ],
  exports: [
    AttachmentPresence,
    AttachmentsService,
    AttachmentCleanupService,
    AttachmentQuota,
    AttachmentStore,
    AttachmentMoveService,
  ],
})
export class AttachmentsModule {}
