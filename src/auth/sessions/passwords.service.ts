import { hash } from "node:crypto";
import { ConflictException, Injectable, UnauthorizedException } from "@nestjs/common";
import { type FindOperator, IsNull, Not } from "typeorm";
import { type MemberCaller, system } from "../../platform/caller/caller.js";
import { beginRequest, requestOf, type Sender } from "../../platform/caller/request-context.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { clientOf } from "../../platform/http/rate-limit.js";
import { Afterwards } from "../../platform/jobs/afterwards.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import { onLiveSide } from "../members/live-side.js";
import { MemberEntity } from "../members/member.entity.js";
import { LOCK_ADDRESS, type MemberAddress } from "../members/member-emails.queries.js";
import { MemberLinksService } from "../members/member-links.service.js";
import { PendingSignInEntity } from "../second-factors/second-factor.entity.js";
import { SecurityLogService } from "../security-log/security-log.service.js";
import { assertGoodPassword } from "./password-rules.js";
import { hashPassword, verifyPassword } from "./password.js";
import { SessionEnding } from "./session-ending.js";
import { readOpaqueToken } from "./session-tokens.js";
import { findMembers } from "./find-members.js";
import { SignInLimits } from "./sign-in-limits.js";
import { COUNT_FAILURE } from "./sign-in-limits.queries.js";

/** Resets that one client address can ask for in 15 minutes. More are not carried out, and the answer does not tell. */
const MAX_RESETS_OF_ADDRESS = 20;

/** Changes and resets passwords. The second factor stays: a new password alone does not sign anybody in who has one. */
@Injectable()
export class PasswordsService {
  constructor(
    private readonly db: Database,
    private readonly limits: SignInLimits,
    private readonly links: MemberLinksService,
    private readonly sessions: SessionEnding,
    private readonly security: SecurityLogService,
    private readonly outbox: OutboxService,
    private readonly afterwards: Afterwards,
    private readonly config: Config,
  ) {}

  /**
   * Changes the caller's own password, and ends the member's other sessions.
   * @throws UnauthorizedException: the current password is wrong
   * @throws ConflictException: an external issuer signed the member in, or the member has no password
   * @throws BadRequestException: the new password is easy to guess
   * @throws RetryLater: too many passwords were wrong
   */
  async change(caller: MemberCaller, currentPassword: string, newPassword: string): Promise<Json<Ok>> {
    const { memberId, sessionId, environment } = caller;
    if (sessionId === undefined) throw new ConflictException("Your sign-in provider keeps your password");
    const sender = requestOf(caller)!.sender!;
    const live = onLiveSide(caller);
    const [member] = await this.db.transaction(live, (tx) => {
      tx.changesNothingVisible();
      return tx.query(LOCK_ADDRESS, { memberId });
    });
    if (!member) throw new UnauthorizedException();
    if (member.passwordHash === null) throw new ConflictException("You have no password: ask for a reset to set one");
    const attempt = { email: member.email, environment, sender };
    await this.limits.count(attempt);
    if (!(await verifyPassword(member.passwordHash, currentPassword))) {
      this.limits.failed(attempt);
      throw new UnauthorizedException();
    }
    await this.limits.forget(attempt);
    await assertGoodPassword(newPassword, member);
    const passwordHash = await hashPassword(newPassword);
    return this.db.transaction(live, async (tx) => {
      // The password that was proven must still be the one that is replaced.
      const changed = await tx.update(
        MemberEntity,
        { id: memberId, passwordHash: member.passwordHash!, removedAt: IsNull(), deactivatedAt: IsNull() },
        { passwordHash, updatedAt: () => "now()" },
      );
      if (!changed) throw new UnauthorizedException();
      await this.endSignIns(tx, memberId, { id: Not(sessionId) });
      await this.security.record(tx, { type: "password_changed", memberId });
      await this.notify(tx, member, "changed");
      return ok();
    });
  }

  /** Mails a link to whoever has proven this email. Neither the answer nor its time tells whether somebody has. */
  requestReset(email: string, sender: Sender): void {
    this.afterwards.do(async () => {
      const account = hash("sha256", `resets ${clientOf(sender.address)}`);
      const [counted] = await this.db.global(COUNT_FAILURE, { account });
      if (counted!.attempts > MAX_RESETS_OF_ADDRESS) return;
      const [member] = await findMembers(this.db, email, "live");
      if (!member?.proven) return;
      const { organisationId, memberId } = member;
      const caller = beginRequest(
        system("password reset", organisationId, "live"),
        "auth.requestPasswordReset",
        sender,
      );
      await this.db.transaction(caller, async (tx) => {
        tx.changesNothingVisible();
        const [address] = await tx.query(LOCK_ADDRESS, { memberId });
        if (!address?.proven) return;
        const token = await this.links.make(tx, organisationId, memberId, "password_reset");
        if (!token) return;
        await this.security.record(tx, { type: "password_reset_requested", memberId });
        await this.outbox.mail(tx, {
          to: address.email,
          subject: "Set a new password for Parley",
          // Browsers do not send what follows the # to a server. The dashboard reads it there.
          body: `Hello ${address.name},\n\nset a new password here within 30 minutes:\n\n${this.config.publicUrl}/password-reset#${token}\n\nWithout a dashboard, send the token yourself:\n\ncurl -X POST ${this.config.publicUrl}/api/auth/password -H 'Content-Type: application/json' -d '{"token":"${token}","password":"…"}'\n\nIf you did not ask for this, ignore this mail. Your password stays as it is.\n`,
        });
      });
    });
  }

  /**
   * Sets a new password with the token of a mailed link, and ends all sessions of the member.
   * @returns false if the token is unknown, used, replaced or expired
   * @throws BadRequestException: the new password is easy to guess; the link can be used again
   */
  async reset(token: string, password: string, sender: Sender): Promise<boolean> {
    const secret = readOpaqueToken(token);
    if (!secret) return false;
    const passwordHash = await hashPassword(password);
    const caller = beginRequest(system("password reset", secret.organisationId, "live"), "auth.setPassword", sender);
    return this.db.transaction(caller, async (tx) => {
      const memberId = await this.links.redeem(tx, secret, "password_reset");
      const [member] = memberId === null ? [] : await tx.query(LOCK_ADDRESS, { memberId });
      if (!member || memberId === null) return false;
      await assertGoodPassword(password, member);
      await tx.update(MemberEntity, { id: memberId }, { passwordHash, updatedAt: () => "now()" });
      await this.endSignIns(tx, memberId);
      await this.security.record(tx, { type: "password_reset", memberId, actorId: memberId });
      await this.notify(tx, member, "set with a link that was mailed to you");
      return true;
    });
  }

  /** The transaction holds the lock of the member's row, which sign-ins wait for. */
  private async endSignIns(tx: Tx, memberId: string, which?: { id: FindOperator<string> }): Promise<void> {
    await this.sessions.endSessions(tx, memberId, which);
    await tx.delete(PendingSignInEntity, { memberId });
  }

  /** Only to an address that is proven: another one may be a stranger's. */
  private async notify(tx: Tx, { email, name, proven }: MemberAddress, how: string): Promise<void> {
    if (!proven) return;
    await this.outbox.mail(tx, {
      to: email,
      subject: "Your password for Parley was changed",
      body: `Hello ${name},\n\nyour password was ${how}. Your other sessions have ended.\n\nIf it was not you, set a new password now and tell an admin.\n`,
    });
  }
}
