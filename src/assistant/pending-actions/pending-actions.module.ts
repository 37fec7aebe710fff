import { Module } from "@nestjs/common";
import { ConversationsModule } from "../../conversations/conversations.module.js";
import { ToolsModule } from "../tools/tools.module.js";
import { ActionCheck } from "./action-check.js";
import { FollowUp } from "./follow-up.js";
import { ConversationPendingActionsController, PendingActionsController } from "./pending-actions.controller.js";
import { PendingActionsJob } from "./pending-actions.job.js";
import { PendingActionsPersonalData } from "./pending-actions.personal-data.js";
import { PendingActionsService } from "./pending-actions.service.js";

@Module({
  imports: [ConversationsModule, ToolsModule],
  controllers: [PendingActionsController, ConversationPendingActionsController],
  providers: [ActionCheck, FollowUp, PendingActionsService, PendingActionsJob, PendingActionsPersonalData],
})
export class PendingActionsModule {}
