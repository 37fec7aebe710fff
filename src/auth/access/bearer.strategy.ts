import { Injectable } from "@nestjs/common";
import { PassportStrategy } from "@nestjs/passport";
import { Strategy } from "passport-http-bearer";
import type { Caller } from "../../platform/caller/caller.js";
import type { Request } from "../../platform/http/request.js";
import { Authenticator } from "../authenticator.js";

/** `Authorization: Bearer <API key or session token>`. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, "bearer") {
  constructor(private readonly authenticator: Authenticator) {
    super({ passReqToCallback: true });
  }

  async validate(request: Request, token: string): Promise<Caller | false> {
    return (await this.authenticator.authenticate(token, request)) ?? false;
  }
}
