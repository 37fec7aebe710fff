import { Module } from "@nestjs/common";
import { OutboxModule } from "../../platform/outbox/outbox.module.js";
import { CapturedMessagesController } from "./captured-messages.controller.js";
import { DeadLettersService } from "./dead-letters.service.js";
import { MessageRetriesController } from "./message-retries.controller.js";
import { OutboxController } from "./outbox.controller.js";

@Module({
  imports: [OutboxModule],
  controllers: [CapturedMessagesController, MessageRetriesController, OutboxController],
  providers: [DeadLettersService],
})
export class OutboxApiModule {}
