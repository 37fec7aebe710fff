import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from "@nestjs/common";
import { ApiExtension } from "@nestjs/swagger";
import type { Caller, MemberCaller } from "../../platform/caller/caller.js";
import { ADMINS, DESK, type Role, ROLES, rolesFor, type Scope } from "../../platform/caller/scope.js";
import type { Request } from "../../platform/http/request.js";

/** Who may use a route. Each route declares exactly one of these; Parley does not start if a route declares none. */
export type Access =
  | { kind: "scope"; scope: Scope; roles: readonly Role[] }
  | { kind: "members"; roles: readonly Role[] }
  | { kind: "any read"; roles: readonly Role[] }
  | { kind: "any" }
  | { kind: "public"; why: string };

export const ACCESS = "parley:access";

/**
 * An API key with this scope, or a session of a member with one of these roles. Members have roles, not scopes.
 * @param roles by default those of the scope, see `rolesFor`
 */
export const RequireScope = (scope: Scope, roles: readonly Role[] = rolesFor(scope)): MethodDecorator =>
  applyDecorators(
    declare({ kind: "scope", scope, roles }),
    ApiExtension("x-access", "scope"),
    ApiExtension("x-roles", roles),
    ApiExtension("x-required-scope", scope),
  );

/** A dashboard session of any role, never an API key. */
export const MembersOnly = (): MethodDecorator =>
  applyDecorators(declare({ kind: "members", roles: ROLES }), ApiExtension("x-access", "members"));

/** A dashboard session of any role that reads conversations, never an API key. */
export const ReadersOnly = (): MethodDecorator =>
  applyDecorators(
    declare({ kind: "members", roles: rolesFor("conversations:read") }),
    ApiExtension("x-access", "members"),
    ApiExtension("x-roles", rolesFor("conversations:read")),
  );

/** A dashboard session of an owner, admin or agent, never an API key. */
export const DeskMembersOnly = (): MethodDecorator =>
  applyDecorators(
    declare({ kind: "members", roles: DESK }),
    ApiExtension("x-access", "members"),
    ApiExtension("x-roles", DESK),
  );

/** A dashboard session of an owner or admin, never an API key. */
export const AdminsOnly = (): MethodDecorator =>
  applyDecorators(
    declare({ kind: "members", roles: ADMINS }),
    ApiExtension("x-access", "admins"),
    ApiExtension("x-roles", ADMINS),
  );

/** An API key with at least one scope that reads, or a session of a member who reads conversations. */
export const RequireAnyReadScope = (): MethodDecorator =>
  applyDecorators(
    declare({ kind: "any read", roles: rolesFor("conversations:read") }),
    ApiExtension("x-access", "any"),
    ApiExtension("x-roles", rolesFor("conversations:read")),
    ApiExtension("x-any-read-scope", true),
  );

/** Any API key and any dashboard session. */
export const AnyCaller = (): MethodDecorator =>
  applyDecorators(declare({ kind: "any" }), ApiExtension("x-access", "any"));

/** No API key and no session is needed. A route with a credential of its own checks it itself. */
export const Public = (why: string): MethodDecorator =>
  applyDecorators(declare({ kind: "public", why }), ApiExtension("x-access", "public"));

export const RECENT_SIGN_IN = "parley:recent-sign-in";

/**
 * A session may use this route only a short time after signing in (a setting of the tenant). Later the answer is 403
 * `Sign in again`. A token that was stolen, or a computer that was left alone, is not enough then. API keys are not asked.
 */
export const RecentSignIn = (): MethodDecorator =>
  applyDecorators(SetMetadata(RECENT_SIGN_IN, true), ApiExtension("x-requires-recent-sign-in", true));

export const BEFORE_SECOND_FACTOR = "parley:before-second-factor";

/** Members without a second factor may use this route even if their tenant requires one. They need it to set one up. */
export const BeforeSecondFactor = (): MethodDecorator => SetMetadata(BEFORE_SECOND_FACTOR, true);

const declare = (access: Access): MethodDecorator => SetMetadata(ACCESS, access);

/** The authenticated caller of a route that is not public. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (!caller) throw new Error("a public route has no caller");
  return caller;
});

/** The signed-in member of a route that is for members only. */
export const CurrentMember = createParamDecorator((_: unknown, context: ExecutionContext): MemberCaller => {
  const { caller } = context.switchToHttp().getRequest<Request>();
  if (caller?.kind !== "member") throw new Error("the route is not for members only");
  return caller;
});
