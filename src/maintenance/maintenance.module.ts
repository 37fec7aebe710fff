import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../conversations/attachments/attachments.module.js";
import { CasesModule } from "../conversations/cases/cases.module.js";
import { ConversationsModule } from "../conversations/conversations.module.js";
import { ConsumptionModule } from "../conversations/consumption/consumption.module.js";
import { ContactsModule } from "../contacts/contacts.module.js";
import { ErasureModule } from "../privacy/erasure/erasure.module.js";
import { WebchatModule } from "../channels/webchat/webchat.module.js";
import { WebhooksModule } from "../webhooks/webhooks.module.js";
import { MovesJob } from "./moving/moves.job.js";
import { DailyService } from "./daily.service.js";
import { PurgeWorkspacesJob } from "./purge-workspaces.job.js";
import { UnassignFormerMembersJob } from "./unassign-former-members.job.js";
import { RotateKeysService } from "./rotate-keys.service.js";

@Module({
  imports: [
    AttachmentsModule,
    CasesModule,
    ConsumptionModule,
    ConversationsModule,
    ContactsModule,
    ErasureModule,
    WebchatModule,
    WebhooksModule,
  ],
  providers: [DailyService, PurgeWorkspacesJob, UnassignFormerMembersJob, RotateKeysService, MovesJob],
  exports: [DailyService, PurgeWorkspacesJob, UnassignFormerMembersJob, RotateKeysService, MovesJob],
})
export class MaintenanceModule {}
