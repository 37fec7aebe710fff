import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsString, Length } from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import { LABEL_COLOURS, type LabelColour } from "./label.entity.js";

@ApiSchema({ description: "A name that sorts conversations, with its colour." })
export class LabelDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** What conversations have in `labels`. Unique, case matters. */
  @ApiProperty({ example: "vip" })
  name: string;
  @ApiProperty({ enum: LABEL_COLOURS })
  colour: LabelColour;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class CreateLabelDto {
  /** 1 to 100 characters. It cannot be changed, because conversations and your integrations hold it. */
  @ApiProperty({ example: "vip" })
  @Trimmed()
  @IsString()
  @Length(1, 100)
  name: string;

  /** How it looks. */
  @ApiProperty({ enum: LABEL_COLOURS, required: false, default: "gray" })
  @Optional()
  @IsIn(LABEL_COLOURS)
  colour?: LabelColour = "gray";
}

export class UpdateLabelDto {
  @ApiProperty({ enum: LABEL_COLOURS, required: false })
  @Optional()
  @IsIn(LABEL_COLOURS)
  colour?: LabelColour;
}
