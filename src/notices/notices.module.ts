import { Module } from "@nestjs/common";
import { FeedModule } from "../feed/feed.module.js";
import { OutboundModule } from "../platform/outbound/outbound.module.js";
import { OutboxModule } from "../platform/outbox/outbox.module.js";
import { NoticeDispatcher } from "./dispatcher.job.js";
import { MentionMailKind } from "./mention-mail.kind.js";
import { MentionMailsJob } from "./mention-mails.job.js";
import { PushController } from "./push.controller.js";
import { PushKind } from "./push.kind.js";
import { PushSender } from "./push-sender.js";
import { PushService } from "./push.service.js";

@Module({
  imports: [FeedModule, OutboxModule, OutboundModule],
  controllers: [PushController],
  providers: [PushSender, PushService, PushKind, NoticeDispatcher, MentionMailKind, MentionMailsJob],
})
export class NoticesModule {}
