import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { CasesService } from "../conversations/cases/cases.service.js";
import { system } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";

/** Conversations, or cases, released in one transaction: nobody who writes into one of them waits for long. */
const BATCH = 500;
interface Waiting {
  tenantId: string;
  memberId: string;
  queuedAt: string;
}

/**
 * Takes the unresolved conversations and cases off members who were removed or deactivated, so that each is seen to be nobody's.
 * The database keeps new ones from them; resolved ones stay, as the record of who had them. One process at a time.
 */
@Injectable()
export class UnassignFormerMembersJob {
  private readonly log = new Logger("release");
  private busy = false;

  constructor(
    private readonly db: Database,
    private readonly cases: CasesService,
  ) {}

  @Interval(1_000)
  async tick(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await this.run();
    } catch (error) {
      this.log.warn(`the release goes on later: ${(error as Error).message}`);
    } finally {
      this.busy = false;
    }
  }

  async run(): Promise<void> {
    const waiting = await this.db.global<Waiting>(
      'select tenant_id as "tenantId", member_id as "memberId", queued_at::text as "queuedAt" from release_queue',
    );
    if (!waiting.length) return;
    await this.db.exclusively("parley release", async () => {
      for (const one of waiting) {
        await this.release(one);
        // Not where the member came back and left again meanwhile.
        await this.db.global(
          "delete from release_queue where tenant_id = $1 and member_id = $2 and queued_at = $3::timestamptz",
          [one.tenantId, one.memberId, one.queuedAt],
        );
      }
    });
  }

  private async release({ tenantId, memberId }: Waiting): Promise<void> {
    const caller = system("release", tenantId, "live");
    const assigned = await this.db.transaction(caller, (tx) =>
      tx.query<{ id: string }>(
        `select id from conversation
      where tenant_id = :tenant and assignee_id = :memberId and status <> 'resolved' order by id`,
        { memberId },
      ),
    );
    for (let first = 0; first < assigned.length; first += BATCH) {
      const ids = assigned.slice(first, first + BATCH).map(({ id }) => id);
      await this.db.transaction(caller, (tx) =>
        tx.query(
          `with due as (
          select id from conversation where tenant_id = :tenant and id = any(:ids::uuid[]) and assignee_id = :memberId and status <> 'resolved' order by id for no key update
        ) update conversation c set assignee_id = null, last_activity_at = now(), updated_at = now() from due where c.tenant_id = :tenant and c.id = due.id`,
          { memberId, ids },
        ),
      );
    }
    while ((await this.db.transaction(caller, (tx) => this.cases.release(tx, memberId, BATCH))) === BATCH);
  }
}
