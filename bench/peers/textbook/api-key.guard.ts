import { createHash } from "node:crypto";
import {
  type CanActivate,
  type ExecutionContext,
  ForbiddenException,
  Injectable,
  SetMetadata,
  UnauthorizedException,
  createParamDecorator,
} from "@nestjs/common";
import { Reflector } from "@nestjs/core";
import { InjectRepository } from "@nestjs/typeorm";
import { Repository } from "typeorm";
import { type ApiKey, ApiKeyLookup } from "./api-key.entity.js";

interface KeyedRequest {
  headers: { authorization?: string };
  apiKey: ApiKey;
}

export const RequireScope = (scope: string) => SetMetadata("scope", scope);

export const CurrentKey = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<KeyedRequest>().apiKey,
);

/** Looks the key up by its hash, at every request. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    @InjectRepository(ApiKeyLookup) private readonly lookups: Repository<ApiKeyLookup>,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<KeyedRequest>();
    const [scheme, raw] = request.headers.authorization?.split(" ") ?? [];
    if (scheme !== "Bearer" || !raw) throw new UnauthorizedException();
    const found = await this.lookups
      .createQueryBuilder("lookup")
      .innerJoinAndSelect("lookup.apiKey", "key")
      .where("lookup.hash = :hash", { hash: createHash("sha256").update(raw).digest() })
      .getOne();
    if (!found) throw new UnauthorizedException();
    const { apiKey } = found;
    if (apiKey.revokedAt || (apiKey.expiresAt && apiKey.expiresAt <= new Date())) throw new UnauthorizedException();
    const scope = this.reflector.get<string | undefined>("scope", context.getHandler());
    if (scope && !apiKey.scopes.includes(scope)) throw new ForbiddenException();
    request.apiKey = apiKey;
    return true;
  }
}
