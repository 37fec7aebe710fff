import { Readable } from "node:stream";
import { Controller, Get, Param, Req, Res } from "@nestjs/common";
import { ApiExtraModels, ApiResponse } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { AdminsOnly, CurrentCaller, RecentSignIn } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import { zip } from "../../platform/http/zip.js";
import { etagOf, matches } from "../../platform/http/etag.js";
import type { Request } from "../../platform/http/request.js";
import { IdPipe } from "../../platform/http/validation.js";
import { ContactExportDto } from "./contact-export.dto.js";
import { ExportService } from "./export.service.js";
import { OperationGroup } from "../../platform/http/operation-id.js";

@OperationGroup("contacts")
@Controller("api/contacts")
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  /**
   * Export all data about a person (GDPR, Article 15). You get one ZIP archive. Its `person.json` is a
   * `ContactExport`: the contact and the contacts merged into it, conversations with their messages, identity events,
   * attention items, cases, bookings and sent mails. The files of the messages are in `attachments/<id>/<fileName>`.
   * The export covers all workspaces of the tenant.
   */
  @Get(":id/export")
  @AdminsOnly()
  @RecentSignIn()
  @ApiExtraModels(ContactExportDto)
  @ApiResponse({
    status: 200,
    description: "The archive",
    content: { "application/zip": { schema: { type: "string", format: "binary" } } },
  })
  async export(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Req() { headers }: Request,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const document = await this.exports.document(caller, id);
    const etag = etagOf(document);
    void reply.headers({ "Cache-Control": "private, no-cache", ETag: etag });
    if (matches(headers["if-none-match"], etag)) return void reply.status(304).send();
    void reply
      .type("application/zip")
      .header("Content-Disposition", `attachment; filename="contact-${id}.zip"`)
      .send(Readable.from(zip(this.exports.files(caller, document)), { objectMode: false }));
  }
}
