// node bench/breakers.mjs: how often a circuit breaker trips by chance, and how soon it does when it should. The tables of docs/quality.md.
import { execFileSync } from "node:child_process";
import path from "node:path";

/** Numbers from 0 to 1, the same at each run (mulberry32). */
export function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The days of a rolling window, today's first, as the counts give them to `judge`. */
class Window {
  constructor(judge, watch) {
    Object.assign(this, {
      judge,
      watch,
      totals: new Int32Array(watch.windowDays),
      bads: new Int32Array(watch.windowDays),
    });
  }

  tomorrow() {
    for (const counts of [this.totals, this.bads]) {
      counts.copyWithin(1, 0);
      counts[0] = 0;
    }
  }

  /** Whether it trips. A good outcome never does, and need not be looked at. */
  add(bad) {
    this.totals[0]++;
    if (!bad) return false;
    this.bads[0]++;
    return this.judge(this.totals, this.bads, this.watch) !== undefined;
  }

  /** As a resolved breaker does: all of it is settled. */
  settle() {
    this.totals.fill(0);
    this.bads.fill(0);
  }
}

/** Trips of an agent that is always as bad as its threshold just allows, looked at after every outcome while its window rolls on, day by day. */
export function falseTrips(judge, { threshold, volume, windows, windowDays = 30, minimumSample = 20, seed }) {
  const next = numbers(seed);
  const window = new Window(judge, { threshold, windowDays, minimumSample });
  let trips = 0;
  let due = 0;
  for (let day = 0; day < (windows + 1) * windowDays; day++) {
    window.tomorrow();
    for (due += volume / windowDays; due >= 1; due--) {
      if (!window.add(next() < threshold)) continue;
      // The first window fills up.
      if (day >= windowDays) trips++;
      window.settle();
    }
  }
  return trips;
}

/** How many outcomes after it turned bad an agent trips, in each of `runs`; sorted. */
export function untilItTrips(
  judge,
  { threshold = 0.1, before = 0.05, after, history, perDay = 20, runs, windowDays = 30, minimumSample = 20, seed },
) {
  const next = numbers(seed);
  const counts = [];
  while (counts.length < runs) {
    const window = new Window(judge, { threshold, windowDays, minimumSample });
    const daily = history ? Math.max(perDay, Math.ceil(history / (windowDays - 5))) : perDay;
    let today = 0;
    const turn = () => {
      if (++today < daily) return;
      today = 0;
      window.tomorrow();
    };
    for (let n = 0; n < history; n++) {
      if (window.add(next() < before)) window.settle();
      turn();
    }
    for (let n = 1; ; n++) {
      if (window.add(next() < after) || n === 100_000) {
        counts.push(n);
        break;
      }
      turn();
    }
  }
  return counts.sort((one, other) => one - other);
}

/** The highest rate that so few trips in so many windows leave possible, at 95 % (Clopper and Pearson). */
export function highest(trips, windows) {
  let [low, high] = [trips / windows, 1];
  for (let step = 0; step < 60; step++) {
    const rate = (low + high) / 2;
    let [term, sum] = [-rate * windows, 0];
    for (let k = 0; k <= trips; k++) {
      sum += Math.exp(term);
      term += Math.log((rate * windows) / (k + 1));
    }
    if (sum > 0.05) low = rate;
    else high = rate;
  }
  return high;
}

const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

async function main() {
  execFileSync(process.execPath, ["scripts/build.mjs", "--if-needed"], {
    cwd: path.join(import.meta.dirname, ".."),
    stdio: "inherit",
  });
  const { judge } = await import("../dist/src/quality/breakers/sequential-test.js");
  const windows = Number(process.argv[2] ?? 10_000);
  const rows = [];
  let trips = 0;
  for (const threshold of [0.02, 0.05, 0.1, 0.2, 0.3]) {
    for (const volume of [200, 1_000, 5_000]) {
      const seen = falseTrips(judge, { threshold, volume, windows, seed: rows.length + 1 });
      trips += seen;
      rows.push([
        `${threshold * 100} %`,
        volume.toLocaleString("en"),
        windows.toLocaleString("en"),
        seen,
        `1 in ${Math.floor(1 / highest(seen, windows)).toLocaleString("en")}`,
      ]);
    }
  }
  const all = rows.length * windows;
  rows.push([
    "all",
    "",
    all.toLocaleString("en"),
    trips,
    `1 in ${Math.floor(1 / highest(trips, all)).toLocaleString("en")}`,
  ]);
  console.log(
    `${table(["threshold = true share", "outcomes a window", "windows", "false trips", "at the most (95 %)"], rows)}\n`,
  );
  const turns = [0.1, 0.15, 0.2, 0.3, 0.5, 0.8].map((after, n) => [
    `${after * 100} %`,
    ...[0, 200, 1_000].map((history) => {
      const runs = after > 0.15 ? 1_000 : 200;
      const counts = untilItTrips(judge, { after, history, runs, seed: 100 + n });
      const at = (share) => {
        const count = counts[Math.ceil(runs * share) - 1];
        return count >= 100_000 ? "never" : count.toLocaleString("en");
      };
      return `${at(0.5)} / ${at(0.95)}`;
    }),
  ]);
  console.log(table(["bad from then on", "no history", "200 before", "1,000 before"], turns));
}

if (process.argv[1] === import.meta.filename) await main();
