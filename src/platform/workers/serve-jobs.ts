import { parentPort } from "node:worker_threads";

/** A result whose buffers move to the process instead of being copied. */
export class Moved<Value> {
  constructor(
    readonly value: Value,
    readonly buffers: readonly ArrayBuffer[],
  ) {}
}

/** Serves the jobs of a `WorkerPool`. Call it once in the worker's script. */
export function serveJobs(jobs: Record<string, (input: never) => unknown>): void {
  const port = parentPort!;
  port.on("message", ({ name, input }: { name: string; input: never }) => {
    // `then`, so that a job that throws at once is answered, too.
    Promise.resolve()
      .then(() => jobs[name]!(input))
      .then((result) => {
        if (result instanceof Moved) port.postMessage({ value: result.value as unknown }, result.buffers);
        else port.postMessage({ value: result });
      })
      .catch((error: unknown) => port.postMessage({ error: error instanceof Error ? error.message : String(error) }));
  });
  port.postMessage({ ready: true });
}
