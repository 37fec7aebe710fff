import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { AttentionModule } from "../../conversations/attention/attention.module.js";
import { CalendarModule } from "../../calendar/calendar.module.js";
import { CasesModule } from "../../conversations/cases/cases.module.js";
import { ContactsModule } from "../../contacts/contacts.module.js";
import { ConversationsModule } from "../../conversations/conversations.module.js";
import { CsatModule } from "../../quality/csat/csat.module.js";
import { IdentityModule } from "../../identity/identity.module.js";
import { KnowledgeModule } from "../../knowledge/kb-entries/knowledge.module.js";
import { OutboxModule } from "../../platform/outbox/outbox.module.js";
import { PoliciesModule } from "../../knowledge/policies/policies.module.js";
import { TenantsModule } from "../../workspaces/tenants/tenants.module.js";
import { WebchatModule } from "../../channels/webchat/webchat.module.js";
import { ErasureController } from "./erasure.controller.js";
import { ErasureService } from "./erasure.service.js";

@Module({
  imports: [
    OutboxModule,
    TenantsModule,
    ContactsModule,
    AttachmentsModule,
    ConversationsModule,
    AttentionModule,
    CalendarModule,
    CsatModule,
    CasesModule,
    IdentityModule,
    KnowledgeModule,
    PoliciesModule,
    WebchatModule,
  ],
  controllers: [ErasureController],
  providers: [ErasureService],
  exports: [ErasureService],
})
export class PrivacyModule {}
