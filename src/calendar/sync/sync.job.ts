import { Injectable, Logger, type OnModuleInit } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { DueQueue, DueRow } from "../../platform/jobs/due-queue.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { BookingQueued } from "../calendar-events.js";
import { CaldavProvider } from "../providers/caldav/caldav.provider.js";
import { CalendarError } from "../providers/calendar-provider.js";
import { CalendarCredentials } from "../providers/calendar-credentials.js";
import { fails } from "./connection-health.js";
import { claim, held, type Lease, LeaseLost, letGo, wake } from "./lease.js";
import { begin, Pass, type PassParts } from "./connection-sync.js";

const CONCURRENCY = 5;

/** Keeps bookings and calendars in sync. */
@Injectable()
export class CalendarSync implements OnModuleInit {
  private readonly log = new Logger("calendar");
  private readonly queue: DueQueue<Lease & DueRow>;
  private readonly parts: PassParts;

  constructor(
    jobs: JobRunner,
    private readonly db: Database,
    vault: CalendarCredentials,
    provider: CaldavProvider,
    private readonly events: DomainEvents,
  ) {
    this.queue = jobs.queue<Lease & DueRow>({
      name: "calendar",
      claim,
      concurrency: CONCURRENCY,
      work: (caller, lease) => this.sync(caller, lease),
    });
    this.parts = { db, vault, provider, stopped: () => this.queue.stopping };
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
    const connection = await this.db.transaction(caller, (tx) => begin(tx, lease));
    if (!connection) return;
    try {
      await new Pass(this.parts, lease).run(connection);
    } catch (error) {
      // Another sync has the connection, or the process shuts down.
      if (error instanceof LeaseLost) return letGo(this.db, lease);
      const known = error instanceof CalendarError ? error : new CalendarError("The calendars could not be read");
      if (known !== error) this.log.error(`connection ${lease.connectionId}: ${(error as Error).stack}`);
      await held(this.db, lease, connection.revision, (tx) => fails(tx, lease, known)).catch(async (again: unknown) => {
        if (!(again instanceof LeaseLost)) throw again;
        await letGo(this.db, lease);
      });
    }
  }
}
