import { ApiProperty, ApiSchema } from "@nestjs/swagger";

@ApiSchema({ description: "Where a member signs in to a mailbox." })
export class ChannelSignInLinkDto {
  /** Open it in the browser that asked for it, within 10 minutes. */
  @ApiProperty({ format: "uri" })
  url: string;
}
