import { Module } from "@nestjs/common";
import { AuthModule } from "../auth/auth.module.js";
import { ConversationsModule } from "../conversations/conversations.module.js";
import { KnowledgeModule } from "../knowledge/kb-entries/knowledge.module.js";
import { ActivityController } from "./activity/activity.controller.js";
import { AssistantJob } from "./assistant.job.js";
import { AssistantPersonalData } from "./assistant.personal-data.js";
import { AssistantService } from "./assistant.service.js";
import { RunEnding } from "./run-ending.service.js";

@Module({
  imports: [AuthModule, ConversationsModule, KnowledgeModule],
  controllers: [ActivityController],
  providers: [AssistantJob, AssistantService, RunEnding, AssistantPersonalData],
})
export class AssistantModule {}
