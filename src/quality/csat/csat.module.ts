import { Module } from "@nestjs/common";
import { ConversationsModule } from "../../conversations/conversations.module.js";
import { SendSurveysJob } from "./survey/send-surveys.job.js";
import { CsatConfigController } from "./config/csat-config.controller.js";
import { CsatConfigService } from "./config/csat-config.service.js";
import { RatingsController } from "./ratings/ratings.controller.js";
import { RatingsService } from "./ratings/ratings.service.js";
import { SurveyLinks } from "./survey/survey-links.js";
import { SurveyPagesController } from "./survey/survey-pages.controller.js";
import { SurveysService } from "./survey/surveys.service.js";
import { CsatPersonalData } from "./csat.personal-data.js";

@Module({
  imports: [ConversationsModule],
  controllers: [CsatConfigController, RatingsController, SurveyPagesController],
  providers: [CsatConfigService, CsatPersonalData, SendSurveysJob, SurveyLinks, SurveysService, RatingsService],
  exports: [RatingsService],
})
export class CsatModule {}
