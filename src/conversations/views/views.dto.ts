import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  ValidateNested,
} from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { CHANNEL_TYPES, type ChannelType } from "../../workspaces/channel.entity.js";
import { type ConversationEntity } from "../conversation.entity.js";
import { SORTS, type Sort } from "../conversations.dto.js";
import { CONVERSATION_STATUSES, type ConversationStatus, HANDLING_MODES } from "../lifecycle/lifecycle.js";

const MAX_POSITION = 10_000;
const ASSIGNEE = /^(me|none|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** What `GET /api/conversations` takes, apart from paging. A field that is missing does not filter. */
@ApiSchema({ description: "Which conversations a view shows." })
export class ViewFilterDto {
  /** 404 if you have no access to it. Members without access do not see a shared view of it. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  @ApiProperty({ enum: CONVERSATION_STATUSES, isArray: true, required: false })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @ArrayMaxSize(CONVERSATION_STATUSES.length)
  @IsIn(CONVERSATION_STATUSES, { each: true })
  status?: ConversationStatus[];

  /** A member's id, `none`, or `me`: whoever looks at the view. */
  @ApiProperty({ required: false, example: "me" })
  @Optional()
  @Matches(ASSIGNEE, { message: "assigneeId must be a member's id, none or me" })
  assigneeId?: string;

  /** Whether there is something that nobody has read. */
  @ApiProperty({ required: false })
  @Optional()
  @IsBoolean()
  unread?: boolean;

  @ApiProperty({ enum: HANDLING_MODES, required: false })
  @Optional()
  @IsIn(HANDLING_MODES)
  handlingMode?: ConversationEntity["handlingMode"];

  @ApiProperty({ enum: CHANNEL_TYPES, required: false })
  @Optional()
  @IsIn(CHANNEL_TYPES)
  channelType?: ChannelType;

  /** Exactly this label. Case matters. */
  @Optional()
  @IsString()
  @Length(1, 100)
  label?: string;
}

@ApiSchema({ description: "A filter of the conversation list with a name." })
export class ViewDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ example: "Waiting for a refund" })
  name: string;
  filter: ViewFilterDto;
  /** The most recent activity first, or whoever has waited longest. */
  @ApiProperty({ enum: SORTS })
  sort: Sort;
  /** Whether everybody sees it. */
  shared: boolean;
  /** Lower numbers come first. */
  @ApiProperty({ type: "integer" })
  position: number;
  /** Whose it is. Of a shared view: who shared it. */
  @ApiProperty({ format: "uuid" })
  memberId: string;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class CreateViewDto {
  /** 1 to 100 characters. */
  @ApiProperty({ example: "Waiting for a refund" })
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name: string;

  /** An empty object shows everything. */
  @ApiProperty({ type: ViewFilterDto, example: { status: ["open", "pending"], label: "refund" } })
  @IsObject()
  @ValidateNested()
  @Type(() => ViewFilterDto)
  filter: ViewFilterDto;

  /** The most recent activity first, or whoever has waited longest. */
  @ApiProperty({ enum: SORTS, required: false, default: "recent" })
  @Optional()
  @IsIn(SORTS)
  sort?: Sort = "recent";

  /** Whether everybody sees it. Only owners and admins make, change and delete shared views. */
  @ApiProperty({ required: false, default: false })
  @Optional()
  @IsBoolean()
  shared?: boolean = false;

  /** Lower numbers come first, shared views before your own. Views with the same number come by name. */
  @ApiProperty({ type: "integer", minimum: 0, maximum: MAX_POSITION, required: false, default: 0 })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(MAX_POSITION)
  position?: number = 0;
}

/** Only the given fields change. `filter` is replaced as a whole. */
export class UpdateViewDto {
  /** 1 to 100 characters. */
  @ApiProperty({ required: false })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name?: string;

  /** Replaces the whole filter. */
  @ApiProperty({ type: ViewFilterDto, required: false })
  @Optional()
  @IsObject()
  @ValidateNested()
  @Type(() => ViewFilterDto)
  filter?: ViewFilterDto;

  @ApiProperty({ enum: SORTS, required: false })
  @Optional()
  @IsIn(SORTS)
  sort?: Sort;

  /** Whether everybody sees it. A shared view that you stop sharing is yours. */
  @ApiProperty({ required: false })
  @Optional()
  @IsBoolean()
  shared?: boolean;

  /** Lower numbers come first. */
  @ApiProperty({ type: "integer", minimum: 0, maximum: MAX_POSITION, required: false })
  @Optional()
  @IsInt()
  @Min(0)
  @Max(MAX_POSITION)
  position?: number;
}
