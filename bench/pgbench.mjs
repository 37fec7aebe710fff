import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const AS_APPLICATION = "-c role=parley_app -c app.actor=system -c app.action=bench";

/**
 * pgbench with prepared statements, under the application's role: what PostgreSQL itself can do with these statements.
 * @param scripts texts of pgbench scripts, taken in turn with equal weight
 * @param options {clients, seconds, rate?: transactions a second, as fast as possible without; samples?: each transaction's time is wanted;
 *   settings?: of the session, otherwise those of the application's role}
 * @returns {Promise<{rate: number, mean: number, samples: {at: number, ms: number}[]}>} transactions a second; milliseconds; samples only where wanted, each
 *   with the Unix time of its end
 */
export async function pgbench(url, scripts, { clients, seconds, rate, samples: wanted, settings = AS_APPLICATION }) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "parley-bench-"));
  try {
    const files = scripts.flatMap((text, i) => {
      const file = path.join(dir, `${i}.sql`);
      fs.writeFileSync(file, text);
      return ["-f", file];
    });
    const { hostname, port, username, password, pathname } = new URL(url);
    const { stdout } = await promisify(execFile)(
      "pgbench",
      [
        "-n",
        "-M",
        "prepared",
        "-c",
        String(clients),
        "-j",
        "1",
        "-T",
        String(seconds),
        ...(rate ? ["-R", String(rate)] : []),
        ...(wanted ? ["-l", "--log-prefix", path.join(dir, "log")] : []),
        "-h",
        hostname,
        "-p",
        port,
        "-U",
        username,
        ...files,
        pathname.slice(1),
      ],
      {
        env: {
          ...process.env,
          PGPASSWORD: decodeURIComponent(password),
          PGOPTIONS: settings,
        },
        maxBuffer: 1 << 26,
      },
    );
    // The log names each transaction's latency in µs, and when it ended: seconds and µs.
    const samples = fs
      .readdirSync(dir)
      .filter((name) => name.startsWith("log"))
      .flatMap((name) =>
        fs
          .readFileSync(path.join(dir, name), "utf8")
          .trim()
          .split("\n")
          .map((line) => {
            const fields = line.split(" ").map(Number);
            return { at: fields[4] * 1_000 + fields[5] / 1_000, ms: fields[2] / 1_000 };
          }),
      );
    return {
      rate: Number(/tps = ([\d.]+)/.exec(stdout)[1]),
      mean: Number(/latency average = ([\d.]+)/.exec(stdout)[1]),
      samples,
    };
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

/** A named statement of ours as a pgbench script: each parameter becomes the SQL that makes its value. */
export function script(statement, values, sets = "") {
  return `${sets}\n${inlined(statement, values)};\n`;
}

/** pgbench ends a statement at the end of its line, unless that is a backslash. */
export const oneLine = (text) => text.replace(/\s+/g, " ").trim();

/** The text of a statement in one line, with each parameter replaced by the SQL that makes its value. */
export function inlined({ text, slots }, values) {
  const valueOf = (slot) =>
    slot?.name === undefined ? JSON.stringify(slot).replaceAll('"', "'") : (values[slot.name] ?? "null");
  return oneLine(text.replace(/\$(\d+)/g, (_, n) => valueOf(slots[n - 1])));
}
