import { ApiProperty, ApiSchema } from "@nestjs/swagger";

@ApiSchema({ description: "What is wrong with one line of an import." })
export class ContactImportLineDto {
  /** The line of the body where the record begins, counted from 1. The first line of a CSV names the columns. */
  @ApiProperty({ type: "integer" })
  line: number;
  /** The contact that was created from the line. Null if none was. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  contactId: string | null;
  /** Why no contact was created. Null if one was. */
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
}

@ApiSchema({ description: "How an import of contacts ended." })
export class ContactImportReportDto {
  /** Lines that became a contact. */
  @ApiProperty({ type: "integer" })
  imported: number;
  /** Lines that did not become a contact. */
  @ApiProperty({ type: "integer" })
  failed: number;
  /** Every line that is not blank, in order. */
  lines: ContactImportLineDto[];
}
