import { Injectable } from "@nestjs/common";
import { type Environment, system } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { Reservations } from "../../platform/database/reservations.js";
import { BIND_IDENTITY } from "../members/member-emails.queries.js";
import { SecurityLogService } from "../security-log/security-log.service.js";
import type { VerifiedToken } from "./external-issuer.js";
import { findMembers } from "./find-members.js";
import { type Candidate, FIND_MEMBER_BY_IDENTITY, HOLDS_IDENTITY } from "./sessions.queries.js";

/** From an account at the external issuer to its member. */
@Injectable()
export class ExternalMembers {
  constructor(
    private readonly db: Database,
    private readonly security: SecurityLogService,
    private readonly reservations: Reservations,
  ) {}

  /**
   * The account is known by issuer and subject. At its first sign-in it is bound to the member who has proven the email that
   * the issuer vouches for; from then on the email of its tokens does not matter.
   */
  async find({ issuer, subject, email }: VerifiedToken, environment: Environment): Promise<Candidate | null> {
    const account = { issuer, subject, environment };
    const [bound] = await this.db.lookUp(FIND_MEMBER_BY_IDENTITY, account, tenantOf);
    if (bound || email === null) return bound ?? null;
    const [member] = await findMembers(this.db, email, environment);
    if (!member?.proven) return null;
    const isFree = await this.reservations.reserve({
      kind: "identity",
      value: `${issuer} ${subject}`,
      organisationId: member.organisationId,
      isHeldBy: async (holder) =>
        (await this.db.globalOf(holder, HOLDS_IDENTITY, { organisationId: holder, issuer, subject })).length > 0,
    });
    if (!isFree) return null;
    await this.db.transaction(system("external sign-in", member.organisationId, "live"), async (tx) => {
      const [made] = await tx.query(BIND_IDENTITY, { issuer, subject, email });
      if (!made) return tx.changesNothingVisible();
      await this.security.record(tx, { type: "external_identity_bound", ...made, actorId: made.memberId });
    });
    // Of simultaneous first sign-ins one binds, and all find what it bound.
    const [found] = await this.db.lookUp(FIND_MEMBER_BY_IDENTITY, account, tenantOf);
    return found ?? null;
  }
}

const tenantOf = ({ tenantId }: Candidate): string => tenantId;
