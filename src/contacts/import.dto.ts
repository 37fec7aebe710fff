import { ApiProperty } from '@nestjs/swagger';

export class ImportedLineDto {
  /** Where it begins in the body, from 1; the first line of a CSV names the columns. */
  @ApiProperty({ type: 'integer' })
  line: number;
  /** The contact that was made of it. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  contactId: string | null;
  /** Why none was. */
  @ApiProperty({ type: String, nullable: true })
  error: string | null;
}

export class ImportReportDto {
  /** Lines of which a contact was made. */
  @ApiProperty({ type: 'integer' })
  imported: number;
  /** Lines that were refused. */
  @ApiProperty({ type: 'integer' })
  refused: number;
  /** Each line that is not blank, in order. */
  lines: ImportedLineDto[];
}
