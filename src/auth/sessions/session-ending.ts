import { Injectable } from "@nestjs/common";
import { type FindOperator, IsNull, Raw } from "typeorm";
import type { Tx } from "../../platform/database/transaction.js";
import { MemberSessionEntity } from "../members/member.entity.js";
import { SecurityLogService } from "../security-log/security-log.service.js";

const ALIVE = { endedAt: IsNull(), expiresAt: Raw((column) => `${column} > now()`) };

/** Ends sessions within a transaction. Every process refuses their tokens within a second of the commit. */
@Injectable()
export class SessionEnding {
  constructor(private readonly security: SecurityLogService) {}

  /** @returns how many of the member's sessions were ended: all, or those that `which` names */
  async endSessions(tx: Tx, memberId: string, which: { id?: string | FindOperator<string> } = {}): Promise<number> {
    const ended = await tx.updateReturning(
      MemberSessionEntity,
      { memberId, ...which, ...ALIVE },
      { endedAt: () => "now()" },
      ["id"],
    );
    for (const { id: sessionId } of ended)
      await this.security.record(tx, { type: "session_ended", memberId, detail: { sessionId } });
    return ended.length;
  }
}
