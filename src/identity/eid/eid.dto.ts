import { ApiProperty } from "@nestjs/swagger";
import { IsIn, IsString, Length, Matches } from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import type { EidMode } from "./eid.entity.js";

export class EidRequestDto {
  /** Name of one of the workspace's eID schemes. */
  @ApiProperty({ example: "bank-id" })
  @Matches(/^[a-z0-9_-]{1,40}$/, {
    message: "scheme must be the name of an eID scheme: 1 to 40 small letters, digits, _ and -",
  })
  scheme: string;

  /** `push` prompts the contact's own eID app at once; `link` mails the contact a link to open later. */
  @ApiProperty({ enum: ["push", "link"] })
  @IsIn(["push", "link"])
  mode: EidMode;

  /** By what the scheme knows the person, 1 to 200 characters; for `push`. It is passed on and not kept. Default: the contact's verified phone number or, without one, email. */
  @ApiProperty({ required: false, example: "+4930901820" })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  loginHint?: string;
}

export class EidRequestedDto {
  @ApiProperty({ enum: [true], example: true })
  ok: true;
  @ApiProperty({ format: "uuid" })
  requestId: string;
  /** Until then the contact can approve. */
  @ApiProperty({ format: "date-time" })
  expiresAt: string;
}
