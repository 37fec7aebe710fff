import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsUUID } from "class-validator";
import { Optional } from "../../platform/http/validation.js";

export class CountConversationsDto {
  /** Only this workspace. 404 if you have no access to it. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;
}

@ApiSchema({ description: "How many conversations a view has, up to 1,000." })
export class ConversationCountDto {
  /** At most 1,000. */
  @ApiProperty({ type: "integer", minimum: 0, maximum: 1_000 })
  count: number;
  /** Whether there are more than were counted. */
  more: boolean;
}

/** Each count is that of the list with these filters. */
@ApiSchema({ description: "How many conversations each view of an inbox has." })
export class ConversationCountsDto {
  /** `assigneeId` is you, `status=open,pending`. Null for an API key. */
  @ApiProperty({ type: ConversationCountDto, nullable: true })
  mine: ConversationCountDto | null;
  /** `assigneeId=none&status=open,pending`. */
  unassigned: ConversationCountDto;
  /** `sort=waiting&status=open,pending`. */
  waiting: ConversationCountDto;
  /** `status=open,pending`. */
  open: ConversationCountDto;
  /** `status=snoozed`. */
  snoozed: ConversationCountDto;
  /** `status=resolved`. */
  resolved: ConversationCountDto;
}
