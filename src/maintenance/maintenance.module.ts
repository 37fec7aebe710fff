import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../attachments/attachments.module.js";
import { CasesModule } from "../cases/cases.module.js";
import { ConsumptionModule } from "../consumption/consumption.module.js";
import { PeopleModule } from "../people/people.module.js";
import { PrivacyModule } from "../privacy/privacy.module.js";
import { WebchatModule } from "../webchat/webchat.module.js";
import { DailyService } from "./daily.service.js";
import { PurgeService } from "./purge.service.js";
import { ReleaseService } from "./release.service.js";
import { RotateKeysService } from "./rotate-keys.service.js";

@Module({
  imports: [AttachmentsModule, CasesModule, ConsumptionModule, PeopleModule, PrivacyModule, WebchatModule],
  providers: [DailyService, PurgeService, ReleaseService, RotateKeysService],
  exports: [DailyService, PurgeService, ReleaseService, RotateKeysService],
})
export class MaintenanceModule {}
