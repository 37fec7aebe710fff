import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsOptional, IsString, IsUUID, Length } from "class-validator";
import { Optional } from "../../platform/http/validation.js";
import { MailAddress } from "./addresses.js";
import { PARTICIPANT_ROLES, type ParticipantRole } from "./participant.entity.js";

@ApiSchema({ description: "Somebody besides the contact who gets the mails of a conversation." })
export class ParticipantDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The contact with this address in the workspace. Null if there is none yet. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  contactId: string | null;
  /** In lower case. */
  address: string;
  /** As their mails give it. Null if none did. */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
  @ApiProperty({ enum: PARTICIPANT_ROLES })
  role: ParticipantRole;
  /** The member or API key. Null if a mail named them. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  addedBy: string | null;
  /** Since when they take part. */
  @ApiProperty({ format: "date-time" })
  addedAt: string;
}

export class AddParticipantDto {
  /** None of your own mailboxes. */
  @MailAddress()
  address: string;

  /** 1 to 200 characters. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  name?: string | null;

  /** Where they are listed. */
  @ApiProperty({ enum: PARTICIPANT_ROLES, required: false, default: "cc" })
  @Optional()
  @IsIn(PARTICIPANT_ROLES)
  role?: ParticipantRole = "cc";
}

export class RemoveParticipantsDto {
  /** Only this one. Default: all. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  participantId?: string;
}
