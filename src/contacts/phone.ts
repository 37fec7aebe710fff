import { parsePhoneNumberFromString } from "libphonenumber-js/min";

export const E164 = /^\+[1-9]\d{4,14}$/;

/** @returns the number in E.164; null if it is not a phone number with a country code */
export function toE164(text: string): string | null {
  // `extract: false`: do not pick a number out of a sentence. An extension would be lost.
  const phone = parsePhoneNumberFromString(text, { extract: false });
  return phone && !phone.ext ? phone.number : null;
}
