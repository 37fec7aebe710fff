import { Module } from "@nestjs/common";
import { AuthModule } from "../../auth/auth.module.js";
import { WorkspacesModule } from "../workspaces.module.js";
import { AuthProviderController } from "./auth-provider.controller.js";
import { ProvisioningService } from "./provisioning.service.js";

@Module({
  imports: [AuthModule, WorkspacesModule],
  controllers: [AuthProviderController],
  providers: [ProvisioningService],
  exports: [ProvisioningService],
})
export class ProvisioningModule {}
