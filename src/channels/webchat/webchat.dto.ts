import { ApiProperty } from "@nestjs/swagger";
import { IsOptional, IsString, Length, Matches, ArrayMaxSize, ArrayUnique, IsArray, IsUUID } from "class-validator";
import { Optional } from "../../platform/http/validation.js";

const MAX_BODY = 4_000;
const MAX_ATTACHMENTS = 5;

export class OpenSessionDto {
  /** Who the visitor is: a JWT (HS256, by the channel's `identitySecret`) with `sub`, `exp` and, if you like, `name` and `email`. */
  @ApiProperty({ type: String, required: false, nullable: true })
  @IsOptional()
  @IsString()
  @Length(1, 4_096)
  identity?: string | null;
}

export class WebchatSessionDto {
  /** For the `Authorization` header, and never for an address. */
  sessionToken: string;
  /** Seconds until it ends. */
  expiresIn: number;
  /** Whether the visitor's own messages are there to be read. */
  started: boolean;
  /** Whether the customer's server vouches for the visitor. */
  signed: boolean;
  title: string;
  @ApiProperty({ type: String, nullable: true })
  greeting: string | null;
  @ApiProperty({ example: "#1d4ed8" })
  colour: string;
  @ApiProperty({ enum: ["end", "start"] })
  position: "end" | "start";
  /** ISO 639-1. */
  language: string;
  /** Bytes that a file may have. */
  maxFileBytes: number;
}

export class WebchatWriteDto {
  /** 1 to 4,000 characters. */
  @ApiProperty({ example: "Hello, where is my order?" })
  @IsString()
  @Length(1, MAX_BODY)
  @Matches(/\S/, { message: "body must not be blank" })
  body: string;

  /** Your own id of the message, 1 to 64 letters, digits, `-` and `_`: a repeat is the same message. */
  @ApiProperty({ example: "0b7b2c1e-1" })
  @IsString()
  @Matches(/^[\w-]{1,64}$/, { message: "clientMessageId must be 1 to 64 letters, digits, - and _" })
  clientMessageId: string;

  /** The visitor's own uploads that are part of no message yet, 5 at most, in this order. */
  @ApiProperty({
    type: "array",
    items: { type: "string", format: "uuid" },
    maxItems: MAX_ATTACHMENTS,
    uniqueItems: true,
    required: false,
  })
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_ATTACHMENTS)
  @ArrayUnique((id) => String(id).toLowerCase())
  @IsUUID(undefined, { each: true })
  attachmentIds?: string[];
}

export class WebchatAttachmentDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  fileName: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** Of an image, in pixels. */
  @ApiProperty({ type: Number, nullable: true })
  width: number | null;
  @ApiProperty({ type: Number, nullable: true })
  height: number | null;
  /** Gives the file, for an hour. */
  url: string;
}

export class WebchatMessageDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** By the visitor, or to them. */
  @ApiProperty({ enum: ["inbound", "outbound"] })
  direction: "inbound" | "outbound";
  /** Who wrote to the visitor: the first name of a member, or the brand's name. Null for the visitor's own. */
  @ApiProperty({ type: String, nullable: true })
  author: string | null;
  body: string;
  @ApiProperty({ enum: ["text", "markdown"] })
  bodyFormat: "text" | "markdown";
  @ApiProperty({ type: [WebchatAttachmentDto] })
  attachments: WebchatAttachmentDto[];
  /** The id that this session gave it. */
  @ApiProperty({ type: String, nullable: true })
  clientMessageId: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}
