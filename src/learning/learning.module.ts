import { Module } from "@nestjs/common";
import { KnowledgeModule } from "../knowledge/kb-entries/knowledge.module.js";
import { LearningJob } from "./learning.job.js";
import { LearningPersonalData } from "./learning.personal-data.js";
import { LearningService } from "./learning.service.js";

@Module({
  imports: [KnowledgeModule],
  providers: [LearningJob, LearningPersonalData, LearningService],
})
export class LearningModule {}
