import fs from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";

/** The processor time of `work` in milliseconds. Other processes make it wait, which does not count. */
export function cost(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The lowest of three costs: what else the process does, such as compiling, adds to one. It stops at one that is below `enough`. */
export function leastCost(work: () => unknown, enough = 0): number {
  let least = Infinity;
  for (let attempt = 0; attempt < 3 && least >= enough; attempt++) least = Math.min(least, cost(work));
  return least;
}

/**
 * How many times as long eight times as much takes: about 8 in linear time, 64 in quadratic time.
 * Costs below 10 ms say nothing, and count as 10 ms.
 */
export function growth(work: (length: number) => unknown, length: number): number {
  const few = Math.max(
    leastCost(() => work(length)),
    10,
  );
  return leastCost(() => work(8 * length), 12 * few) / few;
}

/**
 * The longest time in milliseconds for which `work` keeps the event loop to itself, in processor time of the process. The
 * lowest of three, as above.
 */
export async function leastHold(work: () => Promise<unknown>, enough = 0): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < 3 && least >= enough; attempt++) least = Math.min(least, await hold(work));
  return least;
}

async function hold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let turn = process.cpuUsage();
  let timer = setImmediate(function next() {
    const { user, system } = process.cpuUsage(turn);
    longest = Math.max(longest, (user + system) / 1_000);
    turn = process.cpuUsage();
    timer = setImmediate(next);
  });
  try {
    await work();
  } finally {
    clearImmediate(timer);
  }
  return longest;
}

/**
 * Measures for how long at most this thread keeps its event loop to itself, until the function it returns is called, in
 * milliseconds. In time of the processor, because a machine with other work lets the thread wait, and without a collection
 * of garbage, which takes longer in tests: most of the heap is theirs. What other threads do does not count.
 */
export function longestTurn(): () => number {
  let [last, longest, collecting] = [threadMs(), 0, 0];
  const measure = (): void => {
    const now = threadMs();
    [longest, last] = [Math.max(longest, now - last), now];
  };
  const timer = setInterval(measure, 1);
  const collections = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collecting = Math.max(collecting, duration);
  });
  collections.observe({ entryTypes: ["gc"] });
  return () => {
    measure();
    clearInterval(timer);
    collections.disconnect();
    return longest - collecting;
  };
}

/** Elsewhere than on Linux, where a thread does not learn it, the time that has passed. */
function threadMs(): number {
  if (process.platform !== "linux") return performance.now();
  return Number(fs.readFileSync("/proc/thread-self/schedstat", "utf8").split(" ", 1)[0]) / 1e6;
}
