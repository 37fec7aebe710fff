import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  UnauthorizedException,
} from "@nestjs/common";
import { Reflector } from "@nestjs/core";
import type { Caller, MemberCaller } from "../../platform/caller/caller.js";
import { beginRequest } from "../../platform/caller/request-context.js";
import { coded } from "../../platform/http/error-codes.js";
import { ForbiddenUntil } from "../../platform/http/errors.js";
import { operationOf } from "../../platform/http/operation-id.js";
import { type Request, senderOf } from "../../platform/http/request.js";
import { ACCESS, type Access, BEFORE_SECOND_FACTOR, RECENT_SIGN_IN } from "./access.js";
import { roleMissing } from "./role-missing.js";
import { bearerToken } from "./bearer-token.js";
import { BearerStrategy } from "./bearer.strategy.js";
import { KnownPolls } from "./known-polls.js";

/**
 * The guard of every route. It finds the caller by API key or session, then checks the scope or role. A route that
 * declares no access is refused.
 *
 * It calls the bearer strategy directly, not through passport: passport costs as much time as the rest of the guard, also
 * accepts `access_token` in the query and the body, and answers 400 to a malformed header.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly bearer: BearerStrategy,
    private readonly polls: KnownPolls,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (!access) throw new ForbiddenException();
    if (access.kind === "public") return true;
    const request = context.switchToHttp().getRequest<Request>();
    const token = bearerToken(request.headers.authorization);
    const caller =
      token !== undefined && !hasAccessToken(request.query) && (await this.bearer.validate(request, token));
    if (!caller) throw new UnauthorizedException();
    if (!permits(access, caller)) throw refusal(access, caller);
    if (caller.kind === "member") this.assertSignIn(context, caller);
    request.caller = beginRequest(
      caller,
      () => operationOf(context.getClass(), context.getHandler()),
      () => senderOf(request),
    );
    if (request.headers["if-none-match"] !== undefined) this.polls.watch(context, request, token, caller);
    return true;
  }

  /** What a route asks of the session itself, beside the role. */
  private assertSignIn(context: ExecutionContext, caller: MemberCaller): void {
    const mayLackSecondFactor = this.reflector.get<boolean | undefined>(BEFORE_SECOND_FACTOR, context.getHandler());
    if (caller.lacksSecondFactor && !mayLackSecondFactor)
      throw coded(new ForbiddenUntil("Set up a second factor first"), "second-factor-missing");
    const needsRecent = this.reflector.get<boolean | undefined>(RECENT_SIGN_IN, context.getHandler());
    if (needsRecent && !caller.signedInRecently) throw coded(new ForbiddenUntil("Sign in again"), "sign-in-again");
  }
}

const hasAccessToken = (query: unknown): boolean =>
  typeof query === "object" && query !== null && "access_token" in query;

type Gated = Exclude<Access, { kind: "public" }>;

/** The scope check. */
function permits(access: Gated, caller: Caller): boolean {
  if (access.kind === "any") return true;
  if (caller.kind === "member") return access.roles.includes(caller.role);
  if (access.kind === "any read")
    return caller.kind === "apiKey" && caller.scopes.some((scope) => scope.endsWith(":read"));
  return caller.kind === "apiKey" && access.kind === "scope" && caller.scopes.includes(access.scope);
}

/** Says what is missing. It concerns the route alone, so it tells nothing of what exists. */
function refusal(access: Gated, caller: Caller): ForbiddenException {
  if (caller.kind !== "apiKey") return access.kind === "any" ? new ForbiddenException() : roleMissing(access.roles);
  switch (access.kind) {
    case "scope":
      return coded(new ForbiddenException(), "scope-missing", `needs ${access.scope}`);
    case "any read":
      return coded(new ForbiddenException(), "scope-missing", "needs a scope that ends in :read");
    default:
      return coded(new ForbiddenException(), "members-only", "takes a member's session");
  }
}
