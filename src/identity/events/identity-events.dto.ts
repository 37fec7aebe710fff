import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import {
  FACTOR_CATEGORIES,
  FACTOR_TYPES,
  type FactorCategory,
  type FactorType,
  IDENTITY_EVENT_TYPES,
  type IdentityEventType,
} from "./identity-event.js";

@ApiSchema({ description: "One step of proving who a contact is." })
export class IdentityEventDto {
  /** Stable across replays, so you can use it as the primary key of a mirror. */
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  tenantId: string;
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** When it happened. */
  @ApiProperty({ format: "date-time" })
  occurredAt: string;
  @ApiProperty({ enum: IDENTITY_EVENT_TYPES })
  eventType: IdentityEventType;
  /** Null for events that are not about a factor. */
  @ApiProperty({ enum: FACTOR_CATEGORIES, nullable: true, type: String })
  factorCategory: FactorCategory | null;
  /** The kind of factor. Null for events that are not about a factor. */
  @ApiProperty({ enum: FACTOR_TYPES, nullable: true, type: String, example: "magic_link" })
  factorType: FactorType | null;
  /** The contact that the factor is bound to. Null for types without one. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  factorBoundToPrincipal: string | null;
  /** What `scopeValues` holds, for `assurance_level_reached` and a few other types. Otherwise null. */
  @ApiProperty({ type: String, nullable: true, example: "assurance_level" })
  scopeDimension: string | null;
  /** The values of `scopeDimension`, such as the level that was reached. Null for other types. */
  @ApiProperty({ type: [String], nullable: true, example: ["identified"] })
  scopeValues: string[] | null;
  /** Names the mechanism, for audits: `kbv:<tool_name>`, `magic_link:<uuid>`, `lockout:per_call:cap=<N>`, `per_24h:cap=<N>`, `eid:<scheme>` or `tool:<name>`. Null for types without one. */
  @ApiProperty({ type: String, nullable: true, example: "tool:contact_attributes" })
  evidenceRef: string | null;
  /** Version of the verification specialist's system prompt at that time. Null if none was set. */
  @ApiProperty({ type: String, nullable: true })
  promptVersion: string | null;
  /** When it was written. */
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}

@ApiSchema({ description: "All identity events of a conversation." })
export class IdentityEventsDto {
  /** Every identity event of the conversation, oldest first. */
  events: IdentityEventDto[];
}
