import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from "@nestjs/common";
import { ApiHeader, ApiResponse, ApiTags } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { AttachmentDto } from "../../conversations/attachments/attachments.dto.js";
import { Public } from "../../auth/access/access.js";
import type { Json, Page } from "../../platform/http/json.js";
import { Answers, AnswersPage, ErrorDto, Fails } from "../../platform/http/openapi.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import type { Request } from "../../platform/http/request.js";
import { TakesFile } from "../../platform/http/upload.js";
import { WebchatSessions } from "./webchat-sessions.service.js";
import { WebchatStreams } from "./webchat-streams.js";
import { WebchatThread } from "./webchat-thread.service.js";
import { OpenSessionDto, WebchatMessageDto, WebchatSessionDto, WebchatWriteDto } from "./webchat.dto.js";

const WHY = "the session token in the Authorization header is the credential";

@ApiTags("Web chat")
@Controller("api/public/webchat/:publicKey")
export class WebchatController {
  constructor(
    private readonly sessions: WebchatSessions,
    private readonly thread: WebchatThread,
    private readonly streams: WebchatStreams,
  ) {}

  /**
   * Begin a session, with what the widget shows. With a token of it in `Authorization: Bearer …`, also one that has ended, the
   * session goes on under a new token, for 30 days after the last time; the one before is worthless as soon as the new one is in use,
   * and showing an even older one ends the session. With `identity` it is the session of a signed visitor, who sees the same thread everywhere, for a day.
   */
  @Post("sessions")
  @HttpCode(200)
  @Public(WHY)
  @Answers(WebchatSessionDto)
  @Fails(401, 403, 409)
  open(
    @Param("publicKey") publicKey: string,
    @Req() request: Request,
    @Body() { identity }: OpenSessionDto,
  ): Promise<Json<WebchatSessionDto>> {
    return this.sessions.open(publicKey, request, identity);
  }

  /** Write as the visitor. The first message makes the contact and the conversation. The same `clientMessageId` is the same message: 200 then. At most 20 a minute. */
  @Post("messages")
  @Public(WHY)
  @Answers(WebchatMessageDto, { status: 201 })
  @Fails(401, 403, 409)
  @ApiResponse({ status: 200, description: "It was there already", type: WebchatMessageDto })
  write(
    @Param("publicKey") publicKey: string,
    @Req() request: Request,
    @Body() body: WebchatWriteDto,
  ): Promise<Json<WebchatMessageDto>> {
    return this.thread.write(publicKey, request, body);
  }

  /** Read the visitor's own thread, newest first: what they wrote and what was written to them. */
  @Get("messages")
  @Public(WHY)
  @AnswersPage(WebchatMessageDto)
  @Fails(401, 403, 409)
  list(
    @Param("publicKey") publicKey: string,
    @Req() request: Request,
    @Query() query: PagingDto,
  ): Promise<Json<Page<WebchatMessageDto>>> {
    return this.thread.list(publicKey, request, query);
  }

  /** Upload a file, for `attachmentIds` of a message within 24 hours. */
  @Post("attachments")
  @Public(WHY)
  @Answers(AttachmentDto, { status: 201 })
  @Fails(401, 403, 409)
  @TakesFile("The file; 25 MB at most unless the server is set up otherwise")
  @ApiResponse({ status: 413, description: "The file is too large", type: ErrorDto })
  @ApiResponse({
    status: 415,
    description: "The body is not multipart/form-data, or the file can be executed",
    type: ErrorDto,
  })
  upload(
    @Param("publicKey") publicKey: string,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json<AttachmentDto>> {
    return this.thread.upload(publicKey, request, reply);
  }

  /**
   * Hear what comes into the visitor's thread, as server-sent events: `ready` first, then a `message` for each. With
   * `Last-Event-ID` it goes on right behind that event. It ends with its token.
   */
  @Get("stream")
  @Public(WHY)
  @Fails(401, 403, 409)
  @ApiHeader({ name: "Last-Event-ID", required: false, description: "The `id` of the event that was heard last" })
  @ApiResponse({
    status: 200,
    description: "The events",
    content: { "text/event-stream": { schema: { type: "string" } } },
  })
  async stream(
    @Param("publicKey") publicKey: string,
    @Req() request: Request,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const visit = await this.sessions.visit(publicKey, request);
    await this.sessions.hold(visit);
    const lastEventId = request.headers["last-event-id"];
    const out = await this.streams.open(visit, Array.isArray(lastEventId) ? lastEventId[0] : lastEventId);
    void reply
      .headers({ "Cache-Control": "no-store", "X-Accel-Buffering": "no", Connection: "close" })
      .type("text/event-stream; charset=utf-8")
      .send(out);
  }
}
