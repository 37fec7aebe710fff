import { BadRequestException, Injectable } from "@nestjs/common";
import { type Caller, ENVIRONMENTS } from "../platform/caller/caller.js";
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

  /** @throws BadRequestException: `X-Environment` is not the side of the token. Ignored, it would let somebody change the live side by mistake. */
  async authenticate(token: string, request: Request): Promise<Caller | null> {
    const named = request.headers["x-environment"];
    const caller = token.startsWith("svc_")
      ? await this.keys.verify(token)
      : await this.sessions.verify(token, named === "test" ? "test" : "live");
    if (!caller || named === undefined || named === caller.environment) return caller;
    const other = ENVIRONMENTS.find((environment) => environment === named);
    if (!other) throw new BadRequestException("X-Environment must be live or test");
    throw new BadRequestException(`X-Environment is ${other}, but the token is for ${caller.environment}`);
  }
}
