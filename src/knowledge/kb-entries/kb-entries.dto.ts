import { ApiProperty, ApiSchema, IntersectionType, PartialType, PickType } from "@nestjs/swagger";
import { ArrayMaxSize, ArrayUnique, IsArray, IsString, IsUUID, Length, Matches } from "class-validator";
import { Optional } from "../../platform/http/validation.js";
import { ImportFormatDto, ImportReportDto } from "../review/import.dto.js";
import {
  EditEntryDto,
  EntryVersionDto,
  NewEntryDto,
  PendingDto,
  ReviewedEntryDto,
  SIMILARITY_KINDS,
  type SimilarityKind,
} from "../review/reviewed-entry.dto.js";

@ApiSchema({ description: "The place in a source where an entry was read." })
export class ReadFromDto {
  @ApiProperty({ format: "uuid" })
  sourceId: string;
  /** The page. Null for a file. */
  @ApiProperty({ type: String, nullable: true })
  url: string | null;
  /** The headings above the text, outermost first, with ` › ` between them. */
  section: string;
  /** When it was read there first. */
  @ApiProperty({ format: "date-time" })
  readAt: string;
}

@ApiSchema({ description: "A question with its answer in the knowledge base." })
export class KbEntryDto extends ReviewedEntryDto {
  /** The question that the entry answers. */
  question: string;
  /** The answer, in Markdown. */
  answer: string;
  /** Other ways to ask the same question, at most 200. */
  alternateQuestions: string[];
  /** ISO 639-1. */
  language: string;
  /** Your own labels, at most 50. */
  labels: string[];
  /** The place in a source where it was read. Null if no source proposed it. */
  @ApiProperty({ type: ReadFromDto, nullable: true })
  readFrom: ReadFromDto | null;
  /** It is proposed in place of the entry `duplicateOfId`: approving it archives that entry. */
  replacesDuplicate: boolean;
}

export class PendingKbEntriesDto extends PendingDto {
  /** Only what this source proposed. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  sourceId?: string;
}

export class CreateKbEntryDto extends NewEntryDto {
  /** 1 to 2,000 characters. */
  @ApiProperty({ example: "How long does delivery take?" })
  @IsString()
  @Length(1, 2_000)
  question: string;

  /** 1 to 20,000 characters. */
  @ApiProperty({ example: "Two to three working days." })
  @IsString()
  @Length(1, 20_000)
  answer: string;

  /** Other ways to ask the same question, at most 200. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(200)
  @IsString({ each: true })
  @Length(1, 2_000, { each: true })
  alternateQuestions?: string[] = [];

  /** ISO 639-1. Default: the workspace's primary language. */
  @ApiProperty({ example: "en", required: false })
  @Optional()
  @Matches(/^[a-z]{2}$/, { message: "language must be two small letters of ISO 639-1" })
  language?: string;

  /** At most 50, each 1 to 100 characters. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  labels?: string[] = [];
}

export class UpdateKbEntryDto extends IntersectionType(
  EditEntryDto,
  PartialType(PickType(CreateKbEntryDto, ["question", "answer"] as const), { skipNullProperties: false }),
) {
  /** Other ways to ask the same question, at most 200. Replaces the existing list. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(200)
  @IsString({ each: true })
  @Length(1, 2_000, { each: true })
  alternateQuestions?: string[];

  /** At most 50, each 1 to 100 characters. Replaces the existing list. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(50)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  labels?: string[];
}

@ApiSchema({ description: "An entry as it was after one edit." })
export class KbEntryVersionDto extends EntryVersionDto {
  /** The question that the entry answers. */
  question: string;
  /** The answer, in Markdown. */
  answer: string;
  /** Other ways to ask the same question. */
  alternateQuestions: string[];
  /** Your own labels. */
  labels: string[];
}

@ApiSchema({ description: "An entry that a search found, and how sure the match is." })
export class FoundKbEntryDto {
  /** The entry that was found. */
  entry: KbEntryDto;
  /** How likely the entry answers the question, 0 to 1. Of answers at 0.9, nine in ten are right. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  confidence: number;
}

@ApiSchema({ description: "An entry for nearly the same question." })
export class SimilarKbEntryDto {
  /** The other entry. */
  entry: KbEntryDto;
  /** How similar their closest questions are, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  likeness: number;
  /** `duplicate`: the answers are nearly the same. `contradiction`: they differ. */
  @ApiProperty({ enum: SIMILARITY_KINDS })
  kind: SimilarityKind;
}

/** An entry for nearly the same question as a new one. */
@ApiSchema({ description: "An entry that is like the new one." })
export class LikelySameKbEntryDto extends PickType(SimilarKbEntryDto, ["likeness", "kind"] as const) {
  @ApiProperty({ format: "uuid" })
  kbEntryId: string;
  /** The question of that entry. */
  question: string;
}

@ApiSchema({ description: "The new entry, and the entries that are like it." })
export class KbEntryCreatedDto extends KbEntryDto {
  /**
   * Likely duplicates and contradictions among the approved and pending entries of the workspace, most similar first.
   * They are hints for review and never block the request.
   */
  @ApiProperty({ type: [LikelySameKbEntryDto] })
  similar: LikelySameKbEntryDto[];
}

@ApiSchema({ description: "A line of an import that is like an entry or another line." })
export class ImportHintDto extends LikelySameKbEntryDto {
  /** The line of the content where the entry begins, counted from 1. */
  line: number;
}

@ApiSchema({ description: "How an import of entries ended." })
export class KbImportReportDto extends ImportReportDto {
  /**
   * Imported lines that likely duplicate or contradict an existing entry or an earlier line, at most a thousand. If
   * the import has more than 1,000 lines, only lines that repeat an earlier line are listed.
   */
  @ApiProperty({ type: [ImportHintDto] })
  similar: ImportHintDto[];
}

export class ImportKbEntriesDto extends ImportFormatDto {
  /**
   * At most 10,000 lines. Fields: question, answer, alternateQuestions, language, labels, validUntil, status. In CSV,
   * separate several values of one field with `|` or write them as a JSON array.
   */
  @ApiProperty({ example: "question,answer\nHow long does delivery take?,Two days." })
  @IsString()
  @Length(1, 1_000_000)
  content: string;
}
