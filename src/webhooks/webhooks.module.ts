import { Module } from "@nestjs/common";
import { FeedModule } from "../feed/feed.module.js";
import { OutboundModule } from "../platform/outbound/outbound.module.js";
import { OutboxModule } from "../platform/outbox/outbox.module.js";
import { WebhookDeliveries } from "./deliveries.service.js";
import { WebhookDispatcher } from "./dispatcher.job.js";
import { WebhookEndpoints } from "./endpoints.service.js";
import { PreviewGuard } from "./preview.guard.js";
import { WebhookKind } from "./webhook.kind.js";
import { WebhookDeliveriesController, WebhookEndpointsController } from "./webhooks.controller.js";

@Module({
  imports: [FeedModule, OutboxModule, OutboundModule],
  controllers: [WebhookEndpointsController, WebhookDeliveriesController],
  exports: [WebhookEndpoints],
  providers: [WebhookKind, WebhookEndpoints, WebhookDeliveries, WebhookDispatcher, PreviewGuard],
})
export class WebhooksModule {}
