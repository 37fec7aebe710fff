import { Module } from "@nestjs/common";
import { ChannelsModule } from "../channels.module.js";
import { ApiKind } from "./api.kind.js";

@Module({
  imports: [ChannelsModule],
  providers: [ApiKind],
})
export class ApiModule {}
