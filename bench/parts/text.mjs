import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const TEXTS = process.env.PARLEY_TEXTS ?? path.join(import.meta.dirname, "../.data/star-1000.ndjson");

/** Every distinct text of the dialogues through the API, and a sample through each other way in and out. */
export default {
  name: "text",
  what: "texts that came out changed, of all that went in",
  against: "-",
  floor: "0",
  goal: "0",
  measure({ quick, log }) {
    if (!fs.existsSync(TEXTS)) throw new Error(`there are no dialogues at ${TEXTS}: name the file in PARLEY_TEXTS`);
    const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "parley-bench-text-")), "report.ndjson");
    const { status } = spawnSync(
      "npx",
      ["vitest", "run", "--configLoader", "runner", "test/server/text/ways.spec.ts"],
      {
        cwd: path.join(import.meta.dirname, "../.."),
        stdio: ["ignore", 2, 2],
        env: {
          ...process.env,
          PARLEY_TEXTS: TEXTS,
          PARLEY_TEXTS_REPORT: report,
          ...(quick && { PARLEY_TEXTS_SAMPLED: "200" }),
        },
      },
    );
    const ways = fs
      .readFileSync(report, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const { way, texts, seconds } of ways) log(`text: ${texts} through ${way} in ${seconds} s`);
    fs.rmSync(path.dirname(report), { recursive: true, force: true });
    const sum = (of) => ways.reduce((total, way) => total + way[of], 0);
    if (status !== 0 && !sum("wrong")) throw new Error("a way refused a text, or a server did not start: see above");
    return {
      ratio: sum("wrong"),
      note: `${sum("texts").toLocaleString("en")} texts through ${ways.length} ways in ${Math.round(sum("seconds"))} s`,
      details: [
        "| way | texts | s |",
        "|---|---|---|",
        ...ways.map(({ way, texts, seconds }) => `| ${way} | ${texts} | ${seconds} |`),
      ].join("\n"),
    };
  },
};
