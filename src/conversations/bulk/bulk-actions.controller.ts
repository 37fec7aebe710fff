import { Body, Controller, Get, Param, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { Answers } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { BulkActionDto, CreateBulkActionDto } from "./bulk-actions.dto.js";
import { BulkActionsService } from "./bulk-actions.service.js";

@Controller("api/bulk-actions")
export class BulkActionsController {
  constructor(private readonly bulkActions: BulkActionsService) {}

  /**
   * Change many conversations. It concerns those that match the filter now, up to 10,000; if more match, the answer is 409,
   * and if none do, 404. They are changed in the background, one by one, as if you called the operation of each: with the
   * access that you have then.
   */
  @Post()
  @RequireScope("conversations:write")
  @Answers(BulkActionDto, { status: 201 })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateBulkActionDto): Promise<Json<BulkActionDto>> {
    return this.bulkActions.create(caller, body);
  }

  /** Read how far a bulk action is. You see your own; callers that reach the whole tenant see all. They are kept for 30 days. */
  @Get(":id")
  @RequireScope("conversations:read")
  @Answers(BulkActionDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<BulkActionDto>> {
    return this.bulkActions.get(caller, id);
  }
}
