import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn } from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { VIEWER_STATES, type ViewerState } from "./conversation-viewer.entity.js";

const STATES = namedEnum("ViewingState", "What a member does in a conversation.", [...VIEWER_STATES, "left"]);

export class SetViewingDto {
  /** `typing` is for replies: a visitor of the web chat sees it. While you write a note, send `viewing`. */
  @ApiProperty({ enum: STATES })
  @IsIn(STATES)
  state: ViewerState | "left";
}

@ApiSchema({ description: "A member who looks at a conversation or types in it." })
export class ViewerDto {
  @ApiProperty({ format: "uuid" })
  memberId: string;
  name: string;
  @ApiProperty({ enum: VIEWER_STATES })
  state: ViewerState;
  /** When this ends, unless the member's dashboard says it again. */
  @ApiProperty({ format: "date-time" })
  until: string;
}
