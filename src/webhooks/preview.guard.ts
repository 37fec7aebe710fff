import { type CanActivate, type ExecutionContext, ForbiddenException, Injectable } from "@nestjs/common";
import { Database } from "../platform/database/database.js";
import { coded } from "../platform/http/error-codes.js";
import type { Request } from "../platform/http/request.js";
import { PREVIEW } from "./endpoints.queries.js";

/** Webhooks are a preview, which each side of a tenant turns on by itself. */
@Injectable()
export class PreviewGuard implements CanActivate {
  constructor(private readonly db: Database) {}

  /** @throws ForbiddenException */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { caller } = context.switchToHttp().getRequest<Request>();
    if (!caller || !(await this.db.read(caller, PREVIEW, {})).parse().on)
      throw coded(new ForbiddenException(), "webhooks-off", "turn on webhooksPreview: PATCH /api/tenant");
    return true;
  }
}
