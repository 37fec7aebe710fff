import { Controller, Get, Param, Req, Res } from "@nestjs/common";
import { ApiResponse } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { Public } from "../../auth/access/access.js";
import { matches } from "../../platform/http/etag.js";
import type { Request } from "../../platform/http/request.js";
import { WidgetScriptsService } from "./widget-scripts.service.js";
import { OperationGroup } from "../../platform/http/operation-id.js";

@OperationGroup("publicWidgets")
@Controller("widgets")
export class ScriptsController {
  constructor(private readonly scripts: WidgetScriptsService) {}

  /** Load the script of a widget. A page of any origin can load it, for instance `webchat.js`. */
  @Get(":file")
  @Public("a script for any page")
  @ApiResponse({
    status: 200,
    description: "The script",
    content: { "text/javascript": { schema: { type: "string" } } },
  })
  @ApiResponse({ status: 304, description: "Unchanged since the `ETag` given as `If-None-Match`" })
  async getScript(@Param("file") file: string, @Req() { headers }: Request, @Res() reply: FastifyReply): Promise<void> {
    const script = this.scripts.get(file);
    // Browsers cache the script for ten minutes. After that they still use it while they check for a newer one.
    void reply.headers({
      ETag: script.etag,
      "Cache-Control": "public, max-age=600, stale-while-revalidate=86400",
      Vary: "Accept-Encoding",
      "Cross-Origin-Resource-Policy": "cross-origin",
    });
    if (matches(headers["if-none-match"], script.etag)) return void reply.status(304).send();
    const { encoding, bytes } = await script.for(headers["accept-encoding"]);
    if (encoding) void reply.header("Content-Encoding", encoding);
    void reply.type("text/javascript; charset=utf-8").send(bytes);
  }
}
