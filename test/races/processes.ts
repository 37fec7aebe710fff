import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { FOR_SHORT_LIVES } from "../server/process/support.js";
import { attachmentsOf, AUTH_WEBHOOK_SECRET, PATIENT_SECONDS, SECRET_KEY } from "../support/app.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The server itself gives up after 20 s, and ends with 1. */
const STOP_MS = 120_000;

export interface Process {
  baseUrl: string;
  /** All output so far. */
  output(): string;
  /** SIGTERM. Resolves to the exit code: 0 if it has ended all that it was doing. */
  stop(): Promise<number | null>;
  /** kill -9 */
  kill(): Promise<void>;
}

/** Starts the server as in production: as its own process, from `dist`, on a shared database. */
export async function startProcess(db: { url: string }, settings: Record<string, string> = {}): Promise<Process> {
  // Outside the repository, so that the developer's .env is not read.
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), "parley-process-"));
  const child = spawn(process.execPath, [path.join(ROOT, "dist/src/main.js")], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: FOR_SHORT_LIVES,
      NODE_ENV: "test",
      DATABASE_URL: db.url,
      HOST: "127.0.0.1",
      PORT: "0",
      LOG_LEVEL: "error",
      SECRET_KEY,
      AUTH_WEBHOOK_SECRET,
      DATABASE_WAIT_SECONDS: String(PATIENT_SECONDS),
      ATTACHMENTS_DIR: attachmentsOf(db),
      ...settings,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const kill = (): void => {
    child.kill("SIGKILL");
  };
  process.once("exit", kill);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve)).then((code) => {
    process.off("exit", kill);
    fs.rmSync(cwd, { recursive: true, force: true });
    return code;
  });
  return {
    baseUrl: await address(child),
    output: () => output,
    stop: async () => {
      child.kill("SIGTERM");
      const timer = setTimeout(kill, STOP_MS);
      const code = await ended;
      clearTimeout(timer);
      return code;
    },
    kill: async () => {
      kill();
      await ended;
    },
  };
}

/** The base URL, once the server reports that it is ready. */
function address(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const read = (text: string): void => {
      output += text;
      const ready = /ready at (http:\S+)/.exec(output);
      if (!ready) return;
      resolve(ready[1]!);
      for (const stream of [child.stdout!, child.stderr!]) stream.off("data", read);
    };
    child.stdout!.on("data", read);
    child.stderr!.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${output}`)));
  });
}
