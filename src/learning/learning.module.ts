import { Module } from "@nestjs/common";
import { AuthModule } from "../auth/auth.module.js";
import { ToolsModule } from "../assistant/tools/tools.module.js";
import { KnowledgeModule } from "../knowledge/kb-entries/knowledge.module.js";
import { AskedAgain } from "./asked-again/asked-again.service.js";
import { GapsController } from "./gaps/gaps.controller.js";
import { GapsService } from "./gaps/gaps.service.js";
import { ImpactController } from "./impact/impact.controller.js";
import { ImpactService } from "./impact/impact.service.js";
import { LearningJob } from "./learning.job.js";
import { LearningOrigins } from "./learning-origins.js";
import { LearningPersonalData } from "./learning.personal-data.js";
import { LearningService } from "./learning.service.js";
import { PolicyProposalsService } from "./policies/policy-proposals.service.js";
import {
  AssistantRehearsalController,
  AssistantTestsController,
  WorkspaceAssistantTestsController,
} from "./rehearsal/rehearsal.controller.js";
import { RehearsalJob } from "./rehearsal/rehearsal.job.js";
import { RehearsalPersonalData } from "./rehearsal/rehearsal.personal-data.js";
import { RehearsalService } from "./rehearsal/rehearsal.service.js";
import { RehearserService } from "./rehearsal/rehearser.service.js";

@Module({
  imports: [AuthModule, KnowledgeModule, ToolsModule],
  controllers: [
    ImpactController,
    GapsController,
    WorkspaceAssistantTestsController,
    AssistantTestsController,
    AssistantRehearsalController,
  ],
  providers: [
    LearningJob,
    LearningOrigins,
    LearningPersonalData,
    LearningService,
    AskedAgain,
    ImpactService,
    GapsService,
    PolicyProposalsService,
    RehearsalJob,
    RehearsalPersonalData,
    RehearsalService,
    RehearserService,
  ],
})
export class LearningModule {}
