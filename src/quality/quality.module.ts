import { Module } from "@nestjs/common";
import { KnowledgeModule } from "../knowledge/kb-entries/knowledge.module.js";
import { OutcomesModule } from "../platform/outcomes/outcomes.module.js";
import { BreakerSettingsService } from "./breakers/breaker-settings.service.js";
import { BreakersService } from "./breakers/breakers.service.js";
import { QualityController } from "./quality.controller.js";
import { ReportDaysJob } from "./reports/report-days.job.js";
import { ReportRowsService } from "./reports/report-rows.service.js";
import { ReportsController } from "./reports/reports.controller.js";
import { ReportsService } from "./reports/reports.service.js";
import { ScoresService } from "./scores/scores.service.js";

@Module({
  imports: [KnowledgeModule, OutcomesModule],
  controllers: [QualityController, ReportsController],
  providers: [ScoresService, BreakersService, BreakerSettingsService, ReportRowsService, ReportsService, ReportDaysJob],
})
export class QualityModule {}
