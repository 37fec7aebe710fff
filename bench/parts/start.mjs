import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const TIMES = 5;

/** `npm start` on a data folder that is there: from the command to the line that says that it is ready. */
export default {
  name: "start",
  what: "`npm start` on existing data, ready (s)",
  against: "-",
  floor: "≤ 4",
  goal: "≤ 2",
  async measure({ log }) {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "parley-bench-start-"));
    try {
      await this.once(dataDir);
      const times = [];
      for (let i = 0; i < TIMES; i++) times.push(await this.once(dataDir));
      times.sort((a, b) => a - b);
      log(`start: ${times.map((time) => time.toFixed(2)).join(", ")} s`);
      return {
        ratio: Number(times[Math.floor(TIMES / 2)].toFixed(2)),
        note: `slowest of ${TIMES}: ${times.at(-1).toFixed(2)}`,
      };
    } finally {
      fs.rmSync(dataDir, { recursive: true, force: true });
    }
  },
  /** @returns seconds until it is ready; it is stopped again */
  async once(dataDir) {
    const began = performance.now();
    const { DATABASE_URL: _, ...env } = process.env;
    const child = spawn("npm", ["start"], {
      cwd: path.join(import.meta.dirname, "../.."),
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
      env: { ...env, DATA_DIR: dataDir, PORT: "0" },
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    for await (const chunk of child.stdout) if (String(chunk).includes("Parley is ready")) break;
    const seconds = (performance.now() - began) / 1_000;
    process.kill(-Number(child.pid), "SIGTERM");
    await ended;
    return seconds;
  },
};
