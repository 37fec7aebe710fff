import { Controller, Get, Query } from "@nestjs/common";
import { CurrentCaller, RequireAnyReadScope } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import type { Json } from "../platform/http/json.js";
import { Tag } from "../platform/http/openapi/tags.js";
import { OperationGroup } from "../platform/http/operation-id.js";
import { Answers, Fails } from "../platform/http/openapi.js";
import { ChangesDto, ReadChangesDto } from "./feed.dto.js";
import { FeedService } from "./feed.service.js";

@OperationGroup("changes")
@Tag("Changes", ["changes", "events"], {
  order: 180,
  description: "Everything that changes, in order: a feed to poll, and a stream for members.",
})
@Controller("api/changes")
export class FeedController {
  constructor(private readonly feed: FeedService) {}

  /**
   * Read what changed, oldest first. Each row is shown only to callers who can read the resource now, so a key needs a
   * scope that reads, and sees the resources of its scopes. Keep the `cursor` of each answer and give it as `after` of the next
   * request: you miss nothing and get nothing twice. Rows are kept for 7 days unless the server is set up otherwise; an older
   * cursor is 410, and then you read the resources again.
   */
  @Get()
  @RequireAnyReadScope()
  @Answers(ChangesDto)
  @Fails(410)
  list(@CurrentCaller() caller: Caller, @Query() query: ReadChangesDto): Promise<Json<ChangesDto>> {
    return this.feed.read(caller, query);
  }
}
