import { Module } from "@nestjs/common";
import { AuthModule } from "../../auth/auth.module.js";
import { ContactsModule } from "../../contacts/contacts.module.js";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { ConversationsModule } from "../../conversations/conversations.module.js";
import { OutboxModule } from "../../platform/outbox/outbox.module.js";
import { TenantsModule } from "../../workspaces/tenants/tenants.module.js";
import { ErasureController } from "./erasure.controller.js";
import { ErasureJournal } from "./erasure-journal.js";
import { ErasureService } from "./erasure.service.js";

@Module({
  imports: [AuthModule, AttachmentsModule, ContactsModule, ConversationsModule, OutboxModule, TenantsModule],
  controllers: [ErasureController],
  providers: [ErasureService, ErasureJournal],
  exports: [ErasureService, ErasureJournal],
})
export class ErasureModule {}
