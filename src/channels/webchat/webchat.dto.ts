import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import {
  IsBoolean,
  IsOptional,
  IsString,
  Length,
  Matches,
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsUUID,
} from "class-validator";
import { BODY_FORMATS, type BodyFormat } from "../../conversations/conversation.entity.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { Optional } from "../../platform/http/validation.js";
import { type Position, POSITIONS } from "./webchat.settings.js";

const DIRECTIONS = namedEnum("WebchatMessageDirection", "Which way a message goes.", {
  inbound: "from the visitor",
  outbound: "to the visitor",
});
const MAX_BODY = 4_000;
const MAX_ATTACHMENTS = 5;

export class OpenWebchatSessionDto {
  /** The identity of the visitor: a JWT signed with the channel's `identitySecret` (HS256), with `sub` and `exp` and optionally `name` and `email`. */
  @ApiProperty({ type: String, required: false, nullable: true })
  @IsOptional()
  @IsString()
  @Length(1, 4_096)
  identity?: string | null;
}

@ApiSchema({ description: "A visitor's session, and how the chat looks." })
export class WebchatSessionDto {
  /** Send it in the `Authorization` header, never in a URL. */
  sessionToken: string;
  /** Seconds until the token expires. */
  expiresIn: number;
  /** The visitor has written before. */
  started: boolean;
  /** The customer's server has signed the visitor's identity. */
  signed: boolean;
  /** The heading of the chat. */
  title: string;
  /** Where the logo of the workspace is, on this server. Null for none. */
  @ApiProperty({ type: String, nullable: true })
  logoUrl: string | null;
  /** The text that a new chat begins with. Null if there is none. */
  @ApiProperty({ type: String, nullable: true })
  greeting: string | null;
  /** The colour of the button and of the visitor's messages, `#rrggbb`. */
  @ApiProperty({ example: "#1d4ed8" })
  colour: string;
  @ApiProperty({ enum: POSITIONS })
  position: Position;
  /** ISO 639-1. */
  language: string;
  /** Maximum size of a file in bytes. */
  maxFileBytes: number;
}

export class SendWebchatMessageDto {
  /** 1 to 4,000 characters. */
  @ApiProperty({ example: "Hello, where is my order?" })
  @IsString()
  @Length(1, MAX_BODY)
  body: string;

  /** Your own id of the message: 1 to 64 letters, digits, `-` and `_`. Sending the same id again does not create another message. */
  @ApiProperty({ example: "0b7b2c1e-1" })
  @IsString()
  @Matches(/^[\w-]{1,64}$/, { message: "clientMessageId must be 1 to 64 letters, digits, - and _" })
  clientMessageId: string;

  /** Uploads of this visitor that belong to no message yet, in this order. At most 5. */
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

export class SetWebchatTypingDto {
  /** False when the visitor has stopped. */
  @ApiProperty()
  @IsBoolean()
  typing: boolean;
}

@ApiSchema({ description: "A file in a message of the web chat." })
export class WebchatAttachmentDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The name of the file, without a path. */
  fileName: string;
  /** The content type, detected from the bytes. */
  contentType: string;
  /** Bytes. */
  size: number;
  /** Width of an image in pixels. Null if unknown, or no image. */
  @ApiProperty({ type: Number, nullable: true })
  width: number | null;
  /** Height of an image in pixels. Null if unknown, or no image. */
  @ApiProperty({ type: Number, nullable: true })
  height: number | null;
  /** Link to the file, valid for an hour. */
  url: string;
}

@ApiSchema({ description: "A message of the web chat, as the visitor sees it." })
export class WebchatMessageDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** `inbound`: from the visitor. `outbound`: to the visitor. */
  @ApiProperty({ enum: DIRECTIONS })
  direction: (typeof DIRECTIONS)[number];
  /** First name of the member who wrote, the name of your own assistant, or that of the brand. Null for the visitor's own messages. */
  @ApiProperty({ type: String, nullable: true })
  author: string | null;
  /** Whether no person wrote it. Show that to the visitor. */
  automated: boolean;
  /** The text. */
  body: string;
  @ApiProperty({ enum: BODY_FORMATS })
  bodyFormat: BodyFormat;
  /** Answers to a question of the assistant. While it is the last message, offer them; the visitor's choice is their next `body`. */
  @ApiProperty({ type: [String] })
  choices: string[];
  /** The files of the message, in their order. */
  @ApiProperty({ type: [WebchatAttachmentDto] })
  attachments: WebchatAttachmentDto[];
  /** The `clientMessageId` that this session sent it with. Null for other messages. */
  @ApiProperty({ type: String, nullable: true })
  clientMessageId: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}
