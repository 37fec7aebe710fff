import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import { IsBoolean, IsIn } from "class-validator";
import { type Environment, ENVIRONMENTS } from "../../platform/caller/caller.js";
import { Optional } from "../../platform/http/validation.js";

@ApiSchema({ description: "The external provider that members can sign in with." })
export class ExternalSignInDto {
  /** What the button names. Null if no provider is configured. */
  @ApiProperty({ type: String, nullable: true, example: "Harbour ID" })
  name: string | null;
}

export class BeginExternalSignInDto {
  /** The side that the session uses. */
  @ApiProperty({ enum: ENVIRONMENTS, required: false, default: "live" })
  @Optional()
  @IsIn(ENVIRONMENTS)
  environment?: Environment = "live";

  /** `true`: the provider has to ask the member, even if it remembers them. */
  @ApiProperty({ type: Boolean, required: false })
  @Optional()
  @Transform(({ value }: { value: unknown }) => (value === "true" ? true : value === "false" ? false : value))
  @IsBoolean()
  again?: boolean;
}
