import { TooSoon, Undeliverable } from "./outbox.service.js";

/** After this many attempts a message is given up: its status is `dead`, and an admin can send it again. */
const MAX_ATTEMPTS = 10;
const MAX_WAIT_SECONDS = 3_600;

/**
 * When a message that could not be sent is tried again: after about 2, 4, 8 … seconds, at most an hour. A random part keeps
 * messages that failed together from coming back together.
 * @param attempts so far, with the one that failed
 * @returns seconds from now; undefined if the message is given up
 */
export function retryAfterSeconds(attempts: number, error: unknown): number | undefined {
  if (attempts >= MAX_ATTEMPTS || error instanceof Undeliverable) return undefined;
  const wait = Math.min(2 ** attempts, MAX_WAIT_SECONDS) * (0.75 + Math.random() / 2);
  return Math.max(wait, error instanceof TooSoon ? error.seconds : 0);
}
