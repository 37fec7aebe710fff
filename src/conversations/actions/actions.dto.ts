import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsOptional,
  IsString,
  IsUUID,
  Length,
} from "class-validator";
import { type Presence, PRESENCES } from "../../auth/members/member.entity.js";
import { Email } from "../../auth/members/members.dto.js";
import { Instant, Optional } from "../../platform/http/validation.js";
import { MAX_LABELS } from "../conversations.dto.js";
import { RESOLUTIONS, type Resolution } from "../lifecycle/lifecycle.js";

export class ResolveConversationDto {
  /** How the conversation ended, if you want to say. */
  @ApiProperty({ enum: RESOLUTIONS, nullable: true, type: String, required: false })
  @IsOptional()
  @IsIn(RESOLUTIONS)
  resolution?: Resolution | null;
}

export class SnoozeConversationDto {
  /** When the conversation opens again by itself, to the minute. ISO 8601, in the future. */
  @ApiProperty({ type: String, format: "date-time", example: "2030-01-07T08:00:00Z" })
  @Instant()
  until: string;
}

export class TakeOverConversationDto {
  /** Take the conversation even if it is assigned to a colleague. */
  @Optional()
  @IsBoolean()
  force?: boolean = false;

  /**
   * The member who takes it. The member must work in the workspace. Default: the member who calls; with an API key,
   * the current assignee.
   */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  memberId?: string;
}

/** Exactly one of the two. */
export class AssignConversationDto {
  /** A member who works in the workspace, present or not. `GET /api/workspaces/{workspaceId}/assignees` lists them. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  memberId?: string;

  /** The member's email, in place of `memberId`. The answer is 409 if nobody who can be given the conversation has it. */
  @ApiProperty({ format: "email", required: false, example: "grace@example.com" })
  @Optional()
  @Email()
  @IsEmail()
  @Length(3, 254)
  email?: string;
}

@ApiSchema({ description: "A member who can be given a conversation." })
export class AssigneeDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  name: string;
  /** What the member set last; `offline` after five minutes without a request. */
  @ApiProperty({ enum: PRESENCES })
  presence: Presence;
}

export class ChangeLabelsDto {
  /** Labels that the conversation gets, behind those that it has. At most 50, each 1 to 100 characters. */
  @ApiProperty({ type: [String], required: false, example: ["vip"] })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_LABELS)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  add?: string[] = [];

  /** Labels that the conversation loses. At most 50, and none of `add`. */
  @ApiProperty({ type: [String], required: false, example: ["late"] })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_LABELS)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  remove?: string[] = [];
}
