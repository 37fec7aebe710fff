import { ApiProperty } from "@nestjs/swagger";
import { IsUUID, Matches } from "class-validator";
import type { Caller } from "../platform/caller/caller.js";
import { PagingDto } from "../platform/http/paging.dto.js";
import { Instant, Optional } from "../platform/http/validation.js";
import { AUDIT_CHANGES, type AuditChange } from "./audit-entry.entity.js";

const ACTOR_KINDS = ["member", "apiKey", "system", "visitor", "provider"] as const satisfies readonly Caller["kind"][];

export class ActorDto {
  /** `system` is the service itself: its jobs, and requests before it is known who sends them. */
  @ApiProperty({ enum: ACTOR_KINDS })
  kind: (typeof ACTOR_KINDS)[number];
  /** The member or the key; null for the system. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  id: string | null;
}

export class AuditEntryDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "date-time" })
  at: string;
  actor: ActorDto;
  /** What was being done: the `operationId` of this document; of the system, the job's name. */
  @ApiProperty({ example: "Conversations.reply" })
  action: string;
  /** What became of the resource by it. */
  @ApiProperty({ enum: AUDIT_CHANGES })
  change: AuditChange;
  @ApiProperty({ example: "message" })
  resourceType: string;
  /** Null for many at once, whose `counts` are told. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  resourceId: string | null;
  /** Where it is, or was. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  workspaceId: string | null;
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  conversationId: string | null;
  /** The names of the fields that changed, never what they hold; empty where all of it was created or deleted. */
  @ApiProperty({ type: [String], example: ["priority", "assigneeId"] })
  fields: string[];
  /** How many went, by kind, where many went at once: with a deleted workspace, an erased person, what was kept for long enough. */
  @ApiProperty({ type: "object", additionalProperties: { type: "integer" }, nullable: true })
  counts: Record<string, number> | null;
}

export class ListAuditLogDto extends PagingDto {
  /** The member or key that did it. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  actorId?: string;

  /** Such as `conversation`, `message` or `apiKey`. */
  @ApiProperty({ required: false, maxLength: 50, example: "apiKey" })
  @Optional()
  @Matches(/^[a-zA-Z]{1,50}$/, { message: "resourceType must be 1 to 50 letters" })
  resourceType?: string;

  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  resourceId?: string;

  /** Not before this moment. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  from?: string;

  /** Before this moment. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  to?: string;
}
