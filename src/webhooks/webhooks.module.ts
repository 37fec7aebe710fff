import { Module } from "@nestjs/common";
import { FeedModule } from "../feed/feed.module.js";
import { OutboundModule } from "../platform/outbound/outbound.module.js";
import { OutboxModule } from "../platform/outbox/outbox.module.js";
import { WebhookDeliveriesService } from "./deliveries.service.js";
import { WebhookDispatcher } from "./dispatcher.job.js";
import { WebhookEndpointsService } from "./endpoints.service.js";
import { PreviewGuard } from "./preview.guard.js";
import { WebhookKind } from "./webhook.kind.js";
import { WebhookDeliveriesController, WebhookEndpointsController } from "./webhooks.controller.js";

@Module({
  imports: [FeedModule, OutboxModule, OutboundModule],
  controllers: [WebhookEndpointsController, WebhookDeliveriesController],
  exports: [WebhookEndpointsService],
  providers: [WebhookKind, WebhookEndpointsService, WebhookDeliveriesService, WebhookDispatcher, PreviewGuard],
})
export class WebhooksModule {}
