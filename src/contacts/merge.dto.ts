import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsBoolean, IsUUID } from "class-validator";
import { Optional } from "../platform/http/validation.js";
import { ContactDto } from "./contacts.dto.js";

export class MergeContactsDto {
  /** The contact to merge into the contact in the path. */
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  sourceContactId: string;

  /** Show the result of the merge without changing anything. */
  @Optional()
  @IsBoolean()
  dryRun?: boolean = false;
}

@ApiSchema({ description: "What a merge would move, and what it would undo." })
export class MergePreviewDto {
  /** The survivor as it would be after the merge. */
  contact: ContactDto;
  /** Conversations that would move to the survivor. */
  @ApiProperty({ type: "integer" })
  conversations: number;
  /** Those of them that would fall back to the assurance level `none`. */
  @ApiProperty({ type: "integer" })
  assuranceLevelsLost: number;
  /** Cases that would move to the survivor. */
  @ApiProperty({ type: "integer" })
  cases: number;
  /** Bookings that would move to the survivor. */
  @ApiProperty({ type: "integer" })
  bookings: number;
  /** Identity events that would move to the survivor. */
  @ApiProperty({ type: "integer" })
  identityEvents: number;
  /**
   * Questions, counted answers, links, eID requests and factors of the merged contact. Wrong answers would count for the
   * survivor; everything else would end.
   */
  @ApiProperty({ type: "integer" })
  verifications: number;
}
