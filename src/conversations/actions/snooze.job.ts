import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { type Environment, system } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { WAKE } from "./actions.queries.js";

const EVERY_MS = 5_000;
const BATCH = 100;
/** A process that dies over a batch leaves it to others after this: all the same within the minute. */
const LEASE_SECONDS = 30;

interface Due {
  tenantId: string;
  conversationId: string;
  environment: Environment;
  until: string;
}

/** Opens conversations whose snooze has ended, by the database's clock, on one process each. */
@Injectable()
export class SnoozeJob {
  private readonly log = new Logger("snooze");
  private busy = false;

  constructor(private readonly db: Database) {}

  @Interval(EVERY_MS)
  async tick(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      while ((await this.wakeDue()) === BATCH);
    } catch (error) {
      this.log.warn(`snoozes that ended wait for the next round: ${(error as Error).message}`);
    } finally {
      this.busy = false;
    }
  }

  private async wakeDue(): Promise<number> {
    const claimed = await this.db.global<Due>(
      `update snooze_due d set due_at = clock_timestamp() + make_interval(secs => $1) from tenant t
      where t.id = d.tenant_id and (d.tenant_id, d.conversation_id) in (
        select n.tenant_id, n.conversation_id from snooze_due n where n.due_at <= clock_timestamp() order by n.due_at limit $2 for update skip locked)
      returning d.tenant_id as "tenantId", d.conversation_id as "conversationId", t.environment, d.due_at::text as until`,
      [LEASE_SECONDS, BATCH],
    );
    for (const { tenantId, conversationId, environment, until } of claimed) {
      await this.db.transaction(system("snooze", tenantId, environment), async (tx) => {
        const [woken] = await tx.query<{ workspaceId: string }>(WAKE, { conversationId, until });
        if (woken) tx.within(woken.workspaceId);
        else tx.unseen();
      });
    }
    return claimed.length;
  }
}
