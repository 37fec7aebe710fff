import { ApiProperty } from "@nestjs/swagger";

export class AttachmentDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** Without a path, and without characters that would make it look like something else. */
  @ApiProperty({ example: "invoice.pdf" })
  fileName: string;
  /** What the bytes are; what the sender declared counts for text alone. */
  @ApiProperty({ example: "application/pdf" })
  contentType: string;
  /** Bytes. */
  size: number;
  /** Of an image, in pixels, as it is to be shown; null where it is not known. */
  @ApiProperty({ type: "integer", nullable: true })
  width: number | null;
  @ApiProperty({ type: "integer", nullable: true })
  height: number | null;
  /** When it was uploaded. */
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}

export class AttachmentLinkDto extends AttachmentDto {
  /** Gives the file to whoever has this address, for 5 minutes. */
  @ApiProperty({ format: "uri", example: "https://parley.example.com/api/public/attachments/AZ2…" })
  url: string;
}
