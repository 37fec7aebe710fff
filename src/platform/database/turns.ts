import { availableParallelism } from "node:os";
import pLimit, { type LimitFunction } from "p-limit";

/**
 * A queue for statements that each take milliseconds of a core, such as searches: half as many at once as the machine has cores, at least
 * two. More of them would each take longer, and take from everything else.
 */
export const inTurns = (): LimitFunction => pLimit(Math.max(2, Math.floor(availableParallelism() / 2)));
