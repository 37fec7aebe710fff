import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { TookTooLong, TookTooMuchMemory, WorkerPool } from "../../../src/platform/workers/worker-pool.js";
import { bundle } from "../../../scripts/workers.mjs";
import { longestTurn } from "../../support/cost.js";
import type { Jobs } from "./hungry.thread.js";

// In the checkout, so that it finds the packages.
const folder = fileURLToPath(new URL("../../../dist/workers-test/", import.meta.url));
const script = path.join(folder, `${process.pid}.mjs`);
const pools: WorkerPool<Jobs>[] = [];
function pool(deadlineMs = 30_000, size = 2): WorkerPool<Jobs> {
  const made = new WorkerPool<Jobs>(pathToFileURL(script), { size, deadlineMs, maxHeapMb: 64 });
  pools.push(made);
  return made;
}

beforeAll(() => bundle(fileURLToPath(new URL("hungry.thread.ts", import.meta.url)), script));
afterEach(() => Promise.all(pools.splice(0).map((one) => one.stop())));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test("a job that runs into its deadline is stopped, without the event loop noticing, and the next job runs", async () => {
  const workers = pool(300, 1);
  await workers.run("a", "thread", undefined);
  const longest = longestTurn();
  await expect(workers.run("a", "spin", undefined as never)).rejects.toThrow(TookTooLong);
  expect(longest()).toBeLessThan(150);
  expect(await workers.run("a", "thread", undefined as never)).toBeGreaterThan(0);
});

test("a job that takes too much memory is stopped, and the process and the other jobs go on", async () => {
  const workers = pool();
  const other = workers.run("b", "sleep", 200);
  await expect(workers.run("a", "eat", undefined as never)).rejects.toThrow(TookTooMuchMemory);
  await other;
  expect(await workers.run("a", "thread", undefined as never)).toBeGreaterThan(0);
});

test("a job that throws, and one that ends its worker, fail alone", async () => {
  const workers = pool();
  await expect(workers.run("a", "fail", undefined as never)).rejects.toThrow("the job failed");
  await expect(workers.run("a", "exit", undefined as never)).rejects.toThrow("a worker ended");
  await expect(workers.run("a", "double", new Uint8Array([1, 2, 3]))).resolves.toEqual(new Uint8Array([2, 4, 6]));
});

test("one key has one job running at most: a tenant with many expensive jobs leaves a worker to the others", async () => {
  const workers = pool(120_000);
  await workers.run("a", "thread", undefined);
  let ended = 0;
  const greedy = Promise.allSettled(
    [1, 2, 3].map(() => workers.run("greedy", "spin", undefined as never).finally(() => ended++)),
  );
  for (let n = 0; n < 20; n++) await workers.run(`modest ${n}`, "sleep", 5);
  expect(ended, "all of them had their turn before the first greedy job ended").toBe(0);
  await workers.stop();
  expect((await greedy).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
});

test("keys take turns: a job does not wait for all jobs that another key had before it", async () => {
  const workers = pool(30_000, 1);
  const order: string[] = [];
  const run = (key: string): Promise<void> => workers.run(key, "sleep", 5).then(() => void order.push(key));
  await Promise.all(["a", "a", "a", "a", "b", "c"].map(run));
  // The second "a" was next in line before the others came.
  expect(order).toEqual(["a", "a", "b", "c", "a", "a"]);
});

test("a worker is kept for the next job, and buffers move without being copied", async () => {
  const workers = pool(30_000, 1);
  const first = await workers.run("a", "thread", undefined);
  expect(await workers.run("b", "thread", undefined as never)).toBe(first);
  const bytes = new Uint8Array(1_000_000).fill(21);
  const doubled = await workers.run("a", "double", bytes, [bytes.buffer]);
  expect(bytes.byteLength).toBe(0);
  expect([doubled.length, doubled[999_999]]).toEqual([1_000_000, 42]);
});

test("jobs that wait when the pool stops are refused, and so are later ones", async () => {
  const workers = pool(30_000, 1);
  const jobs = Promise.allSettled(["a", "b", "c"].map((key) => workers.run(key, "spin", undefined as never)));
  await workers.stop();
  expect((await jobs).every(({ status }) => status === "rejected")).toBe(true);
  await expect(workers.run("a", "thread", undefined as never)).rejects.toThrow("have stopped");
});
