import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsString, Length, Matches } from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { EID_MODES, type EidMode } from "./eid.entity.js";

export class RequestEidDto {
  /** Name of one of the workspace's eID schemes. */
  @ApiProperty({ example: "bank-id" })
  @Matches(/^[a-z0-9_-]{1,40}$/, {
    message: "scheme must be the name of an eID scheme: 1 to 40 lowercase letters, digits, _ and -",
  })
  scheme: string;

  /** `push` prompts the contact's eID app right away; `link` mails the contact a link to open later. */
  @ApiProperty({ enum: EID_MODES })
  @IsIn(EID_MODES)
  mode: EidMode;

  /** How the scheme knows the person, 1 to 200 characters. Only for `push`. It is passed on and not stored. Default: the contact's verified phone number or, without one, verified email. */
  @ApiProperty({ required: false, example: "+4930901820" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  loginHint?: string;
}

@ApiSchema({ description: "The contact was asked for an approval." })
export class EidRequestedDto {
  @ApiProperty({ enum: [true], example: true })
  ok: true;
  @ApiProperty({ format: "uuid" })
  requestId: string;
  /** The contact can approve until then. */
  @ApiProperty({ format: "date-time" })
  expiresAt: string;
}
