import { threadId } from "node:worker_threads";
import { Moved, serveJobs } from "../../../src/platform/workers/serve-jobs.js";

const jobs = {
  thread: (): number => threadId,
  spin: (): never => {
    for (;;);
  },
  sleep: (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms)),
  eat: (): never => {
    for (const all: unknown[] = []; ;) all.push(new Array(1_000).fill(Math.random()));
  },
  exit: (): never => process.exit(0),
  fail: (): never => {
    throw new Error("the job failed");
  },
  double: (bytes: Uint8Array): Moved<Uint8Array> => {
    const twice = Uint8Array.from(bytes, (byte) => 2 * byte);
    return new Moved(twice, [twice.buffer]);
  },
};
export type Jobs = typeof jobs;

serveJobs(jobs);
