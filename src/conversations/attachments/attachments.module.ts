import { Module } from "@nestjs/common";
import { AttachmentStore } from "./attachment-store.js";
import { AttachmentCleanupService } from "./attachment-cleanup.service.js";
import { AttachmentQuota } from "./attachment-quota.js";
import { AttachmentsController } from "./attachments.controller.js";
import { AttachmentsService } from "./attachments.service.js";
import { DiskStore } from "./disk-store.js";
import { Links } from "./links.js";
import { Config } from "../../platform/config/config.js";
import { TwoStores } from "./two-stores.js";
import { AttachmentMoveService } from "./attachment-move.service.js";
import { AttachmentsPersonalData } from "./attachments.personal-data.js";

/** What is for S3 is loaded only if there is a bucket. */
async function storeOf(config: Config): Promise<AttachmentStore> {
  const disk = new DiskStore(config);
  if (!config.S3_BUCKET) return disk;
  const { S3Store } = await import("./s3/s3-store.js");
  return new TwoStores(disk, new S3Store(config), config.ATTACHMENT_STORE);
}

@Module({
  controllers: [AttachmentsController],
  providers: [
    AttachmentsService,
    AttachmentsPersonalData,
    AttachmentCleanupService,
    AttachmentQuota,
    Links,
    { provide: AttachmentStore, useFactory: storeOf, inject: [Config] },
    AttachmentMoveService,
  ],
  exports: [AttachmentsService, AttachmentCleanupService, AttachmentQuota, AttachmentStore, AttachmentMoveService],
})
export class AttachmentsModule {}
