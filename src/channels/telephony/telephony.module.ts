import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../../conversations/attachments/attachments.module.js";
import { ChannelsModule } from "../channels.module.js";
import { ContactsModule } from "../../contacts/contacts.module.js";
import { ConversationsModule } from "../../conversations/conversations.module.js";
import { OutboundModule } from "../../platform/outbound/outbound.module.js";
import { OutboxModule } from "../../platform/outbox/outbox.module.js";
import { MediaService } from "./media.service.js";
import { ProviderClient } from "./provider.client.js";
import { SmsKind } from "./sms.kind.js";
import { TextMessagesKind } from "./text-messages.kind.js";
import { VoiceKind } from "./voice.kind.js";

@Module({
  imports: [AttachmentsModule, ChannelsModule, ContactsModule, ConversationsModule, OutboundModule, OutboxModule],
  providers: [ProviderClient, MediaService, SmsKind, VoiceKind, TextMessagesKind],
})
export class TelephonyModule {}
