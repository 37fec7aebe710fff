import { Body, Controller, Delete, HttpCode, Param, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import { ADMINS } from "../platform/caller/scope.js";
import type { Json, Ok } from "../platform/http/json.js";
import { OperationGroup } from "../platform/http/operation-id.js";
import { Answers, AnswersEither, AnswersOk, Fails } from "../platform/http/openapi.js";
import { IdPipe } from "../platform/http/validation.js";
import { ContactDto } from "./contacts.dto.js";
import { ChangeContactsDto, ContactsChangedDto } from "./bulk-contacts.dto.js";
import { BulkContactsService } from "./bulk-contacts.service.js";
import { DeletionService } from "./deletion.service.js";
import { MergeContactsDto, MergePreviewDto } from "./merge.dto.js";
import { MergeService } from "./merge.service.js";

@OperationGroup("contacts")
@Controller("api/contacts")
export class PeopleController {
  constructor(
    private readonly merges: MergeService,
    private readonly deletions: DeletionService,
    private readonly bulk: BulkContactsService,
  ) {}

  /**
   * Change up to 100 contacts in one transaction. With access to none of them, it is 404.
   */
  @Post("bulk-actions")
  @HttpCode(200)
  @RequireScope("contacts:write")
  @Answers(ContactsChangedDto)
  changeMany(@CurrentCaller() caller: Caller, @Body() body: ChangeContactsDto): Promise<Json<ContactsChangedDto>> {
    return this.bulk.change(caller, body);
  }

  /**
   * Merge another contact into this one, which survives. Conversations, cases, identity events, counted wrong answers,
   * emails, phones and labels move to the survivor. The survivor also takes over other values that it lacks. What the
   * merged contact has proven is no proof of the survivor: its conversations fall back to the assurance level `none`, its
   * links, codes and eID requests are void, and its eID is unbound. The merged contact then reads 200 with `mergedIntoId`. With `dryRun` the answer is a preview. If both contacts
   * have an `externalId`, or the eID says that they are two people, the answer is 409.
   */
  @Post(":id/merge")
  @HttpCode(200)
  @RequireScope("contacts:write")
  @AnswersEither(
    "MergeResult",
    "The contact that remains; with `dryRun`, the preview.",
    ContactDto,
    MergePreviewDto,
    "The survivor; with `dryRun`, the preview",
  )
  merge(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: MergeContactsDto,
  ): Promise<Json<ContactDto | MergePreviewDto>> {
    return this.merges.merge(caller, id, body);
  }

  /**
   * Delete a contact. The contacts that were merged into it are deleted too. The contact and its identity events
   * disappear from all answers immediately and are purged after 30 days. Its conversations stay. To remove the
   * person's messages too, with a certificate, use the erasure. A contact that also appears in workspaces that you do not
   * reach is 409.
   */
  @Delete(":id")
  @RequireScope("contacts:write", ADMINS)
  @AnswersOk("Deleted")
  @Fails(409)
  delete(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.deletions.remove(caller, id);
  }
}
