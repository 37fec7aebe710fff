import { Injectable, Logger, type OnModuleDestroy } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { system } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { CaldavProvider } from "../providers/caldav/caldav.provider.js";
import { CalendarError } from "../providers/calendar-provider.js";
import { CalendarCredentials } from "../providers/calendar-credentials.js";
import { fails } from "./connection-health.js";
import { claim, held, type Lease, LeaseLost, letGo } from "./lease.js";
import { begin, Pass, type PassParts } from "./connection-sync.js";

const MOST_AT_ONCE = 5;

/** Keeps bookings and calendars in sync: any number of processes share the connections, each is one's at a time. */
@Injectable()
export class CalendarSync implements OnModuleDestroy {
  private readonly log = new Logger("calendar");
  private readonly running = new Set<Promise<void>>();
  private closing = false;
  private readonly parts: PassParts;

  constructor(
    private readonly db: Database,
    vault: CalendarCredentials,
    provider: CaldavProvider,
  ) {
    this.parts = { db, vault, provider, stopped: () => this.closing };
  }

  async onModuleDestroy(): Promise<void> {
    this.closing = true;
    await Promise.all(this.running);
  }

  /** Comes to its end when all that it began has. */
  @Interval(1_000)
  async tick(): Promise<void> {
    const free = MOST_AT_ONCE - this.running.size;
    if (this.closing || free <= 0) return;
    try {
      const leases = await claim(this.db, free);
      await Promise.all(
        leases.map((lease) => {
          const run = this.run(lease)
            .catch((error: unknown) =>
              this.log.warn(`connection ${lease.connectionId} is looked at again later: ${(error as Error).message}`),
            )
            .finally(() => this.running.delete(run));
          this.running.add(run);
          return run;
        }),
      );
    } catch (error) {
      this.log.warn(`the calendars cannot be looked at: ${(error as Error).message}`);
    }
  }

  private async run(lease: Lease): Promise<void> {
    const connection = await this.db.transaction(system("calendar", lease.tenantId, "live"), (tx) => begin(tx, lease));
    if (!connection) return;
    try {
      await new Pass(this.parts, lease).run(connection);
    } catch (error) {
      // What it was told of is another pass's, as is what ends with the process.
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
