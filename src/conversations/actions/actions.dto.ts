import { ApiProperty } from "@nestjs/swagger";
import { IsBoolean, IsIn, IsOptional, IsUUID } from "class-validator";
import { Instant, Optional } from "../../platform/http/validation.js";
import { RESOLUTIONS, type Resolution } from "../conversation.entity.js";

export class ResolveDto {
  /** How it ended, where somebody says. */
  @ApiProperty({ enum: RESOLUTIONS, nullable: true, type: String, required: false })
  @IsOptional()
  @IsIn(RESOLUTIONS)
  resolution?: Resolution | null;
}

export class SnoozeDto {
  /** When it opens again by itself, to the minute; ISO 8601, ahead of now. */
  @ApiProperty({ type: String, format: "date-time", example: "2030-01-07T08:00:00Z" })
  @Instant()
  until: string;
}

export class TakeOverDto {
  /** Take it also from the colleague who has it. */
  @Optional()
  @IsBoolean()
  force?: boolean = false;

  /** Who takes it: a member who works in the workspace. Default: the member who calls; with an API key, whoever has it already. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  memberId?: string;
}

export class AssignDto {
  /** A member who works in the workspace, present or not. */
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  memberId: string;
}
