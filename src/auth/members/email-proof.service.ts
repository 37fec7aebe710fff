import { ConflictException, Injectable } from "@nestjs/common";
import { type MemberCaller, system } from "../../platform/caller/caller.js";
import { beginRequest, type Sender } from "../../platform/caller/request-context.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { Reservations } from "../../platform/database/reservations.js";
import type { Tx } from "../../platform/database/transaction.js";
import { RetryLater } from "../../platform/http/errors.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import { SecurityLogService } from "../security-log/security-log.service.js";
import { readOpaqueToken } from "../sessions/session-tokens.js";
import { HOLDS_EMAIL, LOCK_ADDRESS, PROVE_EMAIL } from "./member-emails.queries.js";
import { MemberLinksService } from "./member-links.service.js";

/** Members prove their email by a link that is mailed to it. */
@Injectable()
export class EmailProofService {
  constructor(
    private readonly db: Database,
    private readonly links: MemberLinksService,
    private readonly outbox: OutboxService,
    private readonly security: SecurityLogService,
    private readonly config: Config,
    private readonly reservations: Reservations,
  ) {}

  /**
   * @throws ConflictException: it is proven already, or this is the test side, whose captured mail admins can read
   * @throws RetryLater: three links were mailed within the hour
   */
  async send(caller: MemberCaller): Promise<Json<Ok>> {
    const { memberId, organisationId } = caller;
    if (caller.environment !== "live")
      throw new ConflictException("Sign in on the live side: admins can read the mail of the test side");
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const [member] = await tx.query(LOCK_ADDRESS, { memberId });
      if (!member || member.proven) throw new ConflictException("Your email is proven already");
      const token = await this.links.make(tx, organisationId, memberId, "email_proof");
      if (!token) throw new RetryLater("Three links were mailed within the hour; wait before the next", 3_600);
      await this.outbox.mail(tx, {
        to: member.email,
        subject: "Confirm your email for Parley",
        // Browsers do not send what follows the # to a server. The dashboard reads it there.
        body: `Hello ${member.name},\n\nconfirm that this address is yours, within a day:\n\n${this.config.publicUrl}/email-proof#${token}\n\nWithout a dashboard, send the token yourself:\n\ncurl -X POST ${this.config.publicUrl}/api/auth/email-proof -H 'Content-Type: application/json' -d '{"token":"${token}"}'\n\nIf you do not know Parley, ignore this mail.\n`,
      });
      return ok();
    });
  }

  /**
   * @returns false if the token is unknown, used, replaced or expired
   * @throws ConflictException: another member has proven the email
   */
  async redeem(token: string, sender: Sender): Promise<boolean> {
    const secret = readOpaqueToken(token);
    if (!secret) return false;
    const { organisationId } = secret;
    const caller = beginRequest(system("email proof", organisationId, "live"), "auth.proveEmail", sender);
    return this.db.transaction(caller, async (tx) => {
      const memberId = await this.links.redeem(tx, secret, "email_proof");
      if (memberId === null) return false;
      await this.prove(tx, organisationId, memberId);
      return true;
    });
  }

  /** @returns false if an organisation on another server has proven the email. With `reserve`, none will. */
  isFree(organisationId: string, email: string, reserve = false): Promise<boolean> {
    const isHeldBy = async (holder: string): Promise<boolean> =>
      (await this.db.globalOf(holder, HOLDS_EMAIL, { organisationId: holder, email })).length > 0;
    const wanted = { kind: "proven email", value: email, organisationId, isHeldBy } as const;
    return reserve ? this.reservations.reserve(wanted) : this.reservations.isFree(wanted);
  }

  /** The member followed a link that was mailed to the email. @throws ConflictException: another member has proven it */
  async prove(tx: Tx, organisationId: string, memberId: string): Promise<void> {
    if (this.db.isSpread) {
      const [address] = await tx.query(LOCK_ADDRESS, { memberId });
      if (address && !(await this.isFree(organisationId, address.email, true)))
        throw new ConflictException("A member with this email exists already");
    }
    const [proven] = await tx.query(PROVE_EMAIL, { organisationId, memberId });
    if (!proven) throw new ConflictException("A member with this email exists already");
    if (proven.first) await this.security.record(tx, { type: "email_proven", memberId, actorId: memberId });
  }
}
