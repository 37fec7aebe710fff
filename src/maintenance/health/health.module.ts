import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { HealthController } from "./health.controller.js";

@Module({ imports: [AttachmentsModule], controllers: [HealthController] })
export class HealthModule {}
