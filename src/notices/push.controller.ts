import { Body, Controller, Delete, Get, HttpCode, Param, Post } from "@nestjs/common";
import { CurrentMember, MembersOnly } from "../auth/access/access.js";
import type { MemberCaller } from "../platform/caller/caller.js";
import type { Json, Ok } from "../platform/http/json.js";
import { Answers, AnswersOk } from "../platform/http/openapi.js";
import { OperationGroup } from "../platform/http/operation-id.js";
import { IdPipe } from "../platform/http/validation.js";
import { CreatePushSubscriptionDto, PushDto, PushSubscriptionDto, PushTestedDto } from "./push.dto.js";
import { PushService } from "./push.service.js";

@OperationGroup("me")
@Controller("api/me/push-subscriptions")
export class PushController {
  constructor(private readonly push: PushService) {}

  /** List your browsers that show notices. */
  @Get()
  @MembersOnly()
  @Answers(PushDto)
  listPushSubscriptions(@CurrentMember() caller: MemberCaller): Promise<Json<PushDto>> {
    return this.push.list(caller);
  }

  /** Have a browser show notices. They are of the live side, until you sign out there. */
  @Post()
  @MembersOnly()
  @Answers(PushSubscriptionDto, { status: 201 })
  createPushSubscription(
    @CurrentMember() caller: MemberCaller,
    @Body() body: CreatePushSubscriptionDto,
  ): Promise<Json<PushSubscriptionDto>> {
    return this.push.subscribe(caller, body);
  }

  /** Have a browser show no more notices. */
  @Delete(":id")
  @MembersOnly()
  @AnswersOk()
  deletePushSubscription(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.push.unsubscribe(caller, id);
  }

  /** Send a notice to one of your browsers. It leaves on the test side, too. */
  @Post(":id/test")
  @HttpCode(200)
  @MembersOnly()
  @Answers(PushTestedDto)
  testPushSubscription(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
  ): Promise<Json<PushTestedDto>> {
    return this.push.test(caller, id);
  }
}
