import { ApiProperty } from "@nestjs/swagger";
import { IsBoolean, IsUUID } from "class-validator";
import { Optional } from "../platform/http/validation.js";
import { ContactDto } from "./contacts.dto.js";

export class MergeDto {
  /** The contact that is to end in the one of the path. */
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  sourceContactId: string;

  /** Say what would come of it, and change nothing. */
  @Optional()
  @IsBoolean()
  dryRun?: boolean = false;
}

export class MergePreviewDto {
  /** The survivor as it would be. */
  contact: ContactDto;
  /** Conversations that would come along. */
  @ApiProperty({ type: "integer" })
  conversations: number;
  /** Cases that would come along. */
  @ApiProperty({ type: "integer" })
  cases: number;
  /** Bookings that would come along. */
  @ApiProperty({ type: "integer" })
  bookings: number;
  /** Identity events that would come along. */
  @ApiProperty({ type: "integer" })
  identityEvents: number;
  /** Questions, counted answers, links, eID requests and factors that would come along. */
  @ApiProperty({ type: "integer" })
  verifications: number;
}
