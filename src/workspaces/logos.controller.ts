import { Body, Controller, Delete, Get, Param, Put, Res } from "@nestjs/common";
import { ApiResponse } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { CurrentCaller, Public, RequireScope } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import type { Json, Ok } from "../platform/http/json.js";
import { Answers, AnswersOk, Fails } from "../platform/http/openapi.js";
import { OperationGroup } from "../platform/http/operation-id.js";
import { IdPipe } from "../platform/http/validation.js";
import { LogosService } from "./logos.service.js";
import { SetLogoDto, WorkspaceDto } from "./workspaces.dto.js";

const PICTURE = { "image/*": { schema: { type: "string", format: "binary" } } };
const HEADERS = {
  // The address has another id for each picture.
  "Cache-Control": "public, max-age=31536000, immutable",
  // The chat shows it on pages of others.
  "Cross-Origin-Resource-Policy": "cross-origin",
  // There it sees how light the picture is, and on which ground it can be seen.
  "Access-Control-Allow-Origin": "*",
  "Content-Security-Policy": "default-src 'none'; sandbox",
};

@OperationGroup("logos")
@Controller("api")
export class LogosController {
  constructor(private readonly logos: LogosService) {}

  /** Set the logo of a workspace. The dashboard, mails, the chat and surveys show it. */
  @Put("workspaces/:workspaceId/logo")
  @RequireScope("workspaces:write")
  @Answers(WorkspaceDto)
  set(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) id: string,
    @Body() { image }: SetLogoDto,
  ): Promise<Json<WorkspaceDto>> {
    return this.logos.set(caller, id, image);
  }

  /** Remove the logo of a workspace. Mails that have left go on showing it. */
  @Delete("workspaces/:workspaceId/logo")
  @RequireScope("workspaces:write")
  @AnswersOk("Deleted")
  remove(@CurrentCaller() caller: Caller, @Param("workspaceId", IdPipe) id: string): Promise<Json<Ok>> {
    return this.logos.remove(caller, id);
  }

  /** Load a logo. Its address is the `logoUrl` of the workspace. It is kept as long as no ten newer ones were set. */
  @Get("public/logos/:tenantId/:id")
  @Public("a logo is for everybody who knows its address")
  @Fails(404)
  @ApiResponse({ status: 200, description: "The picture", content: PICTURE })
  async get(
    @Param("tenantId", IdPipe) tenantId: string,
    @Param("id", IdPipe) id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { contentType, bytes } = await this.logos.read(tenantId, id);
    await reply.headers(HEADERS).type(contentType).send(bytes);
  }
}
