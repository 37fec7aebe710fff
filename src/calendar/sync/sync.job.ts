import { Injectable, Logger, type OnModuleInit } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { DueQueue, DueRow } from "../../platform/jobs/due-queue.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { BookingQueued } from "../calendar-events.js";
import { CaldavProvider } from "../providers/caldav/caldav.provider.js";
import { CalendarParser } from "../providers/calendar-parser.js";
import { CalendarCredentials } from "../providers/calendar-credentials.js";
import { CalendarError } from "../providers/calendar-provider.js";
import { recordFailure } from "./connection-health.js";
import { beginSync, ConnectionSync, type SyncDependencies } from "./connection-sync.js";
import { CALENDARS_LAG, claim, type Lease, LeaseLost, releaseLease, wake, withLease } from "./lease.js";

const CONCURRENCY = 12;

/** Keeps bookings and calendars in sync. */
@Injectable()
export class CalendarSync implements OnModuleInit {
  private readonly log = new Logger("calendar");
  private readonly queue: DueQueue<Lease & DueRow>;
  private readonly dependencies: SyncDependencies;

  constructor(
    jobs: JobRunner,
    private readonly db: Database,
    credentials: CalendarCredentials,
    provider: CaldavProvider,
    parser: CalendarParser,
    private readonly events: DomainEvents,
  ) {
    this.queue = jobs.queue<Lease & DueRow>({
      name: "calendar",
      claim: (room) => claim(jobs, room),
      lag: CALENDARS_LAG,
      concurrency: CONCURRENCY,
      work: (caller, lease) => this.sync(caller, lease),
    });
    this.dependencies = { db, credentials, provider, parser, stopped: () => this.queue.stopping };
  }

  onModuleInit(): void {
    this.events.afterCommit(BookingQueued, ({ connectionId }, { tenantId }) => wake(this.db, tenantId, connectionId));
  }

  /** Does not wait for the tick before: a slow server does not delay the other connections. */
  @Interval(1_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }

  private async sync(caller: SystemCaller, lease: Lease): Promise<void> {
    const connection = await this.db.transaction(caller, (tx) => beginSync(tx, lease));
    if (!connection) return;
    try {
      await new ConnectionSync(this.dependencies, lease, connection).run();
    } catch (error) {
      // Another sync has the connection, it took too long, or the process shuts down.
      if (error instanceof LeaseLost) return releaseLease(this.db, lease);
      const known = error instanceof CalendarError ? error : new CalendarError("The calendars could not be read");
      if (known !== error) this.log.error(`connection ${lease.connectionId}: ${(error as Error).stack}`);
      await withLease(this.db, lease, connection.revision, (tx) => recordFailure(tx, lease, known)).catch(
        async (again: unknown) => {
          if (!(again instanceof LeaseLost)) throw again;
          await releaseLease(this.db, lease);
        },
      );
    }
  }
}
