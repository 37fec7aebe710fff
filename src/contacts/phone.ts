import { parsePhoneNumberFromString } from "libphonenumber-js/min";

export const E164 = /^\+[1-9]\d{4,14}$/;

/** @returns the number in E.164, null for what is no phone number with its country code */
export function toE164(text: string): string | null {
  // Nothing is picked out of a sentence, and an extension would be lost.
  const phone = parsePhoneNumberFromString(text, { extract: false });
  return phone && !phone.ext ? phone.number : null;
}
