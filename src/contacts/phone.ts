import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** @returns the number in E.164, null for what is no phone number with its country code */
export const toE164 = (text: string): string | null => parsePhoneNumberFromString(text)?.number ?? null;
