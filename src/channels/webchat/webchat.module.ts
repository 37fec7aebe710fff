import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { ChannelsModule } from "../channels.module.js";
import { ContactsModule } from "../../contacts/contacts.module.js";
import { ConversationsModule } from "../../conversations/conversations.module.js";
import { WebchatSessionTokens } from "./webchat-session-tokens.js";
import { WebchatSessionsService } from "./webchat-sessions.service.js";
import { WebchatStreams } from "./webchat-streams.js";
import { WebchatThreadService } from "./webchat-thread.service.js";
import { WebchatController } from "./webchat.controller.js";
import { WebchatKind } from "./webchat.kind.js";
import { WebchatPersonalData } from "./webchat.personal-data.js";

@Module({
  imports: [AttachmentsModule, ChannelsModule, ContactsModule, ConversationsModule],
  controllers: [WebchatController],
  providers: [
    WebchatKind,
    WebchatPersonalData,
    WebchatSessionTokens,
    WebchatSessionsService,
    WebchatThreadService,
    WebchatStreams,
  ],
  exports: [WebchatSessionsService],
})
export class WebchatModule {}
