import { BadRequestException } from "@nestjs/common";
import { isEmail, validateSync } from "class-validator";
import { toE164 } from "../contacts/phone.js";
import { instantiate } from "../platform/http/instantiate.js";
import { sentences } from "../platform/http/validation.js";
import type { ChannelKind } from "./channel-kind.js";

/**
 * Validates settings or credentials against the class of their kind, and fills in its defaults.
 * @throws BadRequestException: names each field that is wrong or unknown
 */
export function validFields(type: new () => object, value: object, name: string): object {
  const instance = instantiate(type, value);
  const errors = validateSync(instance, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false });
  if (errors.length) throw new BadRequestException(errors.flatMap((error) => sentences(error, `${name}.`)).join("; "));
  return JSON.parse(JSON.stringify(instance)) as object;
}

/** @throws BadRequestException: not an address of this kind, or the kind has none */
export function validAddress({ type, addressed }: ChannelKind, address: string | null): string | null {
  if (!addressed) {
    if (address !== null) throw new BadRequestException(`address: a channel of type ${type} has none`);
    return null;
  }
  if (address === null) throw new BadRequestException(`address: a channel of type ${type} needs one`);
  if (addressed === "phone" ? toE164(address) !== address : !isEmail(address))
    throw new BadRequestException(
      `address must be ${addressed === "phone" ? "a phone number in E.164" : "an email address"}`,
    );
  return addressed === "email" ? address.toLowerCase() : address;
}
