import { hash, randomBytes } from "node:crypto";

const HOW_MANY = 10;
/** 32 characters, so that five bits of a random byte choose one. */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** Ten codes such as `a2bc-d3ef-g4hi-j5kl`, each with 80 random bits. */
export const makeRecoveryCodes = (): string[] => Array.from({ length: HOW_MANY }, makeCode);

function makeCode(): string {
  const letters = [...randomBytes(16)].map((byte) => ALPHABET[byte & 31]).join("");
  return [0, 4, 8, 12].map((start) => letters.slice(start, start + 4)).join("-");
}

/** What is stored. Members may type the code in capitals, and without hyphens. */
export const hashOfRecoveryCode = (code: string): string =>
  hash("sha256", `recovery code ${code.toLowerCase().replaceAll("-", "").replaceAll(" ", "")}`);
