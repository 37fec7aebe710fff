import { Baseline1763700000000 } from "./1763700000000-baseline.js";

/** In the order in which they run. */
export const MIGRATIONS = [Baseline1763700000000];
