import { vi } from "vitest";

/** Repeats the work until it does not throw. `vi.waitFor()` gives up after a second by default, which a busy machine exceeds. */
export const eventually = <T>(work: () => T | Promise<T>, withinMs = 100_000): Promise<T> =>
  vi.waitFor(work, { timeout: withinMs });
