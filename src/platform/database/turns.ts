import { availableParallelism } from "node:os";
import pLimit, { type LimitFunction } from "p-limit";

/**
 * A queue for statements that each use milliseconds of CPU, such as searches. It runs half as many at the same time
 * as the machine has cores, and at least two. More would make each one slower and take CPU from everything else.
 */
export const inTurns = (): LimitFunction => pLimit(Math.max(2, Math.floor(availableParallelism() / 2)));
