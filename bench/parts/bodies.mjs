import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const SHOWN = 8;

/** Every shape of hostile JSON in every field of every route: for how long each keeps the event loop to itself. */
export default {
  name: "bodies",
  what: "the body that holds up the process longest, ms",
  against: "-",
  floor: "≤ 100",
  goal: "≤ 20",
  measure({ log }) {
    const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "parley-bench-bodies-")), "report.ndjson");
    const { status } = spawnSync(
      "npx",
      [
        "vitest",
        "run",
        "--configLoader",
        "runner",
        "test/server/security/bad-bodies.spec.ts",
        "-t",
        "no body holds up",
      ],
      {
        cwd: path.join(import.meta.dirname, "../.."),
        stdio: ["ignore", 2, 2],
        env: { ...process.env, PARLEY_BODIES_REPORT: report },
      },
    );
    const bodies = fs
      .readFileSync(report, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .sort((a, b) => b.ms - a.ms);
    fs.rmSync(path.dirname(report), { recursive: true, force: true });
    if (status !== 0) log("bodies: the test failed: see above");
    const dearest = [...new Map(bodies.toReversed().map((body) => [body.route, body])).values()].toReversed();
    dearest.sort((a, b) => b.ms - a.ms);
    const at = (share) => bodies[Math.floor(bodies.length * (1 - share))].ms.toFixed(1);
    return {
      ratio: bodies[0].ms.toFixed(1),
      p50: at(0.5),
      p99: at(0.99),
      note: `${bodies.length.toLocaleString("en")} bodies to ${dearest.length} routes`,
      details: [
        "| route | field | what is in it | bytes | ms |",
        "|---|---|---|---|---|",
        ...dearest
          .slice(0, SHOWN)
          .map(
            ({ route, field, shape, bytes, ms }) =>
              `| \`${route}\` | \`${field}\` | ${shape} | ${bytes.toLocaleString("en")} | ${ms.toFixed(1)} |`,
          ),
      ].join("\n"),
    };
  },
};
