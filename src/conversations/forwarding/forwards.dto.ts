import { ApiProperty } from "@nestjs/swagger";
import { IsBoolean, IsIn, IsString, Length } from "class-validator";
import { Optional } from "../../platform/http/validation.js";
import { MAX_BODY } from "../message-limits.js";
import { MailAddresses } from "../participants/addresses.js";
import { FORWARD_ANSWERS, type ForwardAnswers } from "../participants/recipients.js";

export class ForwardMessageDto {
  /** Whom it goes to. */
  @MailAddresses({ min: 1 })
  to: string[];

  /** Who gets a copy. */
  @MailAddresses()
  cc?: string[];

  /** What you write above the message, 1 to 100,000 characters. */
  @ApiProperty({ required: false })
  @Optional()
  @IsString()
  @Length(1, MAX_BODY)
  body?: string;

  /** Whether the files of the message go along. The mail as it came, `original.eml`, does not: it holds what the text leaves out. */
  @IsBoolean()
  attachments: boolean;

  /** Where the answer goes. It is recognised by the signed address that it is sent to: `plusAddressing` of the mailbox. */
  @ApiProperty({ enum: FORWARD_ANSWERS, required: false, default: "note" })
  @Optional()
  @IsIn(FORWARD_ANSWERS)
  answers?: ForwardAnswers = "note";
}
