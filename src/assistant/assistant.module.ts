import { Module } from "@nestjs/common";
import { AuthModule } from "../auth/auth.module.js";
import { ConversationsModule } from "../conversations/conversations.module.js";
import { KnowledgeModule } from "../knowledge/kb-entries/knowledge.module.js";
import { OutboundModule } from "../platform/outbound/outbound.module.js";
import { ActivityController } from "./activity/activity.controller.js";
import { AssistantJob } from "./assistant.job.js";
import { AssistantPersonalData } from "./assistant.personal-data.js";
import { AssistantService } from "./assistant.service.js";
import { LanguageModel } from "./language-model.js";
import { AnswerDraftsService } from "./model/answer-drafts.service.js";
import { ModelOnDemand } from "./model/model-on-demand.service.js";
import { ModelRunsService } from "./model/model-runs.service.js";
import { ModelServer } from "./model/model-server.js";
import { ModelSteps } from "./model/model-steps.service.js";
import { ProcedureReaderService } from "./model/procedure-reader.service.js";
import { DigressionsService } from "./digressions.service.js";
import { PendingActionsModule } from "./pending-actions/pending-actions.module.js";
import { Digressions } from "./procedures/digressions.js";
import { ProcedureRuns } from "./procedures/procedure-runs.service.js";
import { ProcedureStore } from "./procedures/procedure-store.js";
import { ProcedureStoreService } from "./procedures/procedure-store.service.js";
import { ProceduresController, WorkspaceProceduresController } from "./procedures/procedures.controller.js";
import { ProceduresService } from "./procedures/procedures.service.js";
import { ProcedureReader } from "./procedures/reading.js";
import { RunEndingService } from "./run-ending.service.js";
import { AssistantSettingsController } from "./settings/assistant-settings.controller.js";
import { AssistantSettingsService } from "./settings/assistant-settings.service.js";
import { SuggestionsController } from "./suggestions/suggestions.controller.js";
import { SuggestionsPersonalData } from "./suggestions/suggestions.personal-data.js";
import { SuggestionsService } from "./suggestions/suggestions.service.js";
import { ToolsModule } from "./tools/tools.module.js";
import { WritingController } from "./writing/writing.controller.js";
import { WritingService } from "./writing/writing.service.js";

@Module({
  imports: [AuthModule, ConversationsModule, KnowledgeModule, OutboundModule, ToolsModule, PendingActionsModule],
  controllers: [
    ActivityController,
    AssistantSettingsController,
    WorkspaceProceduresController,
    ProceduresController,
    SuggestionsController,
    WritingController,
  ],
  providers: [
    AssistantJob,
    AssistantService,
    { provide: LanguageModel, useClass: ModelRunsService },
    { provide: ProcedureReader, useClass: ProcedureReaderService },
    ModelSteps,
    ModelServer,
    RunEndingService,
    ProcedureRuns,
    { provide: ProcedureStore, useClass: ProcedureStoreService },
    ProceduresService,
    { provide: Digressions, useClass: DigressionsService },
    AssistantPersonalData,
    AssistantSettingsService,
    ModelOnDemand,
    AnswerDraftsService,
    SuggestionsService,
    SuggestionsPersonalData,
    WritingService,
  ],
})
export class AssistantModule {}
