import { Type } from "class-transformer";
import { IsInt, IsString, Length, Max, Min } from "class-validator";
import { Optional } from "./validation.js";

/** The query of every list that can grow. */
export class PagingDto {
  /** How many items a page has at most, 1 to 100. */
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number = 25;

  /** The `nextCursor` of the previous page. Use it with the same filters. */
  @Optional()
  @IsString()
  @Length(1, 2_000)
  cursor?: string;
}
