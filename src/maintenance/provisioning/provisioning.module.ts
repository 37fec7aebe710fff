import { Module } from "@nestjs/common";
import { AgentsModule } from "../../knowledge/agents/agents.module.js";
import { AuthModule } from "../../auth/auth.module.js";
import { WorkspacesModule } from "../../workspaces/workspaces.module.js";
import { AuthProviderController } from "./auth-provider.controller.js";
import { ProvisioningService } from "./provisioning.service.js";

@Module({
  imports: [AgentsModule, AuthModule, WorkspacesModule],
  controllers: [AuthProviderController],
  providers: [ProvisioningService],
  exports: [ProvisioningService],
})
export class ProvisioningModule {}
