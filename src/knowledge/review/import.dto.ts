import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsString, Length } from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { Optional } from "../../platform/http/validation.js";
import { ENTRY_STATUSES, type EntryStatus } from "./reviewed-entry.entity.js";

const FORMATS = namedEnum("EntryFormat", "The format of an import or export.", ["csv", "ndjson"]);
type Format = (typeof FORMATS)[number];

export class ImportFormatDto {
  /** `csv` with a header line, or `ndjson` with one JSON object per line. */
  @ApiProperty({ enum: FORMATS })
  @IsIn(FORMATS)
  format: Format;
}
export interface Import extends ImportFormatDto {
  content: string;
}

export class ExportDto {
  /** The format of `content`. */
  @ApiProperty({ enum: FORMATS, required: false, default: "ndjson" })
  @Optional()
  @IsIn(FORMATS)
  format?: Format = "ndjson";

  /** Only entries with this status. */
  @ApiProperty({ enum: ENTRY_STATUSES, required: false })
  @Optional()
  @IsIn(ENTRY_STATUSES)
  status?: EntryStatus;

  /** The `nextCursor` of the previous part, with the same status. */
  @Optional()
  @IsString()
  @Length(1, 2_000)
  cursor?: string;
}

@ApiSchema({ description: "One part of an export, in the format of the import." })
export class ExportPartDto {
  /** The format of `content`. */
  @ApiProperty({ enum: FORMATS })
  format: Format;
  /** The entries, newest first, in the import format. */
  content: string;
  /** Missing in the last part. */
  nextCursor?: string;
}

@ApiSchema({ description: "What is wrong with one line of an import." })
export class ImportErrorDto {
  /** The line of the content where the entry begins, counted from 1. */
  line: number;
  /** What is wrong with it. */
  error: string;
}

export class ImportReportDto {
  /** Lines that became entries. */
  imported: number;
  /** Lines that did not. */
  failed: number;
  /** What is wrong with the lines that failed. */
  errors: ImportErrorDto[];
}
