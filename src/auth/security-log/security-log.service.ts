import { Injectable, Logger } from "@nestjs/common";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { requestOf, type Sender } from "../../platform/caller/request-context.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { Json, Page } from "../../platform/http/json.js";
import { ROUTINE, type SecurityEventDetail, type SecurityEventType } from "./security-event.js";
import type { ListSecurityLogDto, SecurityEventDto } from "./security-log.dto.js";
import { listSecurityLog, RECORD_SECURITY_EVENT } from "./security-log.queries.js";

export interface SecurityEvent {
  type: SecurityEventType;
  /** Whom the event is about, if it is about a member. */
  memberId?: string;
  /** The member who acted, where the caller is not known to be that member yet, as in a sign-in. Otherwise the caller acted. */
  actorId?: string;
  detail?: SecurityEventDetail;
}

/** Who signed in, who failed to, and whose credentials changed. Admins read it, and each event is a line of the log. */
@Injectable()
export class SecurityLogService {
  private readonly log = new Logger("security");

  constructor(private readonly db: Database) {}

  /** Records an event in the transaction of what happened. Its line is logged once that has been committed. */
  async record(tx: Tx, { type, memberId, actorId, detail }: SecurityEvent): Promise<void> {
    const { caller } = tx;
    const sender = requestOf(caller)?.sender;
    const event = {
      type,
      actorKind: actorId === undefined ? caller.kind : "member",
      actorId: actorId ?? callerId(caller),
      memberId: memberId ?? null,
      address: sender?.address ?? null,
      userAgent: sender?.userAgent ?? null,
    };
    const said = { environment: caller.environment, ...detail };
    await tx.query(RECORD_SECURITY_EVENT, { ...event, detail: JSON.stringify(said) });
    // The operator at the command line, whose output must stay readable, and the demo of the first start.
    const isOperator = caller.kind === "system" && !sender;
    tx.afterCommit(() =>
      this.write({ tenantId: caller.tenantId, ...event, detail: said }, isOperator || ROUTINE.has(type)),
    );
  }

  /** Logs an event that belongs to no tenant, such as a failed sign-in with an email that nobody has. */
  recordUnowned(type: SecurityEventType, sender: Sender | undefined, detail: SecurityEventDetail): void {
    this.write({ tenantId: null, type, ...sender, detail }, ROUTINE.has(type));
  }

  /** Newest first. */
  list(caller: Caller, { limit = 25, cursor, ...filters }: ListSecurityLogDto): Promise<Json<Page<SecurityEventDto>>> {
    return this.db.page(caller, listSecurityLog(filters, cursor !== undefined), filters, { limit, cursor });
  }

  private write(line: object, isRoutine: boolean): void {
    if (isRoutine) this.log.log(line);
    else this.log.warn(line);
  }
}
