import { Module } from "@nestjs/common";
import { KnowledgeModule } from "../knowledge/kb-entries/knowledge.module.js";
import { OutcomesModule } from "../platform/outcomes/outcomes.module.js";
import { BreakerSettingsService } from "./breaker-settings.service.js";
import { BreakersService } from "./breakers.service.js";
import { QualityController } from "./quality.controller.js";
import { ScoresService } from "./scores.service.js";

@Module({
  imports: [KnowledgeModule, OutcomesModule],
  controllers: [QualityController],
  providers: [ScoresService, BreakersService, BreakerSettingsService],
})
export class QualityModule {}
