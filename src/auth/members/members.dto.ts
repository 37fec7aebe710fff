import { ApiProperty } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import { ArrayUnique, IsArray, IsEmail, IsIn, IsString, IsUUID, Length } from "class-validator";
import { type Role, ROLES } from "../../platform/caller/scope.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { type Presence, PRESENCES } from "./member.entity.js";

const MEMBER_STATUSES = ["invited", "active", "deactivated"] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** An email that is trimmed and in lower case before it is compared. */
export const Email = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.trim().toLowerCase() : value));

export class CreateMemberDto {
  /** Belongs to one member of one tenant. */
  @ApiProperty({ format: "email", example: "grace@example.com" })
  @Email()
  @IsEmail()
  @Length(3, 254)
  email: string;

  @ApiProperty({ example: "Grace Hopper" })
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name: string;

  /** Only an owner makes an owner. */
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  role: Role;

  /** The workspaces, of this side, that an agent or observer works in. */
  @ApiProperty({ type: [String], format: "uuid", required: false })
  @Optional()
  @IsArray()
  @ArrayUnique()
  @IsUUID("all", { each: true })
  workspaceIds?: string[] = [];

  /** 10 to 200 characters. Without one, an invitation to set it is mailed. */
  @Optional()
  @IsString()
  @Length(10, 200)
  password?: string;
}

export class UpdateMemberDto {
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 200)
  name?: string;

  /** Only an owner makes or unmakes an owner; the last owner stays. */
  @ApiProperty({ enum: ROLES, required: false })
  @Optional()
  @IsIn(ROLES)
  role?: Role;

  /**
   * `deactivated` ends the member's sessions within a second, lets nobody sign in as them, and takes their unresolved
   * conversations off them; `active` lets them back in, as they were before.
   */
  @ApiProperty({ enum: ["active", "deactivated"], required: false })
  @Optional()
  @IsIn(["active", "deactivated"])
  status?: "active" | "deactivated";

  /** Replaces the member's workspaces of this side. */
  @ApiProperty({ type: [String], format: "uuid", required: false })
  @Optional()
  @IsArray()
  @ArrayUnique()
  @IsUUID("all", { each: true })
  workspaceIds?: string[];
}

export class MemberDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "email" })
  email: string;
  name: string;
  @ApiProperty({ enum: ROLES })
  role: Role;
  /** The workspaces of this side that the member is assigned to; owners and admins work in all. */
  @ApiProperty({ type: [String], format: "uuid" })
  workspaceIds: string[];
  /** `invited` until the first password is set, or the first request with a token of an external issuer. */
  @ApiProperty({ enum: MEMBER_STATUSES })
  status: MemberStatus;
  /** What the member said last; `offline` after five minutes without a request. */
  @ApiProperty({ enum: PRESENCES })
  presence: Presence;
  /** The last request; exact to about a minute. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  lastSeenAt: string | null;
}
