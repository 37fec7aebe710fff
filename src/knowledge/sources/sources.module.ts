import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { OutboundModule } from "../../platform/outbound/outbound.module.js";
import { KnowledgeModule } from "../kb-entries/knowledge.module.js";
import { Readings } from "./readings.js";
import { SourceFindings } from "./source-findings.js";
import { SourceReader } from "./source-reader.js";
import { SourcesController } from "./sources.controller.js";
import { SourcesJob } from "./sources.job.js";
import { SourcesService } from "./sources.service.js";

@Module({
  imports: [AttachmentsModule, KnowledgeModule, OutboundModule],
  controllers: [SourcesController],
  providers: [Readings, SourceFindings, SourceReader, SourcesJob, SourcesService],
})
export class SourcesModule {}
