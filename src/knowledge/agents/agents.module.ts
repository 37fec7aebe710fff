import { Module } from "@nestjs/common";
import { AgentsController } from "./agents.controller.js";
import { AgentsService } from "./agents.service.js";
import { PlatformAgents } from "./platform-agents.js";

@Module({ controllers: [AgentsController], providers: [AgentsService, PlatformAgents] })
export class AgentsModule {}
