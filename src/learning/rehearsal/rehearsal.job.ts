import { ConflictException, Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { raiseAbout, settleAbout } from "../../conversations/attention/raise.js";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { DueQueue } from "../../platform/jobs/due-queue.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { type Played, RehearserService } from "./rehearser.service.js";
import type { TestResultDto } from "./rehearsal.dto.js";
import { AssistantTestDueEntity, AssistantTestEntity, AssistantTestRunEntity } from "./rehearsal.entity.js";
import { BEAT, CLAIM, END, KEEP_CHANGES, LAG, type Turn } from "./rehearsal.queries.js";

/** One run at a time, so that it leaves time for the searches of others. */
const CONCURRENCY = 1;
const LEASE_SECONDS = 30;
/** How often a run prolongs its lease. */
const BEAT_MS = 5_000;
/** A run of which so many processes died is not played again. */
const MAX_ATTEMPTS = 3;
const FAILED = "assistant_test_failed";

/** The run ends without a word: the process stops, or it is not its turn any more. */
class Interrupted extends Error {}

/** Plays runs when they are due. Whatever dies meanwhile, all that follows from a run is one transaction. */
@Injectable()
export class RehearsalJob {
  private readonly log = new Logger("assistant tests");
  private readonly queue: DueQueue<Turn>;

  constructor(
    jobs: JobRunner,
    private readonly db: Database,
    private readonly rehearser: RehearserService,
  ) {
    this.queue = jobs.queue<Turn>({
      name: "assistant tests",
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
      const run = await this.begin(caller, turn);
      if (run) await this.end(caller, turn, run, await this.play(caller, turn, run));
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      await this.db.transaction(caller, async (tx) => {
        tx.changesNothingVisible();
        // Due at once, for another process.
        const mine = { runId: turn.id, lease: turn.lease };
        await tx.update(AssistantTestDueEntity, mine, { dueAt: () => "clock_timestamp()", lease: null });
      });
    }
  }

  /** @returns null if there is nothing to play */
  private begin(caller: SystemCaller, turn: Turn): Promise<AssistantTestRunEntity | null> {
    return this.db.transaction(caller, async (tx) => {
      const [mine] = await tx.query(BEAT, { ...turn, leaseSeconds: LEASE_SECONDS });
      if (!mine) throw new Interrupted();
      const run = await tx.findOne(AssistantTestRunEntity, { id: turn.id });
      if (!run) {
        // The workspace is deleted, and its rows go later. Until then the run would be due again and again.
        tx.changesNothingVisible();
        await tx.query(END, turn);
        return null;
      }
      await tx.update(AssistantTestRunEntity, { id: turn.id }, { status: "playing", attempts: run.attempts + 1 });
      tx.changesWorkspace(run.workspaceId);
      return run;
    });
  }

  /** @returns what came of it, or why it could not be played */
  private async play(
    caller: SystemCaller,
    turn: Turn,
    { workspaceId, kind, draft, testIds, attempts }: AssistantTestRunEntity,
  ): Promise<Played | string> {
    if (attempts >= MAX_ATTEMPTS) return "Several processes have died of it";
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
    try {
      return await this.rehearser.play(caller, { workspaceId, kind, draft, testIds }, beat);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      if (error instanceof ConflictException) return error.message;
      this.log.error(`${turn.id} could not be played: ${(error as Error).stack}`);
      return "The run could not be played. Start another one";
    }
  }

  private end(caller: SystemCaller, turn: Turn, run: AssistantTestRunEntity, played: Played | string): Promise<void> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const { id, workspaceId, cause, draft } = run;
      // Who deletes the workspace meanwhile holds the run.
      const there = await tx.findOne(AssistantTestRunEntity, { id }, { lock: "no key update" });
      const [mine] = await tx.query(END, turn);
      if (!mine || !there) return;
      tx.changesWorkspace(workspaceId);
      const endedAt = (): string => "clock_timestamp()";
      if (typeof played === "string") {
        await tx.update(AssistantTestRunEntity, { id }, { status: "failed", error: played, endedAt });
        return;
      }
      const { tests, conversations, changes } = played;
      await tx.update(AssistantTestRunEntity, { id }, { status: "done", result: { tests, conversations }, endedAt });
      if (changes.length) await tx.query(KEEP_CHANGES, { id, changes: JSON.stringify(changes) });
      if (draft === null) for (const result of tests) await this.keep(tx, result, cause === "change");
    });
  }

  /** What came of a test against what is in use. After a change, one that fails and did not before needs somebody. */
  private async keep(tx: Tx, result: TestResultDto, isAfterChange: boolean): Promise<void> {
    const id = result.testId;
    const test = await tx.findOne(AssistantTestEntity, { id }, { lock: "no key update" });
    // Whoever has changed it meanwhile has another test.
    if (!test || test.updatedAt.getTime() > Date.parse(result.at)) return;
    const failed = (test.lastResult as TestResultDto | null)?.passed === false;
    await tx.update(AssistantTestEntity, { id }, { lastResult: result });
    if (result.passed) await settleAbout(tx, { assistantTestId: id }, FAILED);
    else if (isAfterChange && !failed)
      await raiseAbout(
        tx,
        { assistantTestId: id },
        { type: FAILED, severity: "medium", reason: `The test “${test.name}” fails after a change. ${result.reason}` },
      );
  }
}
