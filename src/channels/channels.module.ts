import { Module } from "@nestjs/common";
import { AuthModule } from "../auth/auth.module.js";
import { AttachmentsModule } from "../conversations/attachments/attachments.module.js";
import { ContactsModule } from "../contacts/contacts.module.js";
import { ConversationsModule } from "../conversations/conversations.module.js";
import { OutboundModule } from "../platform/outbound/outbound.module.js";
import { OutboxModule } from "../platform/outbox/outbox.module.js";
import { ChannelCarrier } from "./channel-carrier.js";
import { ChannelKinds } from "./channel-kinds.js";
import { ChannelTestsService } from "./channel-tests.service.js";
import { ChannelWebhooksController } from "./channel-webhooks.controller.js";
import { ChannelWebhooksService } from "./channel-webhooks.service.js";
import { ChannelsController } from "./channels.controller.js";
import { ChannelsService } from "./channels.service.js";
import { IncomingMessagesService } from "./incoming-messages.service.js";
import {
  ChannelSignatureController,
  MailFrameController,
  OwnSignatureController,
} from "./letter/signatures.controller.js";
import { SignaturesService } from "./letter/signatures.service.js";
import { ProvisioningJob } from "./provisioning.job.js";
import { ChannelCredentials } from "./channel-credentials.js";

@Module({
  imports: [AttachmentsModule, AuthModule, ContactsModule, ConversationsModule, OutboundModule, OutboxModule],
  controllers: [
    ChannelsController,
    ChannelWebhooksController,
    ChannelSignatureController,
    OwnSignatureController,
    MailFrameController,
  ],
  providers: [
    ChannelKinds,
    ChannelCredentials,
    ChannelsService,
    ChannelTestsService,
    ChannelWebhooksService,
    ChannelCarrier,
    ProvisioningJob,
    IncomingMessagesService,
    SignaturesService,
  ],
  exports: [ChannelKinds, ChannelsService, ChannelWebhooksService, ChannelCarrier, IncomingMessagesService],
})
export class ChannelsModule {}
