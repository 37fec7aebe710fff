import { Injectable } from "@nestjs/common";
import { type FindOperator, IsNull, Raw } from "typeorm";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { MemberSessionEntity } from "../members/member.entity.js";
import { SecurityLogService } from "../security-log/security-log.service.js";

const OPEN = { endedAt: IsNull() };
const ALIVE = { ...OPEN, expiresAt: Raw((column) => `${column} > now()`) };

/**
 * All sessions of a member end, or all but one. What a token of an external issuer has left behind, which has no session, is to end
 * as well.
 */
export class SessionsEnded {
  constructor(readonly memberId: string) {}
}

/** Ends sessions within a transaction. Every process refuses their tokens within a second of the commit. */
@Injectable()
export class SessionEnding {
  constructor(
    private readonly security: SecurityLogService,
    private readonly events: DomainEvents,
  ) {}

  /**
   * Those that have only expired end, too: their browsers go on showing notices until then.
   * @returns how many of the member's sessions were ended before they expired: of all, or of those that `which` names
   */
  async endSessions(tx: Tx, memberId: string, which: { id?: string | FindOperator<string> } = {}): Promise<number> {
    const ended = await tx.updateReturning(
      MemberSessionEntity,
      { memberId, ...which, ...ALIVE },
      { endedAt: () => "now()" },
      ["id"],
    );
    await tx.update(MemberSessionEntity, { memberId, ...which, ...OPEN }, { endedAt: () => "now()" });
    for (const { id: sessionId } of ended)
      await this.security.record(tx, { type: "session_ended", memberId, detail: { sessionId } });
    if (typeof which.id !== "string") await this.events.publish(tx, new SessionsEnded(memberId));
    return ended.length;
  }
}
