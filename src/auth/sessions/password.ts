import { hash, verify } from "@node-rs/argon2";

/** argon2id with 19 MiB and 2 passes: the minimum that OWASP recommends, about 20 ms. */
export const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let cost: Record<keyof typeof COST, number> = COST;
let decoy: Promise<string> | undefined;

/** What a new hash costs from now on. Nothing but tests, which sign in thousands of times, changes it. */
export function setCost(changed: typeof cost): void {
  cost = changed;
  decoy = undefined;
}

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/**
 * Compares the password with as many hashes as there can be candidates, with decoys in place of those that are missing, so
 * that the time does not reveal whether an email is known.
 * @returns the number of the first that matches; -1 if none does
 */
export async function firstMatch(
  stored: readonly (string | null)[],
  candidates: number,
  password: string,
): Promise<number> {
  const hashes = Array.from({ length: candidates }, (_, n) => stored[n]);
  const matches = await Promise.all(hashes.map((hash) => verifyPassword(hash, password)));
  return matches.indexOf(true);
}

/** Takes the same time with and without a stored hash, so the time does not reveal which emails are known. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await (decoy ??= hashPassword("not a password of any member"))), password);
  return Boolean(stored) && matches;
}
