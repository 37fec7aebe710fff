import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { ChannelsModule } from "../channels.module.js";
import { ContactsModule } from "../../contacts/contacts.module.js";
import { ConversationsModule } from "../../conversations/conversations.module.js";
import { SessionTokens } from "./webchat-session-tokens.js";
import { SessionsService } from "./webchat-sessions.service.js";
import { Streams } from "./webchat-streams.js";
import { ThreadService } from "./webchat-thread.service.js";
import { WebchatController } from "./webchat.controller.js";
import { WebchatKind } from "./webchat.kind.js";

@Module({
  imports: [AttachmentsModule, ChannelsModule, ContactsModule, ConversationsModule],
  controllers: [WebchatController],
  providers: [WebchatKind, SessionTokens, SessionsService, ThreadService, Streams],
  exports: [SessionsService],
})
export class WebchatModule {}
