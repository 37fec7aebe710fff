import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../attachments/attachments.module.js";
import { AttentionModule } from "../attention/attention.module.js";
import { CalendarModule } from "../calendar/calendar.module.js";
import { CasesModule } from "../cases/cases.module.js";
import { ContactsModule } from "../contacts/contacts.module.js";
import { ConversationsModule } from "../conversations/conversations.module.js";
import { CsatModule } from "../csat/csat.module.js";
import { IdentityModule } from "../identity/identity.module.js";
import { KnowledgeModule } from "../knowledge/knowledge.module.js";
import { OutboxModule } from "../outbox/outbox.module.js";
import { PoliciesModule } from "../policies/policies.module.js";
import { TenantsModule } from "../tenants/tenants.module.js";
import { WebchatModule } from "../webchat/webchat.module.js";
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
