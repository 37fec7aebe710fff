import { Controller, ForbiddenException, Get, Query, Req, Res } from "@nestjs/common";
import { ApiHeader, ApiResponse } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { CurrentMember, ReadersOnly } from "../auth/access/access.js";
import type { MemberCaller } from "../platform/caller/caller.js";
import { answerWith, lastEventIdOf } from "../platform/http/open-streams.js";
import { Fails } from "../platform/http/openapi.js";
import { clientOf } from "../platform/http/rate-limit.js";
import type { Request } from "../platform/http/request.js";
import { EventStreams, mayListen } from "./event-streams.js";
import { StreamEventsDto } from "./feed.dto.js";

@Controller("api/events")
export class EventsController {
  constructor(private readonly streams: EventStreams) {}

  /**
   * Stream what happens in your workspaces. The answer is server-sent events: `ready` first, then
   * `channel.message_received`, `conversation.created`, `conversation.updated`, `message.created`, `message.updated`,
   * `contact.updated`, `contact.merged`, `contact.deleted`, `contact.erased`, `identity_event.*`, `attention_item.*`,
   * `pending_action.*`, `kb_entry.*` and `policy_entry.*`. They hold ids and states. With
   * `include=resource`, each also holds the `resource` as it is now, or null if it is gone; with `include=contact`, each of a
   * conversation holds its `contact`. An `id` is a position in the feed, the same as a `cursor` of `GET /api/changes`. Give the last
   * one as `Last-Event-ID` to continue without a gap. The stream ends when the session ends or its token expires.
   */
  @Get()
  @ReadersOnly()
  @Fails(410)
  @ApiHeader({ name: "Last-Event-ID", required: false, description: "The `id` of the last event that you received" })
  @ApiResponse({
    status: 200,
    description: "The events",
    content: { "text/event-stream": { schema: { type: "string" } } },
  })
  async stream(
    @CurrentMember() member: MemberCaller,
    @Query() { include = [] }: StreamEventsDto,
    @Req() request: Request,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!mayListen(member)) throw new ForbiddenException();
    // A client that has gone already has no address.
    if (request.socket.destroyed) return;
    const [, token = ""] = request.headers.authorization!.split(" ");
    const out = await this.streams.listen(member, token, clientOf(request.ip), lastEventIdOf(request), include);
    answerWith(out, reply);
  }
}
