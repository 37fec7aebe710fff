import { setTimeout as sleep } from "node:timers/promises";
import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { DueQueue, DueRow } from "../../platform/jobs/due-queue.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { NotRead, problem } from "./source-problem.js";
import { Unreadable } from "./source-reader.js";
import { type Found, Readings } from "./readings.js";
import { SourceDueEntity, SourceEntity } from "./source.entity.js";
import { SourceFindings } from "./source-findings.js";
import { BEAT, CLAIM, KEEP_SITE, LAG, LEAVE_SITE, TAKE_SITE } from "./sources.queries.js";

const CONCURRENCY = 2;
const LEASE_SECONDS = 120;
/** How often a reading prolongs its lease. */
const BEAT_MS = 15_000;
/** How soon a pause sees that the process stops. */
const STEP_MS = 250;
/** How soon a source looks again whether its site is free. */
const SITE_BUSY_SECONDS = 10;

interface Turn extends DueRow {
  lease: string;
}
/** The reading ends without a word: the process stops, or it is not its turn. */
class Interrupted extends Error {
  /** @param seconds after which it is due again, here or in another process */
  constructor(readonly seconds = 0) {
    super();
  }
}
/** A website or an API of a help centre that is being read. */
interface Site {
  site: string;
  lease: string;
}

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
      const source = await this.sourceOf(caller, turn);
      if (!source) return;
      await this.atItsSite(source, turn, async (site) => {
        await this.begin(caller, source);
        await this.findings.settle(caller, turn, await this.read(caller, turn, source, site));
      });
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      const dueAt = (): string => `clock_timestamp() + interval '${error.seconds} seconds'`;
      await this.db.transaction(caller, async (tx) => {
        tx.changesNothingVisible();
        await tx.update(SourceDueEntity, { sourceId: turn.id, lease: turn.lease }, { dueAt, lease: null });
      });
    }
  }

  /** @returns null if there is nothing to read */
  private sourceOf(caller: SystemCaller, turn: Turn): Promise<SourceEntity | null> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const [mine] = await tx.query(BEAT, { ...turn, leaseSeconds: LEASE_SECONDS });
      if (!mine) throw new Interrupted();
      const source = await tx.findOne(SourceEntity, { id: turn.id });
      // The workspace is deleted, and its rows go later. Until then the source would be due again and again.
      if (!source) await tx.delete(SourceDueEntity, { sourceId: turn.id, lease: turn.lease });
      return source;
    });
  }

  /** Two sources of one site are read one after the other, whichever processes and tenants read them. */
  private async atItsSite(
    { url }: SourceEntity,
    { lease }: Turn,
    work: (site: Site | undefined) => Promise<void>,
  ): Promise<void> {
    if (url === null) return work(undefined);
    const site = { site: new URL(url).host, lease };
    const [free] = await this.db.global(TAKE_SITE, { ...site, leaseSeconds: LEASE_SECONDS });
    if (!free) throw new Interrupted(SITE_BUSY_SECONDS);
    try {
      await work(site);
    } finally {
      await this.db.global(LEAVE_SITE, site);
    }
  }

  private begin(caller: SystemCaller, { id, workspaceId }: SourceEntity): Promise<void> {
    return this.db.transaction(caller, async (tx) => {
      await tx.update(SourceEntity, { id }, { status: "reading" });
      tx.changesWorkspace(workspaceId);
    });
  }

  private async read(
    caller: SystemCaller,
    turn: Turn,
    source: SourceEntity,
    site: Site | undefined,
  ): Promise<Found | NotRead> {
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
      if (site && !(await this.db.global(KEEP_SITE, { ...site, leaseSeconds: LEASE_SECONDS })).length)
        throw new Interrupted(SITE_BUSY_SECONDS);
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
      if (error instanceof Unreadable) return new NotRead(problem(error.code));
      this.log.error(`${turn.id} could not be read: ${(error as Error).stack}`);
      return new NotRead(problem("failed"));
    }
  }
}
