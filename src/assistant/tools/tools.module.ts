import { Module } from "@nestjs/common";
import { CalendarModule } from "../../calendar/calendar.module.js";
import { ConversationsModule } from "../../conversations/conversations.module.js";
import { IdentityModule } from "../../identity/identity.module.js";
import { KnowledgeModule } from "../../knowledge/kb-entries/knowledge.module.js";
import { PoliciesModule } from "../../knowledge/policies/policies.module.js";
import { OutboundModule } from "../../platform/outbound/outbound.module.js";
import { BuiltInToolsService } from "./built-in.service.js";
import { ToolCalls } from "./tool-calls.js";
import { ToolCallsService } from "./tool-calls.service.js";
import { ToolClient } from "./tool-client.js";
import { ToolGate } from "./tool-gate.js";
import { ToolsController, WorkspaceToolsController } from "./tools.controller.js";
import { ToolsService } from "./tools.service.js";
import { VerificationDialogue } from "./verification-dialogue.js";

@Module({
  imports: [CalendarModule, ConversationsModule, IdentityModule, KnowledgeModule, PoliciesModule, OutboundModule],
  controllers: [WorkspaceToolsController, ToolsController],
  providers: [
    ToolsService,
    ToolClient,
    ToolGate,
    BuiltInToolsService,
    VerificationDialogue,
    { provide: ToolCalls, useClass: ToolCallsService },
  ],
  exports: [ToolCalls, ToolClient, ToolGate, BuiltInToolsService, VerificationDialogue],
})
export class ToolsModule {}
