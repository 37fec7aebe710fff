import { HttpException, Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { CurrentCallers } from "../../auth/current-callers.js";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { beginRequest } from "../../platform/caller/request-context.js";
import { Database } from "../../platform/database/database.js";
import type { DueQueue, DueRow } from "../../platform/jobs/due-queue.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { type Action, ActionsService } from "../actions/actions.service.js";
import type { BulkChangeDto } from "./bulk-actions.dto.js";
import { type Author, CLAIM, LAG, NEXT, RETURN } from "./bulk-actions.queries.js";
import { BulkActionItemEntity } from "./bulk-action.entity.js";
import { IsNull } from "typeorm";

/** How long an action stands still if the process that works on it dies. */
const LEASE_SECONDS = 30;
/** Well within the lease. Then the next action has its turn. */
const TURN_MS = 10_000;
const BATCH = 50;

/**
 * Changes the conversations of bulk actions one after the other, each in a transaction of its own and as its author: with
 * the role and the workspaces that the author has at that moment.
 */
@Injectable()
export class BulkActionsJob {
  private readonly log = new Logger("bulk-actions");
  private readonly queue: DueQueue<DueRow>;

  constructor(
    jobs: JobRunner,
    private readonly db: Database,
    private readonly callers: CurrentCallers,
    private readonly actions: ActionsService,
  ) {
    this.queue = jobs.queue<DueRow>({
      name: "bulk-actions",
      claim: (room) => jobs.acrossTenants(CLAIM, { leaseSeconds: LEASE_SECONDS, ...room }),
      lag: LAG,
      concurrency: 2,
      work: (caller, { id }) => this.work(caller, id),
    });
  }

  @Interval(1_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }

  private async work(system: SystemCaller, id: string): Promise<void> {
    const end = performance.now() + TURN_MS;
    const isOver = (): boolean => this.queue.stopping || performance.now() > end;
    while (!isOver()) {
      const [next] = await this.quietly(system, (tx) => tx.query(NEXT, { id, limit: BATCH }));
      if (!next?.conversationIds.length) break;
      for (const conversationId of next.conversationIds) {
        if (isOver()) break;
        await this.change(system, next, { actionId: id, conversationId });
      }
    }
    await this.quietly(system, (tx) => tx.query(RETURN, { id }));
  }

  private async change(
    system: SystemCaller,
    { author, action }: { author: Author; action: BulkChangeDto },
    item: { actionId: string; conversationId: string },
  ): Promise<void> {
    const pending = { ...item, error: IsNull() };
    try {
      const caller = await this.callers.withScope("conversations:write", author, system);
      await this.db.transaction(beginRequest(caller, "bulkActions.create"), async (tx) => {
        // Otherwise another process has done it.
        if (await tx.delete(BulkActionItemEntity, pending))
          await this.actions.within(tx, item.conversationId, action as Action);
        else tx.changesNothingVisible();
      });
    } catch (error) {
      const known = error instanceof HttpException;
      if (!known) this.log.error(`${item.conversationId} could not be changed: ${(error as Error).stack}`);
      const why = known ? error.message : "The change failed";
      // Without the database this fails as well, and the action is tried again after its lease.
      await this.quietly(system, (tx) => tx.update(BulkActionItemEntity, pending, { error: why }));
    }
  }

  private quietly<T>(system: SystemCaller, work: Parameters<typeof this.db.transaction<T, never>>[1]): Promise<T> {
    return this.db.transaction(system, (tx) => {
      tx.changesNothingVisible();
      return work(tx);
    });
  }
}
