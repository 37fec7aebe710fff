import { Module } from "@nestjs/common";
import { AuthModule } from "../../auth/auth.module.js";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { OutboxModule } from "../../platform/outbox/outbox.module.js";
import { ExportController } from "./export.controller.js";
import { ExportService } from "./export.service.js";

@Module({
  imports: [AuthModule, AttachmentsModule, OutboxModule],
  controllers: [ExportController],
  providers: [ExportService],
})
export class ExportModule {}
