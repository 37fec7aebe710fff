import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import { IsEmail, IsObject, IsString, Length, ValidateNested } from "class-validator";
import { Email } from "../../auth/members/members.dto.js";
import { Instant, Trimmed } from "../../platform/http/validation.js";

@ApiSchema({ description: "The first owner of a new organisation." })
export class OrganisationOwnerDto {
  @ApiProperty({ format: "email", example: "grace@example.com" })
  @Email()
  @IsEmail()
  email: string;
  @ApiProperty({ example: "Grace Hopper" })
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name: string;
}

@ApiSchema({ description: "An organisation at the authentication provider." })
export class OrganisationDto {
  /** The organisation's id at the provider. */
  @ApiProperty({ example: "org_01H8" })
  @IsString()
  @Length(1, 255)
  id: string;
  @ApiProperty({ example: "Example Ltd" })
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name: string;
  @IsObject()
  @ValidateNested()
  @Type(() => OrganisationOwnerDto)
  owner: OrganisationOwnerDto;
}

/** Other types are acknowledged and ignored. `data` is read only for `organization.created`. */
export class AuthProviderEventDto {
  /** `organization.created` creates a tenant. Other types are ignored. */
  @ApiProperty({ example: "organization.created" })
  @IsString()
  @Length(1, 100)
  type: string;
  /** When it happened at the provider. */
  @ApiProperty({ format: "date-time" })
  @Instant()
  timestamp: string;
  @IsObject()
  @ValidateNested()
  @Type(() => OrganisationDto)
  data: OrganisationDto;
}

@ApiSchema({ description: "The tenant was created, or existed already." })
export class ProvisionedOrganisationDto {
  @ApiProperty({ enum: [true] })
  ok: true;
  /** The tenant's live side. Missing for types that are ignored. */
  @ApiProperty({ format: "uuid", required: false })
  tenantId?: string;
}
