import { ForbiddenException, Injectable, NotFoundException } from "@nestjs/common";
import type { ApiKeyCaller, MemberCaller, SystemCaller } from "../platform/caller/caller.js";
import { rolesFor, type Scope } from "../platform/caller/scope.js";
import { Database } from "../platform/database/database.js";
import { GET_API_KEY_CREDENTIAL } from "./api-keys/api-keys.queries.js";
import { reachOf as reachOfKey } from "./api-keys/api-key.verifier.js";
import { reachOf as reachOfMember } from "./sessions/session.verifier.js";
import { GET_MEMBER_CREDENTIAL } from "./sessions/sessions.queries.js";

/** Members and API keys as callers, for work that goes on after their request. */
@Injectable()
export class CurrentCallers {
  constructor(private readonly db: Database) {}

  /**
   * The member or key with the access that it has now.
   * With a member's `sessionId`, only while that session lasts.
   * @throws ForbiddenException: it was removed, deactivated, revoked or has expired, or may not do this any more
   */
  async withScope(
    scope: Scope,
    { kind, id, sessionId = null }: { kind: "member" | "apiKey"; id: string; sessionId?: string | null },
    system: SystemCaller,
  ): Promise<MemberCaller | ApiKeyCaller> {
    const caller = await (kind === "member" ? this.member(id, sessionId, system) : this.apiKey(id, system)).catch(
      (error: unknown) => {
        if (error instanceof NotFoundException) return null;
        throw error;
      },
    );
    const may = caller?.kind === "member" ? rolesFor(scope).includes(caller.role) : caller?.scopes.includes(scope);
    if (!caller || !may) throw new ForbiddenException("Whoever asked for this may no longer do it");
    return caller;
  }

  private async member(memberId: string, sessionId: string | null, system: SystemCaller): Promise<MemberCaller> {
    const found = (await this.db.read(system, GET_MEMBER_CREDENTIAL, { memberId, sessionId })).parse();
    const { tenantId, environment } = system;
    const { organisationId, role, lacksSecondFactor } = found;
    const reach = reachOfMember(found);
    if (lacksSecondFactor) throw new ForbiddenException("Whoever asked for this needs a second factor first");
    return {
      kind: "member",
      memberId,
      organisationId,
      tenantId,
      environment,
      role,
      reach,
      signedInRecently: false,
      lacksSecondFactor,
    };
  }

  private async apiKey(id: string, system: SystemCaller): Promise<ApiKeyCaller> {
    const found = (await this.db.read(system, GET_API_KEY_CREDENTIAL, { id })).parse();
    const { tenantId, environment } = system;
    const { name, scopes } = found;
    return { kind: "apiKey", keyId: id, keyName: name, tenantId, environment, scopes, reach: reachOfKey(found) };
  }
}
