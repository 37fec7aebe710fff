import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../attachments/attachments.module.js";
import { ChannelsModule } from "../channels/channels.module.js";
import { ContactsModule } from "../contacts/contacts.module.js";
import { ConversationsModule } from "../conversations/conversations.module.js";
import { OutboundModule } from "../outbound/outbound.module.js";
import { OutboxModule } from "../outbox/outbox.module.js";
import { Media } from "./media.service.js";
import { ProviderClient } from "./provider.client.js";
import { SmsKind } from "./sms.kind.js";
import { VoiceKind } from "./voice.kind.js";

@Module({
  imports: [AttachmentsModule, ChannelsModule, ContactsModule, ConversationsModule, OutboundModule, OutboxModule],
  providers: [ProviderClient, Media, SmsKind, VoiceKind],
})
export class TelephonyModule {}
