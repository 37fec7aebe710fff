import { Module } from "@nestjs/common";
import { AuthModule } from "../auth/auth.module.js";
import { EventStreams } from "./event-streams.js";
import { EventsController } from "./events.controller.js";
import { FeedController } from "./feed.controller.js";
import { FeedService } from "./feed.service.js";

@Module({
  imports: [AuthModule],
  controllers: [FeedController, EventsController],
  providers: [FeedService, EventStreams],
  exports: [FeedService],
})
export class FeedModule {}
