import { Body, Controller, Delete, HttpCode, Param, Post } from "@nestjs/common";
import { ApiExtraModels, ApiResponse, ApiTags, getSchemaPath } from "@nestjs/swagger";
import { CurrentCaller, RequireScope } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import { ADMINS } from "../platform/caller/scope.js";
import type { Json, Ok } from "../platform/http/json.js";
import { AnswersOk } from "../platform/http/openapi.js";
import { IdPipe } from "../platform/http/validation.js";
import { ContactDto } from "./contacts.dto.js";
import { DeletionService } from "./deletion.service.js";
import { MergeDto, MergePreviewDto } from "./merge.dto.js";
import { MergeService } from "./merge.service.js";

@ApiTags("Contacts")
@Controller("api/contacts")
export class PeopleController {
  constructor(
    private readonly merges: MergeService,
    private readonly deletions: DeletionService,
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
}
