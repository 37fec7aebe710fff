import { Readable } from "node:stream";
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from "@nestjs/common";
import { ApiExtraModels, ApiResponse, ApiTags, getSchemaPath } from "@nestjs/swagger";
import type { FastifyReply } from "fastify";
import { AdminsOnly, CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import { ADMINS } from "../../platform/caller/scope.js";
import { ContactDto } from "../../contacts/contacts.dto.js";
import { archive } from "../../platform/http/archive.js";
import { etagOf, matches } from "../../platform/http/etag.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { AnswersOk } from "../../platform/http/openapi.js";
import type { Request } from "../../platform/http/request.js";
import { IdPipe } from "../../platform/http/validation.js";
import { DeletionService } from "./deletion.service.js";
import { ExportService } from "./export.service.js";
import { MergeService } from "./merge.service.js";
import { ContactExportDto, MergeDto, MergePreviewDto } from "./people.dto.js";

@ApiTags("Contacts")
@Controller("api/contacts")
export class PeopleController {
  constructor(
    private readonly merges: MergeService,
    private readonly deletions: DeletionService,
    private readonly exports: ExportService,
  ) {}

  /**
   * Merge another contact into this one, which survives: conversations, cases, identity events, proofs, counted wrong answers, emails,
   * phones and labels come along, and what the survivor lacks of the rest. The other one then reads 200 with `mergedIntoId`. With
   * `dryRun` the answer is a preview. Refused (409) where both have an `externalId`, or are two people to the same eID.
   */
  @Post(":id/merge")
  @HttpCode(200)
  @RequireScope("contacts:write")
  @ApiExtraModels(ContactDto, MergePreviewDto)
  @ApiResponse({
    status: 200,
    description: "The survivor; with `dryRun`, the preview",
    schema: { oneOf: [{ $ref: getSchemaPath(ContactDto) }, { $ref: getSchemaPath(MergePreviewDto) }] },
  })
  merge(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: MergeDto,
  ): Promise<Json<ContactDto | MergePreviewDto>> {
    return this.merges.merge(caller, id, body);
  }

  /**
   * Delete a contact, with what was merged into it. It and the identity events that are bound to it are gone from every answer at
   * once, and purged after 30 days; its conversations stay. To remove a person's words too, and to have it certified, use the erasure.
   * Of members only owners and admins may.
   */
  @Delete(":id")
  @RequireScope("contacts:write", ADMINS)
  @AnswersOk("Deleted")
  remove(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.deletions.remove(caller, id);
  }

  /**
   * Export all that is kept about a person (GDPR, article 15) as one ZIP archive. In it `person.json` is a `ContactExportDto`: the contact
   * and what was merged with it, conversations with their messages, identity events, attention items, cases, bookings, what was sent; the files that the
   * messages name are `attachments/<id>/<fileName>`. Wherever in the tenant it is: for owners and admins.
   */
  @Get(":id/export")
  @AdminsOnly()
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
      .send(Readable.from(archive(this.exports.files(caller, document)), { objectMode: false }));
  }
}
