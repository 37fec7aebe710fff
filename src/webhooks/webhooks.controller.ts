import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, UseGuards } from "@nestjs/common";
import { AdminsOnly, CurrentMember } from "../auth/access/access.js";
import type { MemberCaller } from "../platform/caller/caller.js";
import type { Json, Ok, Page } from "../platform/http/json.js";
import { Answers, AnswersList, AnswersOk, AnswersPage, Fails } from "../platform/http/openapi.js";
import { Tag } from "../platform/http/openapi/tags.js";
import { IdPipe } from "../platform/http/validation.js";
import { WebhookDeliveriesService } from "./deliveries.service.js";
import { WebhookEndpointsService } from "./endpoints.service.js";
import { PreviewGuard } from "./preview.guard.js";
import {
  CreateWebhookEndpointDto,
  ListWebhookDeliveriesDto,
  NewWebhookEndpointDto,
  RedeliveredDto,
  RedeliverSinceDto,
  UpdateWebhookEndpointDto,
  WebhookDeliveryDto,
  WebhookEndpointDto,
} from "./webhooks.dto.js";
import { WEBHOOKS_TAG } from "./webhook-events.js";

@Tag(WEBHOOKS_TAG, ["webhookEndpoints", "webhookDeliveries"], {
  order: 190,
  description: "Sends events to your server. This is a preview that a tenant turns on.",
})
@Controller("api/webhook-endpoints")
@UseGuards(PreviewGuard)
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  /** List the endpoints of this side (live or test), newest first. Webhooks answer 403 until the tenant turns on `webhooksPreview`. */
  @Get()
  @AdminsOnly()
  @AnswersList(WebhookEndpointDto)
  list(@CurrentMember() caller: MemberCaller): Promise<Json<WebhookEndpointDto[]>> {
    return this.endpoints.list(caller);
  }

  /** Create an endpoint. It gets what happens from now on. The secret that signs is in this answer and is never shown again. */
  @Post()
  @AdminsOnly()
  @Answers(NewWebhookEndpointDto, { status: 201 })
  create(
    @CurrentMember() caller: MemberCaller,
    @Body() body: CreateWebhookEndpointDto,
  ): Promise<Json<NewWebhookEndpointDto>> {
    return this.endpoints.create(caller, body);
  }

  /** Get an endpoint. */
  @Get(":id")
  @AdminsOnly()
  @Answers(WebhookEndpointDto)
  get(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<WebhookEndpointDto>> {
    return this.endpoints.get(caller, id);
  }

  /** Change an endpoint. What waits for it goes to the new URL; while it is disabled, what waits fails. */
  @Patch(":id")
  @AdminsOnly()
  @Answers(WebhookEndpointDto)
  update(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateWebhookEndpointDto,
  ): Promise<Json<WebhookEndpointDto>> {
    return this.endpoints.update(caller, id, body);
  }

  /** Delete an endpoint with its deliveries. What waits for it is not sent. */
  @Delete(":id")
  @AdminsOnly()
  @AnswersOk("Deleted")
  delete(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.endpoints.delete(caller, id);
  }

  /** Send a test event to an active endpoint. The event is `webhook.test`, signed and delivered as all events are. */
  @Post(":id/test")
  @AdminsOnly()
  @Answers(WebhookDeliveryDto, { status: 201 })
  test(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<WebhookDeliveryDto>> {
    return this.deliveries.test(caller, id);
  }

  /** Make a new secret. For 24 hours the old one signs as well, so that you can change it at the receiver. */
  @Post(":id/rotate-secret")
  @AdminsOnly()
  @Answers(NewWebhookEndpointDto, { status: 201 })
  rotateSecret(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
  ): Promise<Json<NewWebhookEndpointDto>> {
    return this.endpoints.rotateSecret(caller, id);
  }

  /**
   * List the deliveries to an endpoint, newest first. Each says what was sent and what became of it. Deliveries are
   * kept for 30 days.
   */
  @Get(":id/deliveries")
  @AdminsOnly()
  @AnswersPage(WebhookDeliveryDto)
  listDeliveries(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Query() query: ListWebhookDeliveriesDto,
  ): Promise<Json<Page<WebhookDeliveryDto>>> {
    return this.deliveries.list(caller, id, query);
  }

  /** Send again everything that failed since a time. The oldest comes first, up to 500 deliveries at once. */
  @Post(":id/redeliver")
  @HttpCode(200)
  @AdminsOnly()
  @Answers(RedeliveredDto)
  redeliver(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() { since }: RedeliverSinceDto,
  ): Promise<Json<RedeliveredDto>> {
    return this.deliveries.redeliverSince(caller, id, since);
  }
}

@Controller("api/webhook-deliveries")
@UseGuards(PreviewGuard)
export class WebhookDeliveriesController {
  constructor(private readonly deliveries: WebhookDeliveriesService) {}

  /**
   * Send a delivery again. It is the same event with the same `id` and `idempotencyKey`, up to three attempts. If it
   * is waiting already, nothing changes.
   */
  @Post(":id/redeliver")
  @HttpCode(200)
  @AdminsOnly()
  @Answers(WebhookDeliveryDto)
  @Fails(409)
  redeliver(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<WebhookDeliveryDto>> {
    return this.deliveries.redeliver(caller, id);
  }
}
