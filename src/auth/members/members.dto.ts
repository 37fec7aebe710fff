import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import { ArrayMaxSize, ArrayUnique, IsArray, IsEmail, IsIn, IsString, IsUUID, Length } from "class-validator";
import { type Role, ROLES } from "../../platform/caller/scope.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { type Presence, PRESENCES } from "./member.entity.js";

const ACTIVATIONS = namedEnum("MemberActivation", "Lets a member sign in, or stops them.", ["active", "deactivated"]);
const MEMBER_STATUSES = namedEnum("MemberStatus", "Whether a member can sign in.", [
  "invited",
  "active",
  "deactivated",
]);
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** Trims an email and changes it to lower case. */
export const Email = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.trim().toLowerCase() : value));

export class CreateMemberDto {
  /** Unique across all tenants. */
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

  /** Only an owner can add an owner. */
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  role: Role;

  /** The workspaces on this side that an agent or observer is assigned to. */
  @ApiProperty({ type: [String], format: "uuid", required: false })
  @Optional()
  @IsArray()
  @ArrayUnique()
  @ArrayMaxSize(1_000)
  @IsUUID("all", { each: true })
  workspaceIds?: string[] = [];

  /** 10 to 200 characters. Without a password, an invitation to set one is mailed. */
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

  /** Only an owner can make a member an owner or change an owner's role. A tenant always has at least one owner. */
  @ApiProperty({ enum: ROLES, required: false })
  @Optional()
  @IsIn(ROLES)
  role?: Role;

  /**
   * `deactivated`: the member's sessions end within a second, the member cannot sign in, and is unassigned from unresolved
   * conversations. `active`: the member can sign in again, with the same role and workspaces as before.
   */
  @ApiProperty({ enum: ACTIVATIONS, required: false })
  @Optional()
  @IsIn(ACTIVATIONS)
  status?: (typeof ACTIVATIONS)[number];

  /** Replaces the member's workspaces on this side. */
  @ApiProperty({ type: [String], format: "uuid", required: false })
  @Optional()
  @IsArray()
  @ArrayUnique()
  @ArrayMaxSize(1_000)
  @IsUUID("all", { each: true })
  workspaceIds?: string[];
}

@ApiSchema({ description: "A person on your side." })
export class MemberDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "email" })
  email: string;
  name: string;
  @ApiProperty({ enum: ROLES })
  role: Role;
  /** The workspaces on this side that the member is assigned to. Owners and admins see all workspaces. */
  @ApiProperty({ type: [String], format: "uuid" })
  workspaceIds: string[];
  /** `invited` until the member sets a password, or signs in with a token of an external issuer. */
  @ApiProperty({ enum: MEMBER_STATUSES })
  status: MemberStatus;
  /** What the member set last; `offline` after five minutes without a request. */
  @ApiProperty({ enum: PRESENCES })
  presence: Presence;
  /** When the member last made a request, to about a minute. Null until the first one. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  lastSeenAt: string | null;
}
