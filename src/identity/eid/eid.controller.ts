import { Body, Controller, HttpCode, Param, Post } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { Answers, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { EidRequestDto, EidRequestedDto } from "./eid.dto.js";
import { EidService } from "./eid.service.js";

@ApiTags("Identity")
@Controller("api/conversations")
export class EidController {
  constructor(private readonly eid: EidService) {}

  /**
   * Ask the contact for an approval with an eID, by a prompt to their app or by a link in a mail. The result appears in the
   * identity events and at `assurance`. Returns 409 if the scheme does not accept the request, 503 if it cannot be reached.
   */
  @Post(":id/verification/eid-requests")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(EidRequestedDto)
  @Fails(409)
  request(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: EidRequestDto,
  ): Promise<Json<EidRequestedDto>> {
    return this.eid.request(caller, id, body);
  }
}
