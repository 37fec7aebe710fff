import { type ExecutionContext, Injectable, SetMetadata } from "@nestjs/common";
import { Reflector } from "@nestjs/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../platform/caller/caller.js";
import { type Question, requestOf } from "../../platform/caller/request-context.js";
import type { Scope } from "../../platform/caller/scope.js";
import { Database } from "../../platform/database/database.js";
import { sendUnchanged } from "../../platform/http/json-adapter.js";
import type { Request } from "../../platform/http/request.js";
import { hashApiKey } from "../api-keys/api-key.js";
import { ApiKeyVerifier } from "../api-keys/api-key.verifier.js";
import { bearerToken } from "./bearer-token.js";

const ONE_READ = "parley:one-read";

/**
 * The route's answer is one polled read of what the path and the query ask for. Nothing else has a part in it: no second read,
 * no other header, no clock. A poll of such a route that was answered 304 is known; see `KnownPolls`.
 */
export const OneRead = (): MethodDecorator => SetMetadata(ONE_READ, true);

/** How many polls are known. */
const MAX_POLLS = 5_000;
/** Longer addresses are not kept, so that they cannot fill the memory. */
const MAX_URL = 600;

interface Poll {
  /** Each look-up of a key makes an array of its own, so the array tells whether the key is still the one that was checked. */
  scopes: readonly Scope[];
  question: Question;
}

/**
 * Answers a poll that is asked again before its handler: the guard, the validation and the service have let the same key have
 * the same answer to the same address, and would find the same again until the key is looked up anew. What can differ is
 * checked each time: that the key is neither revoked nor expired, and that nothing changed in what the answer shows.
 *
 * A poll costs half as much this way. Sessions take the usual way: their tokens end, and members' roles and assignments are more to compare.
 */
@Injectable()
export class KnownPolls {
  private readonly polls = new Map<string, Poll>();

  constructor(
    private readonly reflector: Reflector,
    private readonly keys: ApiKeyVerifier,
    private readonly db: Database,
  ) {}

  /** Before the handler, and behind everything that applies to all requests, such as the rate limit. */
  readonly hook = (request: FastifyRequest, reply: FastifyReply, next: () => void): void => {
    const { method, url, headers } = request.raw;
    const etag = headers["if-none-match"];
    if (etag !== undefined && method === "GET" && this.isUnchanged(headers.authorization, url!, etag))
      void sendUnchanged(reply, etag);
    else next();
  };

  private isUnchanged(authorization: string | undefined, url: string, etag: string): boolean {
    const token = bearerToken(authorization);
    const key = token === undefined ? undefined : this.keys.known(token);
    const poll = key && this.polls.get(nameOf(key.hash, url));
    return poll !== undefined && poll.scopes === key!.scopes && this.db.etagOf(poll.question) === etag;
  }

  /** Remembers the poll if it is answered 304. The guard has let the caller pass. */
  watch(context: ExecutionContext, { method, url }: Request, token: string, caller: Caller): void {
    if (caller.kind !== "apiKey" || method !== "GET" || url.length > MAX_URL) return;
    if (!this.reflector.get<true | undefined>(ONE_READ, context.getHandler())) return;
    const { scopes } = caller;
    requestOf(caller)!.onUnchanged = (question) => {
      if (this.polls.size >= MAX_POLLS) this.polls.clear();
      this.polls.set(nameOf(hashApiKey(token), url), { scopes, question });
    };
  }
}

const nameOf = (hash: string, url: string): string => `${hash} ${url}`;
