import { hash, verify } from "@node-rs/argon2";

// argon2id with 19 MiB and 2 passes: the minimum that OWASP recommends, about 20 ms.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let decoy: Promise<string> | undefined;

export const hashPassword = (password: string): Promise<string> => hash(password, COST);

/** Takes the same time whether or not there is a hash to compare with, so that the pace does not tell who is known. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const right = await verify(stored ?? (await (decoy ??= hashPassword("nobody has this password"))), password);
  return Boolean(stored) && right;
}
