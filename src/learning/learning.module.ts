import { Module } from "@nestjs/common";
import { AuthModule } from "../auth/auth.module.js";
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

@Module({
  imports: [AuthModule, KnowledgeModule],
  controllers: [ImpactController, GapsController],
  providers: [
    LearningJob,
    LearningOrigins,
    LearningPersonalData,
    LearningService,
    AskedAgain,
    ImpactService,
    GapsService,
    PolicyProposalsService,
  ],
})
export class LearningModule {}
