import type { FastifyRequest } from "fastify";
import type { Caller } from "../caller/caller.js";

/** The request with the data that the layers add to it. */
export interface Request extends FastifyRequest {
  /** Set by the guard on every route that is not public. */
  caller?: Caller;
  /** The body's bytes, for signatures. */
  rawBody?: Buffer;
}
