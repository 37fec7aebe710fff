import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OF_LOCALHOST } from "../server/security/certificate.js";
import { freePort } from "./ports.js";

/** The path of PgBouncer on this machine; undefined if it is not installed. `PGBOUNCER` names another one. */
const PGBOUNCER = [process.env.PGBOUNCER, "/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"].find(
  (file) => file !== undefined && fs.existsSync(file),
);

/** Is added to the names of tests that are skipped without PgBouncer. */
export const WITHOUT_PGBOUNCER = PGBOUNCER ? "" : " (left out: no PgBouncer was found; install pgbouncer)";

/** From 1.21 on, PgBouncer prepares statements on the connections that it shares out by transaction. */
export const PREPARES_IN_TRANSACTION_MODE = (() => {
  if (!PGBOUNCER) return false;
  const [, minor] = /PgBouncer 1\.(\d+)/i.exec(spawnSync(PGBOUNCER, ["--version"], { encoding: "utf8" }).stdout) ?? [];
  return Number(minor) >= 21;
})();

export interface PgBouncer {
  /** The same connection string through the pooler. */
  through(url: string): string;
  /** Has all connections to PostgreSQL made anew. */
  reconnect(): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  mode: "session" | "transaction";
  /** Lines of its section `pgbouncer`. */
  settings?: string[];
  /** Whether it takes connections with TLS alone, with the certificate of `OF_LOCALHOST`. */
  tls?: boolean;
}

/** A real PgBouncer in front of the PostgreSQL of these connection strings, which are the logins that it lets in. */
export async function startPgBouncer(
  urls: readonly string[],
  { mode, settings = [], tls = false }: Options,
): Promise<PgBouncer> {
  const logins = urls.map((url) => new URL(url));
  // It refuses to run as root.
  const user = process.getuid!() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-pgbouncer-"));
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text, { mode: 0o644 });
    return file;
  };
  fs.chmodSync(folder, 0o755);
  const port = await freePort("127.0.0.1");
  const users = write(
    "users.txt",
    logins.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`).join(""),
  );
  const [cert, key] = Object.entries(OF_LOCALHOST).map(([name, text]) => write(`${name}.pem`, text));
  const config = write(
    "pgbouncer.ini",
    `[databases]
* = host=127.0.0.1 port=${logins[0]!.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
admin_users = ${logins[0]!.username}
pool_mode = ${mode}
default_pool_size = 8
${tls ? `client_tls_sslmode = require\nclient_tls_cert_file = ${cert}\nclient_tls_key_file = ${key}` : ""}
${settings.join("\n")}
`,
  );
  const made: ChildProcess = spawn(PGBOUNCER!, [config], { cwd: folder, stdio: ["ignore", "ignore", "pipe"], ...user });
  let said = "";
  made.stderr!.on("data", (text) => {
    said += String(text);
  });
  while (!(await answers(port))) {
    if (made.exitCode !== null) throw new Error(`PgBouncer did not start: ${said}`);
    await sleep(20);
  }
  return {
    through: (url) => Object.assign(new URL(url), { hostname: tls ? "localhost" : "127.0.0.1", port }).href,
    reconnect: async () => {
      const { connect } = await import("./database.js");
      const admin = Object.assign(new URL(urls[0]!), { hostname: "127.0.0.1", port, pathname: "/pgbouncer" });
      const console = await connect(admin.href);
      // PgBouncer's console knows simple queries only.
      await console.query("reconnect");
      await console.end();
    },
    close: async () => {
      const ended = once(made, "exit");
      if (made.exitCode === null && made.signalCode === null) {
        made.kill("SIGKILL");
        await ended;
      }
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket
      .once("connect", () => {
        socket.destroy();
        resolve(true);
      })
      .once("error", () => resolve(false));
  });
