import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsUUID } from "class-validator";
import type { Caller } from "../../platform/caller/caller.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { Optional } from "../../platform/http/validation.js";
import { SECURITY_EVENT_TYPES, type SecurityEventDetail, type SecurityEventType } from "./security-event.js";

const ACTOR_KINDS = namedEnum("SecurityActorKind", "Who caused a security event.", [
  "member",
  "apiKey",
  "system",
]) satisfies readonly Caller["kind"][];

@ApiSchema({ description: "Who caused a security event." })
export class SecurityActorDto {
  /** `system` if Parley acted by itself, or if the caller was not identified, as in a failed sign-in. */
  @ApiProperty({ enum: ACTOR_KINDS })
  kind: (typeof ACTOR_KINDS)[number];
  /** The id of the member or API key; null for the system. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  id: string | null;
}

@ApiSchema({ description: "Something that happened to an account or a credential." })
export class SecurityEventDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** When it happened. */
  @ApiProperty({ format: "date-time" })
  at: string;
  @ApiProperty({ enum: SECURITY_EVENT_TYPES })
  type: SecurityEventType;
  actor: SecurityActorDto;
  /** The client address of the request. Null if no request caused the event. */
  @ApiProperty({ type: String, nullable: true, example: "203.0.113.7" })
  address: string | null;
  /** The `User-Agent` of the request. Null if there was none. */
  @ApiProperty({ type: String, nullable: true })
  userAgent: string | null;
  /** `environment`: the side. `memberId`: whom the event is about. Otherwise ids, counts and names of fields, by type. */
  @ApiProperty({ type: "object", additionalProperties: true })
  detail: SecurityEventDetail;
}

export class ListSecurityLogDto extends PagingDto {
  /** Only events of this type. */
  @ApiProperty({ enum: SECURITY_EVENT_TYPES, required: false })
  @Optional()
  @IsIn(SECURITY_EVENT_TYPES)
  type?: SecurityEventType;

  /** The id of the member or API key that acted. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  actorId?: string;

  /** The id of the member whom the event is about. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  memberId?: string;
}
