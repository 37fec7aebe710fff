import { Body, Controller, Delete, Get, HttpCode, Param, Post } from "@nestjs/common";
import { CurrentMember, MembersOnly } from "../auth/access/access.js";
import type { MemberCaller } from "../platform/caller/caller.js";
import type { Json, Ok } from "../platform/http/json.js";
import { Answers, AnswersList, AnswersOk } from "../platform/http/openapi.js";
import { OperationGroup } from "../platform/http/operation-id.js";
import { IdPipe } from "../platform/http/validation.js";
import { CreatePushSubscriptionDto, PushKeyDto, PushSubscriptionDto } from "./push.dto.js";
import { PushService } from "./push.service.js";

@OperationGroup("me")
@Controller("api/me")
export class PushController {
  constructor(private readonly push: PushService) {}

  /** Get the key with which a browser subscribes to notices. */
  @Get("push-key")
  @MembersOnly()
  @Answers(PushKeyDto)
  getPushKey(): Json<PushKeyDto> {
    return this.push.key();
  }

  /** List the browsers of yours that show notices. */
  @Get("push-subscriptions")
  @MembersOnly()
  @AnswersList(PushSubscriptionDto)
  listPushSubscriptions(@CurrentMember() caller: MemberCaller): Promise<Json<PushSubscriptionDto[]>> {
    return this.push.list(caller);
  }

  /**
   * Have a browser show notices. It shows what your preferences say, of the live side, until you sign out there. If you send its
   * endpoint again, it stays one. You can have ten (409).
   */
  @Post("push-subscriptions")
  @MembersOnly()
  @Answers(PushSubscriptionDto, { status: 201 })
  createPushSubscription(
    @CurrentMember() caller: MemberCaller,
    @Body() body: CreatePushSubscriptionDto,
  ): Promise<Json<PushSubscriptionDto>> {
    return this.push.subscribe(caller, body);
  }

  /** Have a browser show no more notices. */
  @Delete("push-subscriptions/:id")
  @MembersOnly()
  @AnswersOk()
  deletePushSubscription(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.push.unsubscribe(caller, id);
  }

  /**
   * Send a notice to one of your browsers, at once, on both sides. If its push service refuses it, you get 409. At most five a
   * minute (429).
   */
  @Post("push-subscriptions/:id/test")
  @HttpCode(200)
  @MembersOnly()
  @AnswersOk()
  testPushSubscription(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.push.test(caller, id);
  }
}
