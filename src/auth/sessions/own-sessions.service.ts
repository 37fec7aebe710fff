import { Injectable } from "@nestjs/common";
import { Not } from "typeorm";
import type { MemberCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { notFound } from "../../platform/http/errors.js";
import { type Json, type Ok, ok, type Page } from "../../platform/http/json.js";
import type { PagingDto } from "../../platform/http/paging.dto.js";
import type { OwnSessionDto } from "./own-sessions.dto.js";
import { LIST_OWN_SESSIONS } from "./own-sessions.queries.js";
import { SessionEnding } from "./session-ending.js";

/** The sessions of the member who asks. */
@Injectable()
export class OwnSessionsService {
  constructor(
    private readonly db: Database,
    private readonly ending: SessionEnding,
  ) {}

  /** The most recently used one first. */
  list(caller: MemberCaller, { limit = 25, cursor }: PagingDto): Promise<Json<Page<OwnSessionDto>>> {
    const { memberId, sessionId } = caller;
    return this.db.page(caller, LIST_OWN_SESSIONS, { memberId, current: sessionId ?? null }, { limit, cursor });
  }

  /** @throws NotFoundException: it is no session of the member's, or it has ended */
  end(caller: MemberCaller, id: string): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      if (!(await this.ending.endSessions(tx, caller.memberId, { id }))) throw notFound();
      return ok();
    });
  }

  /** Ends all but the one that asks. */
  endOthers(caller: MemberCaller): Promise<Json<Ok>> {
    const { memberId, sessionId } = caller;
    return this.db.transaction(caller, async (tx) => {
      await this.ending.endSessions(tx, memberId, sessionId === undefined ? {} : { id: Not(sessionId) });
      return ok();
    });
  }
}
