import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsEmail, IsIn, IsString, Length, Matches } from "class-validator";
import { type Environment, ENVIRONMENTS } from "../../platform/caller/caller.js";
import { type Role, ROLES, type Scope, SCOPES } from "../../platform/caller/scope.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { type Presence, PRESENCES } from "../members/member.entity.js";
import { Email, MemberDto } from "../members/members.dto.js";
import { Optional } from "../../platform/http/validation.js";

const CALLER_KINDS = namedEnum("CallerKind", "Who calls.", ["apiKey", "member"]);
const REACH_LEVELS = namedEnum("ReachLevel", "How far a caller reaches.", ["tenant", "brand", "workspaces"]);

export class LoginDto {
  @ApiProperty({ format: "email", example: "owner@demo.example" })
  @Email()
  @IsEmail()
  email: string;

  /** The member's password. */
  @IsString()
  @Length(1, 200)
  password: string;

  /** The side that the session uses. */
  @ApiProperty({ enum: ENVIRONMENTS, required: false, default: "live" })
  @Optional()
  @IsIn(ENVIRONMENTS)
  environment?: Environment = "live";
}

export class RefreshDto {
  /** The side whose session goes on. */
  @ApiProperty({ enum: ENVIRONMENTS, required: false, default: "live" })
  @Optional()
  @IsIn(ENVIRONMENTS)
  environment?: Environment = "live";
}

/** Exactly one of the two. */
export class ReauthenticateDto {
  /** Your password. */
  @Optional()
  @IsString()
  @Length(1, 200)
  password?: string;

  /** The code that your authenticator app shows. */
  @ApiProperty({ required: false, example: "123456" })
  @Optional()
  @Matches(/^\d{6}$/, { message: "code must have 6 digits" })
  code?: string;
}

export class SetPresenceDto {
  @ApiProperty({ enum: PRESENCES })
  @IsIn(PRESENCES)
  presence: Presence;
}

@ApiSchema({ description: "The access token of a member who has signed in." })
export class SessionDto {
  /** Send it as `Authorization: Bearer …`. */
  accessToken: string;
  /** Seconds until the access token expires. */
  @ApiProperty({ example: 900 })
  expiresIn: number;
  member: MemberDto;
}

@ApiSchema({ description: "What the caller can reach: the whole tenant, a brand or some workspaces." })
export class MeReachDto {
  /** All workspaces of the tenant, those of one brand, or those listed. */
  @ApiProperty({ enum: REACH_LEVELS })
  level: (typeof REACH_LEVELS)[number];
  /** The brand, if `level` is `brand`. Otherwise null. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  brandId: string | null;
  /** The workspaces, if `level` is `workspaces`. Otherwise null. */
  @ApiProperty({ type: [String], format: "uuid", nullable: true })
  workspaceIds: string[] | null;
}

@ApiSchema({ description: "The caller behind a credential." })
export class MeDto {
  /** What kind of credential this is. */
  @ApiProperty({ enum: CALLER_KINDS })
  kind: (typeof CALLER_KINDS)[number];
  /** The id of the key or member. */
  @ApiProperty({ format: "uuid" })
  id: string;
  name: string;
  /** The id of the side. Everything that this caller sees belongs to it. */
  @ApiProperty({ format: "uuid" })
  tenantId: string;
  @ApiProperty({ enum: ENVIRONMENTS })
  environment: Environment;
  /** The scopes of an API key; null for a member. */
  @ApiProperty({ enum: SCOPES, isArray: true, nullable: true })
  scopes: Scope[] | null;
  /** The role of a member; null for an API key. */
  @ApiProperty({ enum: ROLES, nullable: true, type: String })
  role: Role | null;
  reach: MeReachDto;
}
