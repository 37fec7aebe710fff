import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** The unprivileged account that root must switch to, because PostgreSQL refuses to run as root. */
export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

/** A child process that ends when this process ends, in any way. */
export interface GuardedProcess {
  /** Resolves when the child has ended. Never rejects. */
  exited: Promise<void>;
  hasExited(): boolean;
  exitCode(): number | null;
  /** The latest error output of the child. */
  output(): Promise<string>;
  /** Lets the event loop end while the child still runs. */
  unref(): void;
  /** Stops the child (SIGINT: PostgreSQL's fast shutdown) and waits until it has ended. */
  end(): Promise<void>;
}

/**
 * Runs its arguments and watches file descriptor 3. Only the node process holds the other end. End of file means that
 * node stopped the server or died (even by kill -9). Then the server is told to shut down. The signal is repeated,
 * because a shell starts background jobs with SIGINT ignored: a signal that arrives before the server has installed
 * its handler would be lost. When the server has ended, the watch must end too, before the server's pid is reused.
 */
const WATCHDOG = `
"$@" </dev/null 3<&- & server=$!
(cat; while kill -INT $server; do sleep 1; done) <&3 >/dev/null 2>&1 & watch=$!
wait $server; status=$?
kill $watch 2>/dev/null
exit $status`;

/** Enough for the last lines of initdb or postgres. */
const KEPT_OUTPUT = 8_000;

export function spawnGuarded(command: string, args: string[], user: ServerUser | undefined): GuardedProcess {
  const child = spawn("/bin/sh", ["-c", WATCHDOG, "parley-watchdog", command, ...args], {
    ...(user && { uid: user.uid, gid: user.gid }),
    // A separate session: Ctrl-C in the terminal must only reach node, which then stops the server properly.
    detached: true,
    cwd: "/",
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const lifeline = child.stdio[3] as Socket;
  const errors = child.stderr as Socket;
  let output = "";
  let gone = false;
  errors.setEncoding("utf8");
  errors.on("data", (chunk: string) => (output = (output + chunk).slice(-KEPT_OUTPUT)));
  lifeline.on("error", () => undefined);

  const exited = new Promise<void>((resolve) => {
    const finish = () => {
      gone = true;
      lifeline.destroy();
      resolve();
    };
    child.once("exit", finish);
    child.once("error", (error) => {
      output += `\n${error.message}`;
      finish();
    });
  });

  return {
    exited,
    hasExited: () => gone,
    exitCode: () => child.exitCode,
    output: async () => {
      // The exit may be reported before the rest of the output was read.
      if (!errors.closed) await Promise.race([once(errors, "close"), sleep(500)]);
      return output.trim();
    },
    unref: () => {
      child.unref();
      lifeline.unref();
      errors.unref();
    },
    end: async () => {
      child.ref();
      lifeline.destroy();
      await exited;
    },
  };
}

/**
 * Distinguishes a process from a later one with the same pid: its start time and the boot of the machine. Undefined
 * if no such process is alive. A zombie has ended, even though `kill -0` succeeds.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === "linux" ? beganOnLinux(pid) : beganAccordingToPs(pid);
}

function beganOnLinux(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (!stat) return undefined;
  // The command name is in brackets and may contain anything. Count from after it: the state, then the start time as
  // 19th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return undefined;
  return `${readIfThere("/proc/sys/kernel/random/boot_id") ?? ""}${fields[19]}`;
}

function beganAccordingToPs(pid: number): string | undefined {
  const [state, ...began] = ps(pid, "stat=,lstart=").trim().split(/\s+/);
  return !state || state.startsWith("Z") ? undefined : began.join(" ");
}

/** The command line of a living process. Empty if there is none. */
export function commandLine(pid: number): string {
  if (process.platform !== "linux") return ps(pid, "command=");
  return (readIfThere(`/proc/${pid}/cmdline`) ?? "").replaceAll("\0", " ");
}

function ps(pid: number, columns: string): string {
  try {
    return execFileSync("ps", ["-o", columns, "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return ""; // ps fails when the process is not there
  }
}

/** The text of a file that another process may remove at any moment. */
export function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
}
