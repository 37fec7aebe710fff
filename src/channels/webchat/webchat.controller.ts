import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from "@nestjs/common";
import { ApiHeader, ApiResponse, ApiSecurity } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { AttachmentDto } from "../../conversations/attachments/attachments.dto.js";
import { Public } from "../../auth/access/access.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { answerWith, lastEventIdOf } from "../../platform/http/open-streams.js";
import { Answers, AnswersOk, AnswersPage, ErrorResponseDto, Fails } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { clientOf } from "../../platform/http/rate-limit.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import type { Request } from "../../platform/http/request.js";
import { TakesFile } from "../../platform/http/upload.js";
import { WebchatSessionsService } from "./webchat-sessions.service.js";
import { WebchatStreams } from "./webchat-streams.js";
import { WebchatThreadService } from "./webchat-thread.service.js";
import {
  OpenWebchatSessionDto,
  WebchatMessageDto,
  WebchatSessionDto,
  SetWebchatTypingDto,
  SendWebchatMessageDto,
} from "./webchat.dto.js";

const WHY = "the session token in the Authorization header is the credential";

@Tag("Web chat", ["webchat"], {
  order: 130,
  description: "The chat on your own website. Visitors have a token of their own, not a key.",
})
@Controller("api/public/webchat/:publicKey")
export class WebchatController {
  constructor(
    private readonly sessions: WebchatSessionsService,
    private readonly thread: WebchatThreadService,
    private readonly streams: WebchatStreams,
  ) {}

  /**
   * Open a session and read the settings of the widget. If you send a token of the session in `Authorization: Bearer …`, the
   * session continues with a new token; an expired token is accepted for 30 days. The previous token stops working once the new
   * one is used. Sending an older token ends the session. With `identity` the session belongs to a signed visitor, who sees the
   * same thread on every device; it lasts a day.
   */
  @Post("sessions")
  @HttpCode(200)
  @Public(WHY)
  @Answers(WebchatSessionDto)
  @Fails(401, 403, 409)
  openSession(
    @Param("publicKey") publicKey: string,
    @Req() request: Request,
    @Body() { identity }: OpenWebchatSessionDto,
  ): Promise<Json<WebchatSessionDto>> {
    return this.sessions.open(publicKey, request, identity);
  }

  /** Send a message as the visitor. The first message creates the contact and the conversation. Sending the same `clientMessageId` again returns the message with status 200. At most 20 messages a minute. */
  @Post("messages")
  @Public(WHY)
  @ApiSecurity("visitor")
  @Answers(WebchatMessageDto, { status: 201 })
  @Fails(401, 403, 409)
  @ApiResponse({ status: 200, description: "The message was sent before", type: WebchatMessageDto })
  sendMessage(
    @Param("publicKey") publicKey: string,
    @Req() request: Request,
    @Body() body: SendWebchatMessageDto,
  ): Promise<Json<WebchatMessageDto>> {
    return this.thread.write(publicKey, request, body);
  }

  /**
   * Say that the visitor is typing, or has stopped. Your team sees it for 10 seconds, so send it again every 5 while
   * it lasts. Nothing is stored. At most 30 times a minute.
   */
  @Post("typing")
  @HttpCode(200)
  @Public(WHY)
  @ApiSecurity("visitor")
  @AnswersOk()
  @Fails(401, 403, 409)
  setTyping(
    @Param("publicKey") publicKey: string,
    @Req() request: Request,
    @Body() { typing }: SetWebchatTypingDto,
  ): Promise<Json<Ok>> {
    return this.thread.typing(publicKey, request, typing);
  }

  /**
   * List the messages from and to the visitor, newest first. They are those of the thread that the session continues. If the chat
   * is switched off, the answer is 409.
   */
  @Get("messages")
  @Public(WHY)
  @ApiSecurity("visitor")
  @AnswersPage(WebchatMessageDto)
  @Fails(401, 403, 409)
  listMessages(
    @Param("publicKey") publicKey: string,
    @Req() request: Request,
    @Query() query: PagingDto,
  ): Promise<Json<Page<WebchatMessageDto>>> {
    return this.thread.list(publicKey, request, query);
  }

  /** Upload a file as the visitor. Name it in `attachmentIds` of a message within 24 hours. */
  @Post("attachments")
  @Public(WHY)
  @ApiSecurity("visitor")
  @Answers(AttachmentDto, { status: 201 })
  @Fails(401, 403, 409)
  @TakesFile("The file; 25 MB at most unless the server is set up otherwise")
  @ApiResponse({
    status: 413,
    description: "The file is too large, or the tenant's quota is used up",
    type: ErrorResponseDto,
  })
  @ApiResponse({ status: 507, description: "The server has no room for files at the moment", type: ErrorResponseDto })
  @ApiResponse({
    status: 415,
    description: "The body is not multipart/form-data, or the file can be executed",
    type: ErrorResponseDto,
  })
  uploadAttachment(
    @Param("publicKey") publicKey: string,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json<AttachmentDto>> {
    return this.thread.upload(publicKey, request, reply);
  }

  /**
   * Stream new messages of the visitor's thread. The answer is server-sent events: `ready` first, then a `message`
   * for each. With `Last-Event-ID` the stream continues after that event. It ends when the token expires. `typing`
   * says that someone writes a reply, until the time `until`, or has stopped: `{conversationId, typing, until}`. It
   * has no id.
   */
  @Get("stream")
  @Public(WHY)
  @ApiSecurity("visitor")
  @Fails(401, 403, 409)
  @ApiHeader({ name: "Last-Event-ID", required: false, description: "The `id` of the last event that you received" })
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
    const out = await this.streams.listen(visit, clientOf(request.ip), lastEventIdOf(request));
    answerWith(out, reply);
  }
}
