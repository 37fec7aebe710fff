import { ApiProperty, ApiSchema } from "@nestjs/swagger";

@ApiSchema({ description: "A file in a message." })
export class AttachmentDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The file name without a path, and without characters that would make it look like something else. */
  @ApiProperty({ example: "invoice.pdf" })
  fileName: string;
  /** The content type, detected from the bytes. The type that the sender declared only counts for text. */
  @ApiProperty({ example: "application/pdf" })
  contentType: string;
  /** Bytes. */
  size: number;
  /** Width of an image in pixels, as displayed. Null if unknown. */
  @ApiProperty({ type: "integer", nullable: true })
  width: number | null;
  /** Height of an image in pixels, as displayed. Null if unknown. */
  @ApiProperty({ type: "integer", nullable: true })
  height: number | null;
  /** When it was uploaded. */
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}

@ApiSchema({ description: "A file in a message, with a URL that downloads it." })
export class AttachmentLinkDto extends AttachmentDto {
  /** Anyone with this URL can download the file for 5 minutes. */
  @ApiProperty({ format: "uri", example: "https://parley.example.com/api/public/attachments/AZ2…" })
  url: string;
}
