import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { WorkerPool } from "../../platform/workers/worker-pool.js";
import { workerScript } from "../../platform/workers/worker-script.js";
import type { CalendarJobs } from "./calendar.thread.js";

/** What one event, or one answer of a calendar server, may take. */
export const DEADLINE_MS = 3_000;

/** Reads in worker threads what calendar servers send. One thing of a tenant is read after the other. */
@Injectable()
export class CalendarParser implements OnApplicationShutdown {
  private readonly pool = new WorkerPool<CalendarJobs>(workerScript("calendar"), {
    size: 2,
    deadlineMs: DEADLINE_MS,
    maxHeapMb: 256,
  });

  /** After the syncs, which wait for what they are reading. */
  onApplicationShutdown(): Promise<void> {
    return this.pool.stop();
  }

  /** @throws Error: it cannot be read, or took too much time or memory */
  read<Job extends keyof CalendarJobs>(
    tenantId: string,
    job: Job,
    input: Parameters<CalendarJobs[Job]>[0],
  ): Promise<Awaited<ReturnType<CalendarJobs[Job]>>> {
    return this.pool.run(tenantId, job, input) as Promise<Awaited<ReturnType<CalendarJobs[Job]>>>;
  }
}
