import { Worker } from "node:worker_threads";
import type { Moved } from "./serve-jobs.js";

/** The job ran longer than the pool allows. */
export class TookTooLong extends Error {}
/** The job needed more memory than the pool allows. */
export class TookTooMuchMemory extends Error {}

export interface WorkerLimits {
  /** Workers at once. */
  size: number;
  /** For one job, from the moment that a worker begins it. */
  deadlineMs: number;
  /** The JavaScript heap of a worker. Buffers lie outside it. */
  maxHeapMb: number;
}

/** How long a worker may take to load. */
const START_MS = 60_000;

type Answer = { ready: true } | { value: unknown } | { error: string };

interface Job {
  key: string;
  name: string;
  input: unknown;
  moved: readonly ArrayBuffer[];
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * Runs jobs in worker threads, so that input from strangers cannot hold up the event loop. A job that exceeds its time or its
 * memory is stopped with its worker. Each key, such as a tenant, has one job running at most, and keys take turns: nobody can
 * keep all workers busy. Workers start when they are needed.
 *
 * @template Jobs what `serveJobs` serves in the worker's script
 */
export class WorkerPool<Jobs extends Record<string, (input: never) => unknown>> {
  /** Jobs that have not begun, by key. The key whose turn is next comes first. */
  private readonly waiting = new Map<string, Job[]>();
  /** All workers, with the job that each of them does. */
  private readonly running = new Map<Worker, Job | undefined>();
  private readonly idle: Worker[] = [];
  private readonly deadlines = new Map<Worker, NodeJS.Timeout>();
  private stopped = false;

  constructor(
    private readonly script: URL,
    private readonly limits: WorkerLimits,
  ) {}

  /**
   * @param key whose job it is
   * @param moved buffers in `input` that move to the worker: the caller cannot use them afterwards
   * @throws TookTooLong, TookTooMuchMemory, or an Error with the message of what the job threw
   */
  run<Name extends keyof Jobs & string>(
    key: string,
    name: Name,
    input: Parameters<Jobs[Name]>[0],
    moved: readonly ArrayBuffer[] = [],
  ): Promise<Result<Jobs[Name]>> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.stopped) return reject(new Error("the workers have stopped"));
      const job = { key, name, input, moved, resolve, reject };
      const jobs = this.waiting.get(key);
      if (jobs) jobs.push(job);
      else this.waiting.set(key, [job]);
      this.next();
    }) as Promise<Result<Jobs[Name]>>;
  }

  /** Refuses jobs that have not begun, and stops those that have. */
  async stop(): Promise<void> {
    this.stopped = true;
    const error = new Error("the workers have stopped");
    for (const jobs of this.waiting.values()) for (const job of jobs) job.reject(error);
    this.waiting.clear();
    await Promise.all([...this.running.keys()].map((worker) => worker.terminate()));
  }

  private next(): void {
    while (this.idle.length || this.running.size < this.limits.size) {
      const job = this.take();
      if (!job) return;
      const worker = this.idle.pop();
      if (worker) this.give(worker, job);
      else this.start(job);
    }
  }

  /** The first job of the key that has waited longest for its turn. */
  private take(): Job | undefined {
    const busy = new Set([...this.running.values()].map((job) => job?.key));
    for (const [key, jobs] of this.waiting) {
      if (busy.has(key)) continue;
      const job = jobs.shift()!;
      // To the end of the line.
      this.waiting.delete(key);
      if (jobs.length) this.waiting.set(key, jobs);
      return job;
    }
    return undefined;
  }

  private start(first: Job): void {
    const worker = new Worker(this.script, {
      resourceLimits: { maxOldGenerationSizeMb: this.limits.maxHeapMb },
      // Nothing of the process's configuration is of use to a parser.
      env: {},
      execArgv: [],
    });
    worker.unref();
    this.running.set(worker, first);
    let failure: Error | undefined;
    const timer = setTimeout(() => {
      failure = new Error("a worker did not start");
      void worker.terminate();
    }, START_MS);
    worker
      .on("message", (answer: Answer) => {
        if (!("ready" in answer)) return this.settle(worker, answer);
        clearTimeout(timer);
        this.give(worker, first);
      })
      .on("error", (error: NodeJS.ErrnoException) => {
        failure =
          error.code === "ERR_WORKER_OUT_OF_MEMORY"
            ? new TookTooMuchMemory(`"${this.running.get(worker)?.name}" took more than ${this.limits.maxHeapMb} MB`)
            : error;
      })
      .on("exit", () => {
        clearTimeout(timer);
        this.end(worker, failure ?? new Error("a worker ended"));
      });
  }

  private give(worker: Worker, job: Job): void {
    this.running.set(worker, job);
    // The process does not end while somebody waits for the job.
    worker.ref();
    this.deadlines.set(
      worker,
      setTimeout(() => {
        this.end(worker, new TookTooLong(`"${job.name}" took more than ${this.limits.deadlineMs} ms`));
        void worker.terminate();
      }, this.limits.deadlineMs),
    );
    try {
      worker.postMessage({ name: job.name, input: job.input }, job.moved);
    } catch (error) {
      this.settle(worker, { error: (error as Error).message });
    }
  }

  private settle(worker: Worker, answer: Exclude<Answer, { ready: true }>): void {
    const job = this.running.get(worker);
    // Its deadline came first.
    if (!job) return;
    clearTimeout(this.deadlines.get(worker));
    worker.unref();
    this.running.set(worker, undefined);
    this.idle.push(worker);
    if ("error" in answer) job.reject(new Error(answer.error));
    else job.resolve(answer.value);
    this.next();
  }

  private end(worker: Worker, error: Error): void {
    if (!this.running.has(worker)) return;
    clearTimeout(this.deadlines.get(worker));
    this.deadlines.delete(worker);
    const job = this.running.get(worker);
    this.running.delete(worker);
    const at = this.idle.indexOf(worker);
    if (at >= 0) this.idle.splice(at, 1);
    job?.reject(error);
    if (!this.stopped) this.next();
  }
}

/** What arrives of a job's result. Classes do not: a `Buffer` arrives as a `Uint8Array`. */
type Result<Work extends (input: never) => unknown> =
  Awaited<ReturnType<Work>> extends Moved<infer Value> ? Value : Awaited<ReturnType<Work>>;
