import { GoneException, Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import type { Position, Step } from "../feed/feed.queries.js";
import { FeedService, type Occurrences } from "../feed/feed.service.js";
import type { SystemCaller } from "../platform/caller/caller.js";
import { Changes } from "../platform/database/changes.js";
import { Database } from "../platform/database/database.js";
import type { DueQueue } from "../platform/jobs/due-queue.js";
import { JobRunner } from "../platform/jobs/job-runner.js";
import { ACTIVE_ENDPOINTS, CLAIM, type DueSide, LAG, RELEASE, SIDES, WAKE } from "./dispatcher.queries.js";
import { eventsOfStep, RESOURCES_WITH_EVENTS } from "./webhook-events.js";
import { WebhookKind } from "./webhook.kind.js";
import { WebhookDueEntity } from "./webhook.entity.js";

const LEASE_SECONDS = 30;
const CONCURRENCY = 4;
/** Each side is read this often, whether something is known to have changed or not. */
const POLL_SECONDS = 10;
/** A transaction that is still running holds rows back: look again soon. */
const HELD_SECONDS = 0.25;
/** Changes within this time are read together. */
const GATHER_MS = 100;
/** So many steps become deliveries in one transaction. It is short, because the feed waits for its end. */
const STEPS = 50;
/** Then other sides have their turn. */
const MAX_ROUND_MS = 20_000;

/**
 * Turns the feed into deliveries. The feed's rows are written in the transaction of each change, so no event is lost and none
 * is made up. The position moves in the transaction that stores the deliveries, so each event becomes a delivery once.
 */
@Injectable()
export class WebhookDispatcher {
  private readonly log = new Logger("webhooks");
  private readonly queue: DueQueue<DueSide>;
  /** Of all sides with an active endpoint; undefined if that may have changed. */
  private sides?: Set<string>;
  private readonly changed = new Set<string>();
  private gathering?: NodeJS.Timeout;
  /** Sides that this process reads now, and whether something changed since it began. */
  private readonly reading = new Map<string, boolean>();
  /** In processes that run jobs. */
  private runs = false;

  constructor(
    private readonly jobs: JobRunner,
    private readonly db: Database,
    private readonly feed: FeedService,
    private readonly kind: WebhookKind,
    changes: Changes,
  ) {
    this.queue = jobs.queue<DueSide>({
      name: "webhooks",
      claim: (room) => jobs.acrossTenants(CLAIM, { ...room, leaseSeconds: LEASE_SECONDS }),
      lag: LAG,
      concurrency: CONCURRENCY,
      work: (caller, side) => this.dispatch(caller, side),
    });
    changes.onChange((tenantId, workspaceId) => {
      this.noteChange(tenantId, workspaceId);
    });
  }

  @Interval(1_000)
  poll(): Promise<void> {
    this.runs = true;
    return this.tick();
  }

  tick(): Promise<void> {
    return this.queue.tick();
  }

  /** An endpoint is a change of the whole tenant. Rows that this process misses are found by polling. */
  private noteChange(tenantId: string | null, workspaceId: string | null): void {
    if (workspaceId === null) this.sides = undefined;
    if (tenantId === null || !this.runs) return;
    if (this.reading.has(tenantId)) this.reading.set(tenantId, true);
    this.changed.add(tenantId);
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      void this.wake().catch((error: unknown) => {
        this.log.warn(`sides are read later: ${(error as Error).message}`);
      });
    }, GATHER_MS).unref();
  }

  private async wake(): Promise<void> {
    const changed = [...this.changed];
    this.changed.clear();
    if (this.queue.stopping) return;
    this.sides ??= new Set((await this.jobs.acrossTenants(SIDES)).map(({ tenantId }) => tenantId));
    const tenantIds = changed.filter((tenantId) => this.sides?.has(tenantId));
    if (!tenantIds.length) return;
    await this.jobs.acrossTenants(WAKE, { tenantIds });
    await this.tick();
  }

  private async dispatch(caller: SystemCaller, side: DueSide): Promise<void> {
    const { tenantId } = side;
    const end = Date.now() + MAX_ROUND_MS;
    this.reading.set(tenantId, false);
    try {
      let position = { epoch: side.epoch, at: [side.transactionId, side.position] as Position };
      let found: Occurrences<Step> | undefined;
      do {
        this.reading.set(tenantId, false);
        found = await this.read(caller, position);
        const next = found ?? (await this.restart(caller));
        if (!(await this.store(caller, position, next))) return;
        position = { epoch: next.epoch, at: next.next };
      } while ((found?.more || this.reading.get(tenantId)) && Date.now() < end && !this.queue.stopping);
      const unfinished = found?.more || this.reading.get(tenantId);
      await this.release(caller, side, unfinished ? 0 : found?.unsettled ? HELD_SECONDS : POLL_SECONDS);
    } finally {
      if (this.reading.get(tenantId)) this.noteChange(tenantId, tenantId);
      this.reading.delete(tenantId);
    }
  }

  /** @returns undefined if the feed no longer has what follows */
  private async read(caller: SystemCaller, { epoch, at }: FeedPosition): Promise<Occurrences<Step> | undefined> {
    try {
      const found = await this.feed.steps(caller, at, RESOURCES_WITH_EVENTS, STEPS);
      return found.epoch === epoch ? found : undefined;
    } catch (error) {
      if (error instanceof GoneException) return undefined;
      throw error;
    }
  }

  /** What was in between cannot be found out any more. Receivers read it from `GET /api/changes` or the resources. */
  private async restart(caller: SystemCaller): Promise<Occurrences<Step>> {
    this.log.warn(`the feed of ${caller.tenantId} is not whole: webhooks go on with what happens from now on`);
    const { epoch, end } = await this.feed.end(caller);
    return { epoch, next: end, rows: [], more: false, unsettled: false };
  }

  /** @returns false if another process was faster, or no endpoint is active any more */
  private store(
    caller: SystemCaller,
    { epoch, at: [transactionId, position] }: FeedPosition,
    found: Occurrences<Step>,
  ): Promise<boolean> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const [toTransaction, toPosition] = found.next;
      const next = { transactionId: toTransaction, position: toPosition, epoch: found.epoch };
      if (!(await tx.update(WebhookDueEntity, { transactionId, position, epoch }, next))) return false;
      const endpoints = await tx.query(ACTIVE_ENDPOINTS);
      if (!endpoints.length) {
        // The first one that becomes active starts again.
        await tx.delete(WebhookDueEntity, {});
        return false;
      }
      const mint = this.feed.minter(caller.tenantId, found.epoch);
      for (const step of found.rows)
        for (const event of eventsOfStep(caller.tenantId, found.epoch, step, mint(step.at)))
          for (const endpoint of endpoints)
            if (
              endpoint.wanted &&
              endpoint.events.includes(event.type) &&
              Date.parse(event.occurredAt) >= endpoint.activeSince.getTime()
            )
              await this.kind.deliver(tx, endpoint, event);
      return true;
    });
  }

  private release(caller: SystemCaller, { until }: DueSide, seconds: number): Promise<void> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      await tx.query(RELEASE, { until, seconds });
    });
  }
}

interface FeedPosition {
  epoch: string;
  at: Position;
}
