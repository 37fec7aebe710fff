import { vi } from "vitest";

/** Repeats the work until it throws nothing, for much longer than a busy machine needs. Without a time, `vi.waitFor()` gives up after a second. */
export const eventually = <T>(work: () => T | Promise<T>, withinMs = 100_000): Promise<T> =>
  vi.waitFor(work, { timeout: withinMs });
