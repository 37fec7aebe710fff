import { Readable } from "node:stream";
import { Controller, Get, Param, Req, Res } from "@nestjs/common";
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { AdminsOnly, CurrentCaller } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import { zip } from "../../platform/http/zip.js";
import { etagOf, matches } from "../../platform/http/etag.js";
import type { Request } from "../../platform/http/request.js";
import { IdPipe } from "../../platform/http/validation.js";
import { ContactExportDto } from "./contact-export.dto.js";
import { ExportService } from "./export.service.js";

@ApiTags("Contacts")
@Controller("api/contacts")
export class ExportController {
  constructor(private readonly exports: ExportService) {}

  /**
   * Export all that is kept about a person (GDPR, article 15) as one ZIP archive. In it `person.json` is a `ContactExportDto`: the contact
   * and what was merged with it, conversations with their messages, identity events, attention items, cases, bookings, what was sent; the files that the
   * messages name are `attachments/<id>/<fileName>`. Wherever in the tenant it is: for owners and admins.
   */
  @Get(":id/export")
  @AdminsOnly()
  // The name that it has had in the API; without this it would follow the class.
  @ApiOperation({ operationId: "People.export" })
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
