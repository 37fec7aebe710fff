import { applyDecorators } from "@nestjs/common";
import { ApiProperty } from "@nestjs/swagger";
import { Transform } from "class-transformer";
import { ArrayMaxSize, ArrayMinSize, IsArray, IsEmail, Matches } from "class-validator";
import { each, Optional } from "../../platform/http/validation.js";

/** So many people are in copy of a conversation, or are named by one message, at most. The contact is not counted. */
export const MAX_PEOPLE = 50;

/** A quoted local part could hold a comma, which some servers take for two addresses. */
const PLAIN = /^[^\s"(),:;<>@[\\\]]+@[^\s"(),:;<>@\\]+$/;
const lower = (text: string): string => text.trim().toLowerCase();

/** Email addresses in a body, in lower case. */
export const MailAddresses = ({ min = 0 }: { min?: number } = {}): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      type: "array",
      items: { type: "string", format: "email" },
      maxItems: MAX_PEOPLE,
      ...(min ? { minItems: min } : { required: false }),
    }),
    ...(min ? [ArrayMinSize(min)] : [Optional()]),
    Transform(each(lower)),
    Matches(PLAIN, { each: true, message: "each value in $property must be an email address" }),
    IsEmail({}, { each: true, message: "each value in $property must be an email address" }),
    ArrayMaxSize(MAX_PEOPLE),
    IsArray(),
  );

/** One email address in a body, in lower case. */
export const MailAddress = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ format: "email", example: "grace@example.com" }),
    Transform(({ value }: { value: unknown }) => (typeof value === "string" ? lower(value) : value)),
    Matches(PLAIN, { message: "$property must be an email address" }),
    IsEmail({}, { message: "$property must be an email address" }),
  );

/** The address without what stands behind a plus: mail to both reaches the same mailbox. */
export function withoutTag(address: string): string {
  const at = address.lastIndexOf("@");
  const plus = address.indexOf("+");
  return plus > 0 && plus < at ? address.slice(0, plus) + address.slice(at) : address;
}

/** Each address once, without those that are already taken. */
export function without(addresses: readonly string[], taken: Iterable<string>): string[] {
  const seen = new Set(taken);
  return addresses.filter((address) => !seen.has(address) && seen.add(address));
}
