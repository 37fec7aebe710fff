import type { ParleyEvent } from "@parley/sdk/core";

/**
 * What the page hears of. `begin`: what happens from now on is sent. What was read before may have changed since. `reset`: events were
 * missed that nobody tells again, so everything on the page has to be read again.
 */
export type Heard = ParleyEvent | { type: "begin" | "reset"; id?: string; data: Record<string, never> };
