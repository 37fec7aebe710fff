import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsUUID, Matches } from "class-validator";
import type { Caller } from "../platform/caller/caller.js";
import { namedEnum } from "../platform/enums/named-enum.js";
import { PagingDto } from "../platform/http/paging.dto.js";
import { Instant, Optional } from "../platform/http/validation.js";
import { AUDIT_CHANGES, type AuditChange } from "./audit-entry.entity.js";

const ACTOR_KINDS = namedEnum("AuditActorKind", "Who made a change.", [
  "member",
  "apiKey",
  "system",
  "visitor",
  "provider",
]) satisfies readonly Caller["kind"][];

@ApiSchema({ description: "Who made a change." })
export class AuditActorDto {
  /** `system` is Parley itself: its jobs, and requests whose sender is not known yet. */
  @ApiProperty({ enum: ACTOR_KINDS })
  kind: (typeof ACTOR_KINDS)[number];
  /** The id of the member or API key; null for the system. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  id: string | null;
}

@ApiSchema({ description: "One change: who changed what, and when. It names fields, never values." })
export class AuditEntryDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** When it happened. */
  @ApiProperty({ format: "date-time" })
  at: string;
  actor: AuditActorDto;
  /** The `operationId` of the request in this document; for the system, the name of the job. */
  @ApiProperty({ example: "conversations.reply" })
  action: string;
  /** What happened to the resource. */
  @ApiProperty({ enum: AUDIT_CHANGES })
  change: AuditChange;
  /** What kind of resource changed. */
  @ApiProperty({ example: "message" })
  resourceType: string;
  /** Null for an entry about many resources, which has `counts`. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  resourceId: string | null;
  /** The workspace that the resource is in, or was in. Null if it belongs to none. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  workspaceId: string | null;
  /** The conversation that the resource belongs to. Null if it belongs to none. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  conversationId: string | null;
  /** The names of the fields that changed, never their values. Empty if the resource was created or deleted. */
  @ApiProperty({ type: [String], example: ["priority", "assigneeId"] })
  fields: string[];
  /**
   * How many resources were deleted, by kind, if one entry is about many: a deleted workspace, an erased person, or data
   * whose retention ended. Null for an entry about one resource.
   */
  @ApiProperty({ type: "object", additionalProperties: { type: "integer" }, nullable: true })
  counts: Record<string, number> | null;
}

export class ListAuditLogDto extends PagingDto {
  /** The id of the member or API key that made the change. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  actorId?: string;

  /** For example `conversation`, `message` or `apiKey`. */
  @ApiProperty({ required: false, maxLength: 50, example: "apiKey" })
  @Optional()
  @Matches(/^[a-zA-Z]{1,50}$/, { message: "resourceType must be 1 to 50 letters" })
  resourceType?: string;

  /** Only changes of this resource. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  resourceId?: string;

  /** Entries from this time on. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  from?: string;

  /** Entries before this time. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  to?: string;
}
