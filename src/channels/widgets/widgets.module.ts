import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { ChannelsModule } from "../channels.module.js";
import { KnowledgeModule } from "../../knowledge/kb-entries/knowledge.module.js";
import { OutboxModule } from "../../platform/outbox/outbox.module.js";
import { ContactFormKind } from "./contact-form.kind.js";
import { PublicSearchService } from "./public-search.service.js";
import { PublicWidgetsController } from "./public-widgets.controller.js";
import { PublicWidgetsService } from "./public-widgets.service.js";
import { WidgetScriptsService } from "./widget-scripts.service.js";
import { ScriptsController } from "./widget-scripts.controller.js";
import { FormSubmissionsService } from "./form-submissions.service.js";
import { WidgetsController } from "./widgets.controller.js";
import { WidgetsService } from "./widgets.service.js";

@Module({
  imports: [AttachmentsModule, ChannelsModule, KnowledgeModule, OutboxModule],
  controllers: [WidgetsController, PublicWidgetsController, ScriptsController],
  providers: [
    ContactFormKind,
    WidgetsService,
    PublicWidgetsService,
    PublicSearchService,
    FormSubmissionsService,
    WidgetScriptsService,
  ],
})
export class WidgetsModule {}
