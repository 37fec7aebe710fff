import { ApiProperty } from "@nestjs/swagger";

export class ContactImportLineDto {
  /** Where it begins in the body, from 1; the first line of a CSV names the columns. */
  @ApiProperty({ type: "integer" })
  line: number;
  /** The contact that was made of it. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  contactId: string | null;
  /** Why none was. */
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
}

export class ContactImportReportDto {
  /** Lines of which a contact was made. */
  @ApiProperty({ type: "integer" })
  imported: number;
  /** Lines of which none was. */
  @ApiProperty({ type: "integer" })
  failed: number;
  /** Each line that is not blank, in order. */
  lines: ContactImportLineDto[];
}
