import { Module } from "@nestjs/common";
import { AttachmentsModule } from "./attachments/attachments.module.js";
import { OutboxModule } from "../platform/outbox/outbox.module.js";
import { AuthModule } from "../auth/auth.module.js";
import { ContactsModule } from "../contacts/contacts.module.js";
import { ActionsController } from "./actions/actions.controller.js";
import { AssigneesController } from "./actions/assignees.controller.js";
import { CancelReplyController } from "./actions/cancel-reply.controller.js";
import { CancelReplyService } from "./actions/cancel-reply.service.js";
import { ActionsService } from "./actions/actions.service.js";
import { SnoozeJob } from "./actions/snooze.job.js";
import { BulkActionsController } from "./bulk/bulk-actions.controller.js";
import { BulkActionsJob } from "./bulk/bulk-actions.job.js";
import { BulkActionsService } from "./bulk/bulk-actions.service.js";
import { ConversationsController } from "./conversations.controller.js";
import { ConversationsService } from "./conversations.service.js";
import { CountsController } from "./counts/counts.controller.js";
import { LabelsController } from "./labels/labels.controller.js";
import { LabelsService } from "./labels/labels.service.js";
import { MessagesService } from "./messages.service.js";
import { PrivateTexts } from "./private-texts.js";
import { ForwardsController } from "./forwarding/forwards.controller.js";
import { ForwardsService } from "./forwarding/forwards.service.js";
import { ParticipantsController } from "./participants/participants.controller.js";
import { ParticipantsPersonalData } from "./participants/participants.personal-data.js";
import { ParticipantsService } from "./participants/participants.service.js";
import { ViewsController } from "./views/views.controller.js";
import { ViewsService } from "./views/views.service.js";
import { ViewingController } from "./viewing/viewing.controller.js";
import { ViewingService } from "./viewing/viewing.service.js";
import { CannedRepliesController } from "./canned-replies/canned-replies.controller.js";
import { CannedRepliesService } from "./canned-replies/canned-replies.service.js";
import { DraftsController } from "./drafts/drafts.controller.js";
import { DraftsService } from "./drafts/drafts.service.js";
import { FollowUpConversations } from "./reopening.js";
import { ConversationsPersonalData } from "./conversations.personal-data.js";

@Module({
  imports: [AuthModule, ContactsModule, AttachmentsModule, OutboxModule],
  controllers: [
    ConversationsController,
    ActionsController,
    AssigneesController,
    BulkActionsController,
    CountsController,
    LabelsController,
    CancelReplyController,
    DraftsController,
    ViewingController,
    CannedRepliesController,
    ViewsController,
    ParticipantsController,
    ForwardsController,
  ],
  providers: [
    ConversationsService,
    ConversationsPersonalData,
    MessagesService,
    PrivateTexts,
    FollowUpConversations,
    ActionsService,
    CancelReplyService,
    SnoozeJob,
    BulkActionsService,
    BulkActionsJob,
    LabelsService,
    ViewingService,
    DraftsService,
    CannedRepliesService,
    ViewsService,
    ParticipantsService,
    ParticipantsPersonalData,
    ForwardsService,
  ],
  exports: [
    ActionsService,
    ConversationsService,
    ConversationsPersonalData,
    DraftsService,
    MessagesService,
    ParticipantsService,
    ViewingService,
    ViewsService,
    PrivateTexts,
  ],
})
export class ConversationsModule {}
