import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { system } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { refreshLevel } from "./assurance.js";

const EVERY_MS = 20_000;
const BATCH = 100;
/** A process that dies over a conversation leaves it to others after this. */
const LEASE_SECONDS = 60;

interface Due {
  tenantId: string;
  conversationId: string;
  environment: "live" | "test";
  until: string;
}

/** Lowers levels whose factors ran out, within a minute, on one process each. Gates do not wait for it: they compute. */
@Injectable()
export class AssuranceJob {
  private readonly log = new Logger("assurance");
  private busy = false;

  constructor(private readonly db: Database) {}

  @Interval(EVERY_MS)
  async tick(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      while ((await this.lowerDue()) === BATCH);
    } catch (error) {
      this.log.warn(`levels that ran out were not lowered: ${(error as Error).message}`);
    } finally {
      this.busy = false;
    }
  }

  private async lowerDue(): Promise<number> {
    const claimed = await this.db.global<Due>(
      `update assurance_due d set due_at = clock_timestamp() + make_interval(secs => $1) from tenant t
      where t.id = d.tenant_id and (d.tenant_id, d.conversation_id) in (
        select n.tenant_id, n.conversation_id from assurance_due n where n.due_at <= clock_timestamp() order by n.due_at limit $2 for update skip locked)
      returning d.tenant_id as "tenantId", d.conversation_id as "conversationId", t.environment, d.due_at::text as until`,
      [LEASE_SECONDS, BATCH],
    );
    for (const { tenantId, conversationId, environment, until } of claimed) {
      await this.db.transaction(system("assurance", tenantId, environment), async (tx) => {
        const [there] = await tx.query<{ workspaceId: string }>(
          'select workspace_id as "workspaceId" from conversation where tenant_id = :tenant and id = :conversationId for update',
          { conversationId },
        );
        if (there) {
          tx.within(there.workspaceId);
          await refreshLevel(tx, conversationId);
        }
        // Nothing left that could run out: the lease still stands.
        await tx.query(
          "delete from assurance_due where tenant_id = :tenant and conversation_id = :conversationId and due_at = :until::timestamptz",
          { conversationId, until },
        );
      });
    }
    return claimed.length;
  }
}
