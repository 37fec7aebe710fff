import { Injectable } from "@nestjs/common";
import type { Caller } from "../platform/caller/caller.js";
import type { Request } from "../platform/http/request.js";
import { ApiKeyVerifier } from "./api-keys/api-key.verifier.js";
import { SessionVerifier } from "./sessions/session.verifier.js";

/** From a bearer token to a caller. The prefix of the token tells API keys from sessions. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly keys: ApiKeyVerifier,
    private readonly sessions: SessionVerifier,
  ) {}

  authenticate(token: string, request: Request): Promise<Caller | null> {
    if (token.startsWith("svc_")) return this.keys.verify(token);
    return this.sessions.verify(token, request.headers["x-environment"] === "test" ? "test" : "live");
  }
}
