import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import type { Caller } from "../caller/caller.js";
import type { Sender } from "../caller/request-context.js";

/** The request with the data that the layers add to it. */
export interface Request extends FastifyRequest {
  /** Set by the guard on every route that is not public. */
  caller?: Caller;
  /** The body's bytes, for signatures. */
  rawBody?: Buffer;
}

const MAX_USER_AGENT = 300;

/** Where the request came from. Behind a trusted proxy this is the client's address, not the proxy's. */
export function senderOf({ ip, headers }: Request): Sender {
  const [plain = ""] = ip.split("%", 1);
  return {
    address: ipaddr.isValid(plain) ? ipaddr.process(plain).toString() : plain,
    userAgent: headers["user-agent"]?.slice(0, MAX_USER_AGENT) ?? null,
  };
}
