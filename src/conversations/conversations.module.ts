import { Module } from "@nestjs/common";
import { AttachmentsModule } from "./attachments/attachments.module.js";
import { ContactsModule } from "../contacts/contacts.module.js";
import { ActionsController } from "./actions/actions.controller.js";
import { ActionsService } from "./actions/actions.service.js";
import { SnoozeJob } from "./actions/snooze.job.js";
import { ConversationsController } from "./conversations.controller.js";
import { ConversationsService } from "./conversations.service.js";
import { CountsController } from "./counts/counts.controller.js";
import { LabelsController } from "./labels/labels.controller.js";
import { LabelsService } from "./labels/labels.service.js";
import { MessagesService } from "./messages.service.js";
import { PrivateTexts } from "./private-texts.js";
import { ViewingController } from "./viewing/viewing.controller.js";
import { ViewingService } from "./viewing/viewing.service.js";
import { FollowUpConversations } from "./reopening.js";
import { ConversationsPersonalData } from "./conversations.personal-data.js";

@Module({
  imports: [ContactsModule, AttachmentsModule],
  controllers: [ConversationsController, ActionsController, CountsController, LabelsController, ViewingController],
  providers: [
    ConversationsService,
    ConversationsPersonalData,
    MessagesService,
    PrivateTexts,
    FollowUpConversations,
    ActionsService,
    SnoozeJob,
    LabelsService,
    ViewingService,
  ],
  exports: [ConversationsService, ConversationsPersonalData, MessagesService, PrivateTexts],
})
export class ConversationsModule {}
