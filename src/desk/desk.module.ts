import { Module } from "@nestjs/common";
import { AuthModule } from "../auth/auth.module.js";
import { CalendarModule } from "../calendar/calendar.module.js";
import { CasesModule } from "../conversations/cases/cases.module.js";
import { ConversationsModule } from "../conversations/conversations.module.js";
import { IdentityModule } from "../identity/identity.module.js";
import { OverviewController } from "./overview.controller.js";
import { OverviewService } from "./overview.service.js";

@Module({
  imports: [AuthModule, ConversationsModule, IdentityModule, CasesModule, CalendarModule],
  controllers: [OverviewController],
  providers: [OverviewService],
})
export class DeskModule {}
