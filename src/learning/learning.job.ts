import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import type { DueQueue } from "../platform/jobs/due-queue.js";
import { JobRunner } from "../platform/jobs/job-runner.js";
import { CLAIM, LAG, type Resolved } from "./learning.queries.js";
import { LearningService } from "./learning.service.js";

const CONCURRENCY = 2;
/** A conversation takes some hundredths of a second. What a process that died leaves is taken up after that. */
const LEASE_SECONDS = 30;

/** Looks at conversations soon after they were resolved. A trigger notes them in the transaction that resolves them. */
@Injectable()
export class LearningJob {
  private readonly queue: DueQueue<Resolved>;

  constructor(jobs: JobRunner, learning: LearningService) {
    this.queue = jobs.queue<Resolved>({
      name: "learning",
      claim: (room) => jobs.acrossTenants(CLAIM, { ...room, leaseSeconds: LEASE_SECONDS }),
      lag: LAG,
      concurrency: CONCURRENCY,
      work: (caller, due) => learning.learn(caller, due),
    });
  }

  @Interval(1_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }
}
