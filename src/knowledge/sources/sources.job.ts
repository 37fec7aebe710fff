import { setTimeout as sleep } from "node:timers/promises";
import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { DueQueue, DueRow } from "../../platform/jobs/due-queue.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { NotRead } from "./crawl.js";
import { Unreadable } from "./source-reader.js";
import { type Found, Readings } from "./readings.js";
import { SourceDueEntity, SourceEntity } from "./source.entity.js";
import { SourceFindings } from "./source-findings.js";
import { BEAT, CLAIM, LAG } from "./sources.queries.js";

const CONCURRENCY = 2;
const LEASE_SECONDS = 120;
/** How often a reading prolongs its lease. */
const BEAT_MS = 15_000;
/** How soon a pause sees that the process stops. */
const STEP_MS = 250;

interface Turn extends DueRow {
  lease: string;
}
/** The reading ends without a word: the process stops, or it is not its turn any more. */
class Interrupted extends Error {}

/** Reads sources when they are due. Whatever dies meanwhile, nothing is proposed twice: all that follows from a reading is one transaction. */
@Injectable()
export class SourcesJob {
  private readonly log = new Logger("sources");
  private readonly queue: DueQueue<Turn>;

  constructor(
    jobs: JobRunner,
    private readonly db: Database,
    private readonly readings: Readings,
    private readonly findings: SourceFindings,
  ) {
    this.queue = jobs.queue<Turn>({
      name: "sources",
      claim: (room) => jobs.acrossTenants(CLAIM, { ...room, leaseSeconds: LEASE_SECONDS }),
      lag: LAG,
      concurrency: CONCURRENCY,
      work: (caller, turn) => this.work(caller, turn),
    });
  }

  @Interval(1_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }

  private async work(caller: SystemCaller, turn: Turn): Promise<void> {
    try {
      const source = await this.begin(caller, turn);
      await this.findings.settle(caller, turn, await this.read(caller, turn, source));
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      await this.db.transaction(caller, async (tx) => {
        tx.changesNothingVisible();
        // Due at once, for another process.
        const mine = { sourceId: turn.id, lease: turn.lease };
        await tx.update(SourceDueEntity, mine, { dueAt: () => "clock_timestamp()", lease: null });
      });
    }
  }

  private begin(caller: SystemCaller, turn: Turn): Promise<SourceEntity> {
    return this.db.transaction(caller, async (tx) => {
      const [mine] = await tx.query(BEAT, { ...turn, leaseSeconds: LEASE_SECONDS });
      const source = mine && (await tx.findOne(SourceEntity, { id: turn.id }));
      if (!source) throw new Interrupted();
      await tx.update(SourceEntity, { id: turn.id }, { status: "reading" });
      tx.changesWorkspace(source.workspaceId);
      return source;
    });
  }

  private async read(caller: SystemCaller, turn: Turn, source: SourceEntity): Promise<Found | NotRead> {
    let beaten = performance.now();
    const beat = async (): Promise<void> => {
      if (this.queue.stopping) throw new Interrupted();
      if (performance.now() - beaten < BEAT_MS) return;
      beaten = performance.now();
      const [mine] = await this.db.transaction(caller, (tx) => {
        tx.changesNothingVisible();
        return tx.query(BEAT, { ...turn, leaseSeconds: LEASE_SECONDS });
      });
      if (!mine) throw new Interrupted();
    };
    const wait = async (seconds: number): Promise<void> => {
      for (const until = performance.now() + seconds * 1_000; performance.now() < until;) {
        await beat();
        await sleep(Math.min(STEP_MS, Math.max(1, until - performance.now())));
      }
    };
    try {
      return await this.readings.read(caller, source, { beat, wait });
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      if (error instanceof NotRead) return error;
      if (error instanceof Unreadable) return new NotRead(`The file cannot be read: ${error.message}`);
      this.log.error(`${turn.id} could not be read: ${(error as Error).stack}`);
      return new NotRead("The source could not be read. Read it again later");
    }
  }
}
