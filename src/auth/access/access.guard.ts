import { type ExecutionContext, ForbiddenException, Injectable, UnauthorizedException } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Caller } from '../../caller/caller.js';
import type { Request } from '../../http/request.js';
import { ACCESS, type Access } from './access.js';

const BEARER = /^Bearer [A-Za-z0-9._~+/-]+=*$/i;

/** The dual-auth guard of every route: API key or session, then scope or role. What is not declared is refused. */
@Injectable()
export class AccessGuard extends AuthGuard('bearer') {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (!access) throw new ForbiddenException();
    if (access.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<Request>();
    // passport-http-bearer would also take `access_token` from the query or the body, and answers 400 to a malformed header.
    if (!BEARER.test(request.headers.authorization ?? '') || hasAccessToken(request.query)) throw new UnauthorizedException();
    await super.canActivate(context);
    if (!permits(access, request.caller!)) throw new ForbiddenException();
    return true;
  }

  override getAuthenticateOptions(): { session: false; property: string } {
    return { session: false, property: 'caller' };
  }

  override handleRequest<T>(error: Error | null, caller: T | false): T {
    if (error) throw error;
    if (!caller) throw new UnauthorizedException();
    return caller;
  }
}

const hasAccessToken = (query: unknown): boolean => typeof query === 'object' && query !== null && 'access_token' in query;

function permits(access: Exclude<Access, { kind: 'public' }>, caller: Caller): boolean {
  if (access.kind === 'any') return true;
  if (caller.kind === 'member') return access.roles.includes(caller.role);
  return caller.kind === 'apiKey' && access.kind === 'scope' && caller.scopes.includes(access.scope);
}
