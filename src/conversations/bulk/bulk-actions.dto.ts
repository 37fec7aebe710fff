import { ApiProperty, ApiSchema, OmitType } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsObject,
  IsString,
  IsUUID,
  Length,
  ValidateNested,
} from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { Instant, Optional } from "../../platform/http/validation.js";
import {
  CONVERSATION_STATUSES,
  type ConversationStatus,
  RESOLUTIONS,
  type Resolution,
} from "../lifecycle/lifecycle.js";
import { ListConversationsDto, MAX_LABELS } from "../conversations.dto.js";

const BULK_ACTION_STATUSES = namedEnum("BulkActionStatus", "Whether a bulk action is still at work.", [
  "running",
  "done",
]);
const BULK_CHANGES = namedEnum("BulkChangeType", "What a bulk action does with each conversation.", [
  "resolve",
  "reopen",
  "wait",
  "snooze",
  "assign",
  "unassign",
  "read",
  "unread",
  "label",
]);
/** As many as a person selects by hand. */
const MAX_IDS = 1_000;
export type BulkChangeType = (typeof BULK_CHANGES)[number];

/** Which conversations to change, as in `GET /api/conversations`. At least one field. */
@ApiSchema({
  description: "Which conversations a bulk action changes. Each field is that of the list of conversations.",
})
export class BulkFilterDto extends OmitType(ListConversationsDto, [
  "limit",
  "cursor",
  "sort",
  "status",
  "unread",
] as const) {
  /** One of these statuses. */
  @ApiProperty({ enum: CONVERSATION_STATUSES, isArray: true, required: false })
  @Optional()
  @IsArray()
  @ArrayUnique()
  @ArrayMaxSize(CONVERSATION_STATUSES.length)
  @IsIn(CONVERSATION_STATUSES, { each: true })
  status?: ConversationStatus[];

  /** `true`: only conversations with unread messages. `false`: only those without. */
  @ApiProperty({ type: Boolean, required: false })
  @Optional()
  @IsBoolean()
  unread?: boolean;

  /** `true`: only conversations with a contact who waits for an answer (`waitingSince`). `false`: only those without. */
  @ApiProperty({ type: Boolean, required: false })
  @Optional()
  @IsBoolean()
  waiting?: boolean;

  /** Only these conversations, 1 to 1,000. Those that you have no access to are left out. */
  @ApiProperty({ type: [String], format: "uuid", maxItems: MAX_IDS, required: false })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_IDS)
  @ArrayUnique()
  @IsUUID(undefined, { each: true })
  ids?: string[];
}

/** What to do with each conversation, as its own operation does. */
@ApiSchema({ description: "What a bulk action does with each conversation." })
export class BulkChangeDto {
  @ApiProperty({ enum: BULK_CHANGES })
  @IsIn(BULK_CHANGES)
  type: BulkChangeType;

  /** For `resolve`: how the conversations ended, if you want to say. */
  @ApiProperty({ enum: RESOLUTIONS, required: false })
  @Optional()
  @IsIn(RESOLUTIONS)
  resolution?: Resolution;

  /** For `snooze`: when the conversations open again. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  until?: string;

  /** For `assign`: a member. Conversations in whose workspace the member does not work fail. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  memberId?: string;

  /** For `label`: labels to add. At most 50, each 1 to 100 characters. */
  @ApiProperty({ type: [String], required: false })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_LABELS)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  add?: string[];

  /** For `label`: labels to remove. At most 50, and none of `add`. */
  @ApiProperty({ type: [String], required: false })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_LABELS)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  remove?: string[];
}

export class CreateBulkActionDto {
  /** Which conversations to change, as in `GET /api/conversations`. At least one field. */
  @IsObject()
  @ValidateNested()
  @Type(() => BulkFilterDto)
  filter: BulkFilterDto;

  /** What to do with each. */
  @IsObject()
  @ValidateNested()
  @Type(() => BulkChangeDto)
  action: BulkChangeDto;
}

@ApiSchema({ description: "A conversation that a bulk action could not change." })
export class BulkErrorDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** Why it was not changed, as its own operation would have said. */
  error: string;
}

@ApiSchema({ description: "One change of many conversations, and how far it is." })
export class BulkActionDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  action: BulkChangeDto;
  @ApiProperty({ enum: BULK_ACTION_STATUSES })
  status: (typeof BULK_ACTION_STATUSES)[number];
  /** How many conversations matched when you asked. At most 10,000. */
  @ApiProperty({ type: "integer" })
  total: number;
  /** How many were changed, or were as you want them already. */
  @ApiProperty({ type: "integer" })
  done: number;
  /** How many could not be changed. */
  @ApiProperty({ type: "integer" })
  failed: number;
  /** The first 100 that could not be changed. */
  errors: BulkErrorDto[];
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}
