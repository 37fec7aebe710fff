import { Body, Controller, Delete, HttpCode, Param, Post } from "@nestjs/common";
import { AdminsOnly, CurrentCaller, DeskMembersOnly, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, AnswersOk, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { RequestEidDto, EidRequestedDto } from "./eid.dto.js";
import { EidBindingsService } from "./eid-bindings.service.js";
import { EidService } from "./eid.service.js";

@OperationGroup("verification")
@Controller("api")
export class EidController {
  constructor(
    private readonly eid: EidService,
    private readonly bindings: EidBindingsService,
  ) {}

  /**
   * Ask the contact for an approval with an eID. The contact gets a prompt in their app, or a link in a mail. The
   * result appears in the identity events and at `assurance`. The first approval reaches `high-assurance` only if
   * what the eID says of the person is on file, by the scheme's `binding`. Otherwise it raises no level until a
   * member confirms it. Returns 409 if the scheme does not accept the request, 503 if it cannot be reached.
   */
  @Post("conversations/:id/verification/eid-requests")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(EidRequestedDto)
  @Fails(409)
  requestEid(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: RequestEidDto,
  ): Promise<Json<EidRequestedDto>> {
    return this.eid.request(caller, id, body);
  }

  /**
   * Confirm that the contact is who approved. This binds the eID to the contact. Returns 409 unless another proof has
   * identified the caller and still counts, and the approval waits for a confirmation (see `assurance`).
   */
  @Post("eid-requests/:id/confirm")
  @HttpCode(200)
  @DeskMembersOnly()
  @AnswersOk("Confirmed")
  @Fails(409)
  confirmEid(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.bindings.confirm(caller, id);
  }

  /**
   * Unbind the eIDs of a contact. This is for all schemes. Factors by eID in its conversations end, and their levels
   * fall. The identity events stay. The next approval is a first one again. Returns 409 if the contact was merged into
   * another one.
   */
  @Delete("contacts/:id/eid-binding")
  @AdminsOnly()
  @AnswersOk("Unbound")
  @Fails(409)
  unbindEid(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.bindings.unbind(caller, id);
  }
}
