import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import { IsBoolean } from "class-validator";
import { Optional } from "../../../platform/http/validation.js";

export class ReadMailHtmlDto {
  /** Also load the pictures that lie on other servers. They learn that the mail is read, and nothing of who reads it. */
  @ApiProperty({ type: Boolean, required: false })
  @Optional()
  @Transform(({ value }: { value: unknown }) => (value === "true" ? true : value === "false" ? false : value))
  @IsBoolean()
  pictures?: boolean;
}

@ApiSchema({ description: "A mail as it was formatted, made safe to show." })
export class MailHtmlDto {
  /**
   * HTML without scripts, forms and addresses that load by themselves. Pictures are `data:` URLs. Quoted text is folded in
   * `details`. Show it in a frame with `sandbox` all the same.
   */
  html: string;
  /** How many pictures on other servers are left out. */
  @ApiProperty({ type: "integer" })
  picturesLeftOut: number;
  /** Whether the end is missing, because the mail is too long. */
  isCut: boolean;
}
