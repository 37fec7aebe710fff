import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Environment } from "../../platform/caller/caller.js";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 30 characters of base62 are 178 random bits. */
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^svc_(live|test)_v1_[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
/** The part of a key that is stored and shown: the environment and four characters. */
const SHOWN_LENGTH = "svc_live_v1_".length + 4;

/** A new raw key: `svc_live_v1_` or `svc_test_v1_`, 30 random characters, and a checksum of 6 characters over what precedes it. */
export function mintApiKey(environment: Environment): { key: string; prefix: string; hash: string } {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  const unsigned = `svc_${environment}_v1_${random}`;
  const key = unsigned + checksum(unsigned);
  return { key, prefix: key.slice(0, SHOWN_LENGTH), hash: hashApiKey(key) };
}

/** Whether this has the form and the checksum of a key. Anything else is refused without a look-up. */
export const isWellFormedApiKey = (key: string): boolean =>
  FORM.test(key) && key.slice(-CHECKSUM_LENGTH) === checksum(key.slice(0, -CHECKSUM_LENGTH));

/** SHA-256 in hexadecimal. Only this is stored. */
export const hashApiKey = (key: string): string => hash("sha256", key);

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[rest % ALPHABET.length]! + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
