import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { CalendarModule } from "../../calendar/calendar.module.js";
import { CasesModule } from "../../conversations/cases/cases.module.js";
import { ContactsModule } from "../../contacts/contacts.module.js";
import { ConversationsModule } from "../../conversations/conversations.module.js";
import { CsatModule } from "../../quality/csat/csat.module.js";
import { IdentityModule } from "../../identity/identity.module.js";
import { OutboxModule } from "../../platform/outbox/outbox.module.js";
import { DeletionService } from "./deletion.service.js";
import { ExportService } from "./export.service.js";
import { MergeService } from "./merge.service.js";
import { PeopleController } from "./people.controller.js";

@Module({
  imports: [
    AttachmentsModule,
    CalendarModule,
    CasesModule,
    ContactsModule,
    ConversationsModule,
    CsatModule,
    IdentityModule,
    OutboxModule,
  ],
  controllers: [PeopleController],
  providers: [MergeService, DeletionService, ExportService],
  exports: [DeletionService],
})
export class PeopleModule {}
