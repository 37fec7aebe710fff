import { Module } from "@nestjs/common";
import { AuthModule } from "../auth/auth.module.js";
import { LogosController } from "./logos.controller.js";
import { LogosService } from "./logos.service.js";
import { WorkspacesController } from "./workspaces.controller.js";
import { WorkspacesService } from "./workspaces.service.js";

@Module({
  imports: [AuthModule],
  controllers: [WorkspacesController, LogosController],
  providers: [WorkspacesService, LogosService],
  exports: [WorkspacesService],
})
export class WorkspacesModule {}
