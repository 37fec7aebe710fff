import { ApiProperty, ApiPropertyOptional, ApiSchema, type SchemaObject } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Matches,
} from "class-validator";
import { namedEnum } from "../platform/enums/named-enum.js";
import { PagingDto } from "../platform/http/paging.dto.js";
import { each, Optional, Several, Trimmed } from "../platform/http/validation.js";
import { E164, toE164 } from "./phone.js";

@ApiSchema({ description: "An email address or phone number of a contact." })
export class ContactPointDto {
  /** An email address, or a phone number in E.164. */
  value: string;
  /** When the contact proved that the address is theirs. Null if it is only claimed. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  verifiedAt: string | null;
}

export const MAX_LABELS = 50;
const CONTACT_SORTS = namedEnum("ContactSort", "The order of a list of contacts.", ["recent", "lastSeen", "name"]);
export type ContactSort = (typeof CONTACT_SORTS)[number];

/** The text of an address, which may come alone or as a contact shows it. `verifiedAt` is not believed. Anything else is left as it is. */
function addressIn(given: unknown): unknown {
  if (typeof given !== "object" || given === null) return given;
  const { value, verifiedAt = null, ...others } = given as Partial<ContactPointDto>;
  const shown = typeof value === "string" && (verifiedAt === null || typeof verifiedAt === "string");
  return shown && Object.keys(others).length === 0 ? value : given;
}

/** A list of addresses, so that what a contact shows can be sent back. */
const Addresses = (clean: (text: string) => string): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) =>
    each(clean)({ value: Array.isArray(value) ? value.map(addressIn) : value }),
  );

/** With a name of its own: the document would say of the list what `IsEmail` says of each. */
const AreEmails = (): PropertyDecorator =>
  IsEmail({}, { each: true, message: "each value in emails must be an email, or an object with one as its value" });

/** The schema of one of `Addresses`. */
const addressSchema = (text: SchemaObject): SchemaObject => ({
  oneOf: [
    text,
    {
      type: "object",
      additionalProperties: false,
      required: ["value"],
      properties: {
        value: text,
        verifiedAt: { type: ["string", "null"], description: "Ignored: only a verification proves an address." },
      },
    },
  ],
});

@ApiSchema({ description: "A person who writes to you." })
export class ContactDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  /** Your own id for the person, unique per tenant. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  externalId: string | null;
  /** Null if unknown. */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
  /** Email addresses. */
  emails: ContactPointDto[];
  /** Phone numbers. */
  phones: ContactPointDto[];
  /** ISO 639-1. Null if unknown. */
  @ApiProperty({ type: String, nullable: true })
  language: string | null;
  /** The account, a customer company, that the contact belongs to. Null if there is none. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  accountId: string | null;
  /** Your own labels. */
  labels: string[];
  /** Any data that you keep about the person. */
  @ApiProperty({ type: "object", additionalProperties: true })
  attributes: object;
  /** Messages from a blocked contact are refused: 409. */
  blocked: boolean;
  /** The contact that this one was merged into. It now has the conversations, emails and phones of this one. Null if it was not merged. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  mergedIntoId: string | null;
  /** When the contact wrote last, to within a minute. Null: never. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  lastSeenAt: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class CreateContactDto {
  /** Your own id for the person, 1 to 255 characters, unique per tenant. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "crm-4711" })
  @IsOptional()
  @IsString()
  @Length(1, 255)
  externalId?: string | null;

  /** 1 to 200 characters. Null if unknown. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Ada Lovelace" })
  @IsOptional()
  @IsString()
  @Length(1, 200)
  name?: string | null;

  /**
   * At most 20, as texts, or as a contact shows them. A `verifiedAt` is ignored. Emails alone never match an existing
   * contact.
   */
  @ApiProperty({
    type: "array",
    items: addressSchema({ type: "string", format: "email" }),
    required: false,
    example: ["ada@example.com"],
  })
  @Optional()
  @Addresses((text) => text.trim().toLowerCase())
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @AreEmails()
  emails?: string[];

  /**
   * Phone numbers with country code, at most 20, as texts, or as a contact shows them. A `verifiedAt` is ignored. They are
   * stored in E.164.
   */
  @ApiProperty({
    type: "array",
    items: addressSchema({ type: "string" }),
    required: false,
    example: ["+4930901820"],
  })
  @Optional()
  @Addresses((text) => toE164(text) ?? text)
  @IsArray()
  @ArrayMaxSize(20)
  @ArrayUnique()
  @Matches(E164, {
    each: true,
    message: "each value in phones must be a phone number with its country code, such as +4930901820",
  })
  phones?: string[];

  /** ISO 639-1. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "en" })
  @IsOptional()
  @Matches(/^[a-z]{2}$/, { message: "language must be two small letters of ISO 639-1" })
  language?: string | null;

  /** At most 50, each 1 to 100 characters. */
  @Optional()
  @IsArray()
  @ArrayMaxSize(MAX_LABELS)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 100, { each: true })
  labels?: string[];

  /** Any data that you keep about the person, as a JSON object. */
  @ApiPropertyOptional({ type: "object", additionalProperties: true, example: { plan: "gold" } })
  @Optional()
  @IsObject()
  attributes?: object;
}

export class ListContactsDto extends PagingDto {
  /** Only contacts that appear in this workspace. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** `lastSeen`: who wrote last, first. `name`: A to Z, then those without. */
  @ApiProperty({ enum: CONTACT_SORTS, required: false, default: "recent" })
  @Optional()
  @IsIn(CONTACT_SORTS)
  sort?: ContactSort = "recent";

  /** Only contacts with exactly this label. */
  @Optional()
  @IsString()
  @Length(1, 100)
  label?: string;

  /** Only contacts of this account. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  accountId?: string;

  /** `true`: only blocked contacts. `false`: only others. */
  @ApiProperty({ type: Boolean, required: false })
  @Optional()
  @Transform(({ value }: { value: unknown }) => (value === "true" ? true : value === "false" ? false : value))
  @IsBoolean()
  blocked?: boolean;

  /**
   * Only these contacts, 1 to 100. Repeat the parameter, or separate the ids with commas. They are all on one page, whatever
   * `limit` is. Those that do not exist or that you have no access to are left out. As in `GET /api/contacts/{id}`, a merged contact
   * names the survivor in `mergedIntoId`.
   */
  @ApiProperty({ type: "array", items: { type: "string", format: "uuid" }, maxItems: 100, required: false })
  @Optional()
  @Several()
  @ArrayMaxSize(100)
  @IsUUID(undefined, { each: true })
  ids?: string[];

  /** Only the contact with this `externalId`. */
  @Optional()
  @IsString()
  @Length(1, 255)
  externalId?: string;
}

/**
 * Only the given fields change. Lists and objects are replaced as a whole. An email or phone that stays in the list
 * stays verified.
 */
export class UpdateContactDto extends CreateContactDto {
  /**
   * After this request is answered, messages from a blocked contact are refused (409), also in open conversations.
   */
  @Optional()
  @IsBoolean()
  blocked?: boolean;
}

export class SearchContactsDto extends PagingDto {
  /**
   * Words of a name, or parts of an email, phone number or your own id, in any order, 1 to 200 characters. Each word
   * may have one typo.
   */
  @Trimmed()
  @IsString()
  @Length(1, 200)
  q: string;
}

export class LinkAccountDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  accountId: string;
}
