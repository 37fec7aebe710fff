import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const ROOT = path.join(import.meta.dirname, "../..");
const DATA = path.join(import.meta.dirname, "../.data/feed-soak");
const DEFAULT_CHANGES = 100_000;

/** Many changes, while processes and PostgreSQL are killed: test/server/feed/soak.ts, for longer. */
export default {
  name: "feed-soak",
  what: "changes that a reader missed, had twice or in the wrong order",
  against: "-",
  floor: "0",
  goal: "0",
  measure({ changes = DEFAULT_CHANGES, minutes, log }) {
    fs.rmSync(DATA, { recursive: true, force: true });
    fs.mkdirSync(DATA, { recursive: true });
    const report = path.join(DATA, "report.json");
    const { status } = spawnSync("npx", ["vitest", "run", "--configLoader", "runner", "test/endurance/feed.spec.ts"], {
      cwd: ROOT,
      stdio: ["ignore", 2, 2],
      env: {
        ...process.env,
        FEED_SOAK_CHANGES: String(changes),
        FEED_SOAK_DATA: DATA,
        FEED_SOAK_REPORT: report,
        ...(minutes && { FEED_SOAK_MINUTES: String(minutes) }),
      },
    });
    if (status !== 0) throw new Error("the readers and the database disagree: see above");
    const done = JSON.parse(fs.readFileSync(report, "utf8"));
    fs.rmSync(DATA, { recursive: true, force: true });
    log(`feed-soak: ${done.changes} changes in ${done.seconds} s`);
    return {
      ratio: 0,
      note: `${done.changes.toLocaleString("en")} changes in ${done.seconds} s`,
      details: [
        "| | |",
        "|---|---|",
        ...Object.entries(done).map(([name, value]) => `| ${name} | ${value.toLocaleString("en")} |`),
      ].join("\n"),
    };
  },
};
