import { Controller, Get, Param, Post, Query, Req, Res } from "@nestjs/common";
import { ApiResponse } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { CurrentCaller, Public, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Page } from "../../platform/http/json.js";
import { Answers, AnswersPage, ErrorResponseDto, Fails } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import type { Request } from "../../platform/http/request.js";
import { TakesFile } from "../../platform/http/upload.js";
import { IdPipe } from "../../platform/http/validation.js";
import { AttachmentStore } from "./attachment-store.js";
import { AttachmentDto, AttachmentLinkDto } from "./attachments.dto.js";
import { AttachmentsService } from "./attachments.service.js";
import { sendFile } from "./download.js";

const FILE = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };

@Tag("Attachments", ["attachments"], {
  order: 30,
  description: "Files in messages. Upload a file first, then send a message that names it.",
})
@Controller("api")
export class AttachmentsController {
  constructor(
    private readonly attachments: AttachmentsService,
    private readonly store: AttachmentStore,
  ) {}

  /**
   * Upload a file. Name it in `attachmentIds` of a message within 24 hours, or it is deleted. Until then only you can
   * read it. The content type is detected from the bytes. If you repeat the upload with the same `Idempotency-Key`,
   * the name, type and bytes must be the same.
   */
  @Post("attachments")
  @RequireScope("conversations:write")
  @Answers(AttachmentDto, { status: 201 })
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
  upload(
    @CurrentCaller() caller: Caller,
    @Req() request: Request,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Json<AttachmentDto>> {
    return this.attachments.upload(caller, request, reply);
  }

  /** Read an attachment. It has a URL that downloads the file for 5 minutes. */
  @Get("attachments/:id")
  @RequireScope("conversations:read")
  @Answers(AttachmentLinkDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<AttachmentLinkDto>> {
    return this.attachments.get(caller, id);
  }

  /** List the attachments of a conversation, newest first. They are those of its messages and internal notes. */
  @Get("conversations/:id/attachments")
  @RequireScope("conversations:read")
  @AnswersPage(AttachmentDto)
  list(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<AttachmentDto>>> {
    return this.attachments.list(caller, id, query);
  }

  /**
   * Download a file by the URL from `GET /api/attachments/{id}`. Browsers display images, audio and video, and save
   * everything else. One `Range` is supported.
   */
  @Get("public/attachments/:token")
  @Public("the address is signed and ends after 5 minutes")
  @Fails(401, 404, 416)
  @ApiResponse({ status: 200, description: "The file", content: FILE })
  @ApiResponse({ status: 206, description: "The part of it that `Range` asks for", content: FILE })
  @ApiResponse({ status: 307, description: "The file is at the address in `Location`, for a few minutes" })
  @ApiResponse({ status: 304, description: "Unchanged since the `ETag` given as `If-None-Match`" })
  async download(@Param("token") token: string, @Req() request: Request, @Res() reply: FastifyReply): Promise<void> {
    await sendFile(request, reply, await this.attachments.follow(token), this.store);
  }
}
