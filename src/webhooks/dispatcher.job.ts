import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { isSameLineage, type Step } from "../feed/feed.queries.js";
import { FeedService, type Occurrences } from "../feed/feed.service.js";
import { FeedFollower } from "../feed/follower.js";
import { Changes } from "../platform/database/changes.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { JobRunner } from "../platform/jobs/job-runner.js";
import { ACTIVE_ENDPOINTS, type ActiveEndpoint, CLAIM, LAG, RELEASE, SIDES, WAKE } from "./dispatcher.queries.js";
import { eventsOfStep, RESOURCES_WITH_EVENTS } from "./webhook-events.js";
import { WebhookKind } from "./webhook.kind.js";
import { WebhookDueEntity } from "./webhook.entity.js";

/** So many steps become deliveries in one transaction. It is short, because the feed waits for its end. */
const STEPS = 50;

/** Turns the feed into deliveries. */
@Injectable()
export class WebhookDispatcher {
  private readonly follower: FeedFollower<Step>;

  constructor(
    jobs: JobRunner,
    db: Database,
    private readonly feed: FeedService,
    private readonly kind: WebhookKind,
    changes: Changes,
  ) {
    this.follower = new FeedFollower<Step>(jobs, db, feed, changes, {
      name: "webhooks",
      table: WebhookDueEntity,
      claim: CLAIM,
      lag: LAG,
      sides: SIDES,
      wake: WAKE,
      release: RELEASE,
      read: (caller, after) => feed.steps(caller, after, RESOURCES_WITH_EVENTS, STEPS),
      store: (tx, found) => this.store(tx, found),
      // Receivers read what was in between from `GET /api/changes` or the resources.
      goesOn: "webhooks go on",
    });
  }

  @Interval(1_000)
  poll(): Promise<void> {
    return this.follower.poll();
  }

  tick(): Promise<void> {
    return this.follower.tick();
  }

  /** @returns false if no endpoint is active any more */
  private async store(tx: Tx, found: Occurrences<Step>): Promise<boolean> {
    const { tenantId } = tx.caller;
    const endpoints = await tx.query(ACTIVE_ENDPOINTS);
    if (!endpoints.length) return false;
    const mint = this.feed.minter(tenantId, found.epoch);
    for (const step of found.rows)
      for (const event of eventsOfStep(tenantId, found.epoch, step, mint(step.at)))
        for (const endpoint of endpoints)
          if (endpoint.wanted && endpoint.events.includes(event.type) && !isEarlier(step, endpoint, found.epoch))
            await this.kind.deliver(tx, endpoint, event);
    return true;
  }
}

/**
 * Whether the step had been committed when the endpoint became active. After a restoration or a move, transactions have other numbers,
 * and what is read is new.
 */
function isEarlier({ writtenBy }: Step, { activeAfter, activeEpoch }: ActiveEndpoint, epoch: string): boolean {
  const [, end, running] = activeAfter.split(":") as [string, string, string];
  return (
    isSameLineage(activeEpoch, epoch) && BigInt(writtenBy) < BigInt(end) && !running.split(",").includes(writtenBy)
  );
}
