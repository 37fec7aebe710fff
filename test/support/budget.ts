import fs from "node:fs";
import os from "node:os";
import type { Reporter, TestModule, TestRunEndReason, Vitest } from "vitest/node";
import { ALL_FILES } from "./sweep.js";
import { TIMES, TIMES_FILE } from "./times.js";

/** A run may take this much longer than the one that was written down. */
const ROOM = 1.2;

/**
 * Ends a run with its counts on one line. If the whole suite took longer than its budget by a fifth, it names the files that
 * grew. A slower machine slows all files, so a file has grown if it takes more than its usual share.
 */
export class Budget implements Reporter {
  private began = 0;
  private vitest!: Vitest;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestRunStart(): void {
    this.began = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    if (reason === "interrupted" || this.vitest.config.watch) return;
    const seconds = (performance.now() - this.began) / 1_000;
    const times = Object.fromEntries(modules.map((module) => [module.relativeModuleId, secondsOf(module)]));
    if (process.env.TIMES === "write" && reason === "passed") {
      write(seconds, times);
    } else if (!ALL_FILES && Object.keys(TIMES.files).every((file) => file in times)) {
      // The whole suite, as `npm test` runs it.
      for (const line of complaints(seconds, times)) console.log(line);
    }
    const count = (state: "passed" | "failed" | "skipped"): number =>
      modules.reduce((sum, module) => sum + [...module.children.allTests(state)].length, 0);
    // A file that does not load, and an error outside every test, are failures too.
    const broken = modules.filter((module) => !module.ok() && ![...module.children.allTests("failed")].length).length;
    console.log(
      `${count("passed")} passed, ${count("failed") + broken + errors.length} failed, ${count("skipped")} skipped`,
    );
  }
}

/** From the import of the file to its last hook. */
function secondsOf(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return (collectDuration + setupDuration + duration) / 1_000;
}

function write(total: number, times: Record<string, number>): void {
  const files = Object.fromEntries(
    Object.entries(times)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([file, seconds]) => [file, Math.round(seconds * 10) / 10]),
  );
  const value = { cores: os.availableParallelism(), total: Math.round(total), files };
  fs.writeFileSync(TIMES_FILE, `${JSON.stringify(value, null, 2)}\n`);
}

/** What is over the budget, in words. */
export function complaints(total: number, times: Record<string, number>, known = TIMES): string[] {
  if (total <= known.total * ROOM) return [];
  const ratios = Object.entries(known.files)
    .filter(([file, seconds]) => seconds >= 1 && file in times)
    .map(([file, seconds]) => times[file]! / seconds)
    .sort((a, b) => a - b);
  const usual = ratios[Math.floor(ratios.length / 2)] ?? 1;
  const grown = Object.entries(times)
    .map(([file, seconds]) => ({ file, seconds, before: (known.files[file] ?? 0) * usual }))
    .filter(({ seconds, before }) => seconds > before * ROOM && seconds - before > 2)
    .sort((a, b) => b.seconds - b.before - (a.seconds - a.before));
  return [
    `The tests took ${total.toFixed(0)} s, and ${known.total} s when their times were last written down, on ${known.cores} cores.`,
    ...(usual > ROOM ? [`This machine, or all of Parley, is ${usual.toFixed(1)} times slower.`] : []),
    ...grown.map(
      ({ file, seconds, before }) => `grown: ${file} took ${seconds.toFixed(1)} s instead of ${before.toFixed(1)}`,
    ),
    ...(grown.length ? ["If that is meant, write the times down: TIMES=write npm test"] : []),
  ];
}
