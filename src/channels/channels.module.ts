import { Module } from "@nestjs/common";
import { AttachmentsModule } from "../conversations/attachments/attachments.module.js";
import { ContactsModule } from "../contacts/contacts.module.js";
import { ConversationsModule } from "../conversations/conversations.module.js";
import { OutboundModule } from "../platform/outbound/outbound.module.js";
import { OutboxModule } from "../platform/outbox/outbox.module.js";
import { ChannelCarrier } from "./channel-carrier.js";
import { ChannelKinds } from "./channel-kinds.js";
import { ChannelTests } from "./channel-tests.service.js";
import { ChannelWebhooksController } from "./channel-webhooks.controller.js";
import { ChannelWebhooks } from "./channel-webhooks.service.js";
import { ChannelsController } from "./channels.controller.js";
import { ChannelsService } from "./channels.service.js";
import { IncomingMessages } from "./incoming-messages.service.js";
import { ProvisioningJob } from "./provisioning.job.js";
import { ChannelCredentials } from "./channel-credentials.js";

@Module({
  imports: [AttachmentsModule, ContactsModule, ConversationsModule, OutboundModule, OutboxModule],
  controllers: [ChannelsController, ChannelWebhooksController],
  providers: [
    ChannelKinds,
    ChannelCredentials,
    ChannelsService,
    ChannelTests,
    ChannelWebhooks,
    ChannelCarrier,
    ProvisioningJob,
    IncomingMessages,
  ],
  exports: [ChannelKinds, ChannelsService, ChannelCarrier, IncomingMessages],
})
export class ChannelsModule {}
