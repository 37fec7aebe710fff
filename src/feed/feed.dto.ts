import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Transform, Type } from "class-transformer";
import { ArrayMaxSize, IsIn, IsInt, IsString, IsUUID, Length, Matches, Max, Min } from "class-validator";
import { Optional, Several } from "../platform/http/validation.js";
import { INCLUDED, type Included } from "./event-types.js";
import { CHANGES } from "./resource-change.entity.js";
import { RESOURCE_TYPES, type ResourceType } from "./resources.js";

const RESOURCE_OR_TYPE = new RegExp(`^(${RESOURCE_TYPES.join("|")})(\\.(${CHANGES.join("|")}))?$`);

export class ReadChangesDto {
  /**
   * Continue behind this position: the `cursor` of an answer, or of one of its rows. `now` stands for the end of the feed. Without
   * it the feed begins with the oldest row that is kept.
   */
  @Optional()
  @IsString()
  @Length(1, 500)
  after?: string;

  /** How many rows are read at most, 1 to 500. */
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(500)
  limit?: number = 100;

  /** Only what is in this workspace. Contacts, accounts, brands, agents and members are in none. */
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** Only these, separated by commas: resources, such as `conversation`, or types, such as `message.created`. */
  @Optional()
  @Transform(({ value }: { value: unknown }) => (typeof value === "string" ? value.split(",") : value))
  @ArrayMaxSize(100)
  @Matches(RESOURCE_OR_TYPE, {
    each: true,
    message: `types must name resources (${RESOURCE_TYPES.join(", ")}), each alone or with .${CHANGES.join(", .")}`,
  })
  @ApiProperty({ type: String, example: "conversation,message.created" })
  types?: string[];
}

export class StreamEventsDto {
  /** What each event carries besides ids and states. Repeat the parameter, or separate with commas. */
  @ApiProperty({ enum: INCLUDED, isArray: true, required: false })
  @Optional()
  @Several()
  @IsIn(INCLUDED, { each: true })
  include?: Included[];
}

@ApiSchema({ description: "One change to a resource." })
export class ChangeDto {
  /** The position of this row. Give it as `after` to continue behind it. */
  cursor: string;
  /** When the change was made. */
  @ApiProperty({ format: "date-time" })
  at: string;
  /** The resource and what happened to it. */
  @ApiProperty({ example: "conversation.updated" })
  type: string;
  /** The workspace that the resource is in. Null for what is in none, such as a contact. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  workspaceId: string | null;
  @ApiProperty({ enum: RESOURCE_TYPES })
  resourceType: ResourceType;
  @ApiProperty({ format: "uuid" })
  resourceId: string;
  /** The resource as the API shows it now, which may be newer than this change. Null if it can no longer be read: it was deleted, erased or merged. */
  @ApiProperty({ type: "object", additionalProperties: true, nullable: true })
  resource: object | null;
}

@ApiSchema({ description: "What changed, in order, and where to continue." })
export class ChangesDto {
  @ApiProperty({ type: [ChangeDto] })
  data: ChangeDto[];
  /** Where to continue, also if `data` is empty. */
  cursor: string;
  /** Whether more can be read at once. */
  hasMore: boolean;
}
