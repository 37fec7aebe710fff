import pg, { type Pool } from "pg";
import type { Config } from "../../config/config.js";
import { AnswerClient } from "./answer-client.js";
import { AnswerQueue } from "./answer-queue.js";
import type { Reads } from "./answer-read.js";
import { PlainReads } from "./plain-reads.js";

/** `parley`: the client and the queue of this folder. `pg`: only what `pg` documents. The answers are the same. */
export type ReadEngine = Config["READ_ENGINE"];

/** The class of a pool's clients. */
export const clientOf = (engine: ReadEngine): typeof pg.Client => (engine === "parley" ? AnswerClient : pg.Client);

/** @param pool with clients of `clientOf(engine)` */
export const readsOf = (engine: ReadEngine, pool: Pool): Reads =>
  engine === "parley" ? new AnswerQueue(pool) : new PlainReads(pool);
