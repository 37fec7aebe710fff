import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { ChannelsModule } from "../channels.module.js";
import { ContactsModule } from "../../contacts/contacts.module.js";
import { ConversationsModule } from "../../conversations/conversations.module.js";
import { SessionTokens } from "./session-tokens.js";
import { SessionsService } from "./sessions.service.js";
import { Streams } from "./streams.js";
import { ThreadService } from "./thread.service.js";
import { WebchatController } from "./webchat.controller.js";
import { WebchatKind } from "./webchat.kind.js";

@Module({
  imports: [AttachmentsModule, ChannelsModule, ContactsModule, ConversationsModule],
  controllers: [WebchatController],
  providers: [WebchatKind, SessionTokens, SessionsService, ThreadService, Streams],
  exports: [SessionsService],
})
export class WebchatModule {}
