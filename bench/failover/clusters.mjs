// PostgreSQL that outlives its primary, and HAProxy in front of it: a pair that this bench promotes by itself, and three nodes of Patroni.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort, NOBODY, PG_BIN, run, until } from "../chaos/servers.mjs";

/** A primary that is silent for so long is given up. */
const GIVEN_UP_MS = 2_000;
const LOOK_MS = 250;
/** What Debian has. */
const PATRONI = process.env.PATRONI ?? "patroni";
const ETCD = process.env.ETCD ?? "etcd";

/** @returns the ids of the processes that this one started */
async function childrenOf(pid) {
  const { stdout } = await run("ps", ["-o", "pid=", "--ppid", String(pid)]).catch(() => ({ stdout: "" }));
  return stdout.trim().split(/\s+/).filter(Boolean).map(Number);
}
/** Ends them at once, as a power cut does: none has a last word about the end of another one. @returns when */
function killAll(pids) {
  const at = performance.now();
  for (const signal of ["SIGSTOP", "SIGKILL"])
    for (const pid of pids)
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended meanwhile.
      }
  return at;
}
/** What has ended, and waits for its parent to ask, does not run. */
function isRunning(pid) {
  try {
    return !/\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
function makeFolder(folder) {
  fs.mkdirSync(folder, { mode: 0o700 });
  if (NOBODY.uid) fs.chownSync(folder, NOBODY.uid, NOBODY.gid);
}

/** A server of PostgreSQL at an address that stays, whatever runs there. HAProxy asks at `checkPort` whether it takes changes. */
class Server {
  constructor(folder, name, port, checkPort) {
    Object.assign(this, { folder, name, port, checkPort, data: path.join(folder, name) });
  }
  url(database = "postgres", login = "postgres") {
    return `postgres://${login}:${login}@127.0.0.1:${this.port}/${database}`;
  }
  async ask(sql, patience = 30_000, database = "postgres") {
    const client = new pg.Client({
      connectionString: this.url(database),
      connectionTimeoutMillis: patience,
      query_timeout: patience,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return (await client.query(sql)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  takesChanges() {
    return this.ask("select not pg_is_in_recovery() as yes", 900).then(
      ([row]) => row.yes,
      () => false,
    );
  }
  /** How many standbys it has, and how many of them it waits for. */
  async standbys() {
    const [row] = await this.ask(
      "select count(*)::int as all, count(*) filter (where sync_state = 'sync')::int as sync from pg_stat_replication where state = 'streaming'",
    );
    return row;
  }
}

class PairedServer extends Server {
  constructor(...args) {
    super(...args);
    this.check = http
      .createServer(async (_, response) => response.writeHead((await this.takesChanges()) ? 200 : 503).end())
      .listen(this.checkPort, "127.0.0.1");
  }
  start() {
    const settings = [
      `port=${this.port}`,
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=100",
    ];
    this.process = spawn(path.join(PG_BIN, "postgres"), ["-D", this.data, ...settings.flatMap((one) => ["-c", one])], {
      ...NOBODY,
      cwd: "/",
      stdio: "ignore",
    });
    return until(() => this.ask("select 1"));
  }
  async create() {
    const password = path.join(this.folder, "password");
    fs.writeFileSync(password, "postgres", { mode: 0o644 });
    makeFolder(this.data);
    const args = ["-U", "postgres", "--auth=scram-sha-256", `--pwfile=${password}`, "-E", "UTF8", "--locale=C"];
    await run(path.join(PG_BIN, "initdb"), ["-D", this.data, ...args], { ...NOBODY, cwd: "/" });
    await this.start();
  }
  /** A standby of this one, without which the primary acknowledges nothing. */
  async follow(primary) {
    fs.rmSync(this.data, { recursive: true, force: true });
    makeFolder(this.data);
    const args = ["-D", this.data, "-d", primary.url(), "-R", "-X", "stream", "-c", "fast"];
    await run(path.join(PG_BIN, "pg_basebackup"), args, { ...NOBODY, cwd: "/" });
    await this.start();
    await primary.ask("alter system set synchronous_standby_names = '*'");
    await primary.ask("select pg_reload_conf()");
    await until(async () => (await primary.standbys()).sync === 1);
  }
}

/** Two servers. What a manager would do, this does. */
export class Pair {
  /** On a busy machine, a look takes longer than its interval. */
  check = "option httpchk\n  timeout check 1s";
  inter = "250ms";

  static async create(folder) {
    const pair = new Pair();
    pair.servers = [];
    for (const name of ["a", "b"])
      pair.servers.push(new PairedServer(folder, name, await freePort(), await freePort()));
    [pair.primary, pair.standby] = pair.servers;
    await pair.primary.create();
    await pair.standby.follow(pair.primary);
    return pair;
  }
  /** @returns when */
  async cut() {
    const { pid } = this.primary.process;
    const ended = once(this.primary.process, "exit");
    const at = killAll([pid, ...(await childrenOf(pid))]);
    await ended;
    return at;
  }
  /** What a manager such as Patroni does: it gives the silent one up, and promotes the other. */
  async elect() {
    for (let heard = performance.now(); performance.now() < heard + GIVEN_UP_MS; await sleep(LOOK_MS))
      if (await this.primary.takesChanges()) heard = performance.now();
    await this.standby.ask("select pg_promote(false)");
    [this.primary, this.standby] = [this.standby, this.primary];
  }
  rejoin() {
    return this.standby.follow(this.primary);
  }
  async stop() {
    for (const { process: child, check } of this.servers) {
      child?.kill("SIGQUIT");
      check.close();
      check.closeAllConnections();
    }
    await sleep(500);
  }
}

class PatroniNode extends Server {
  constructor(folder, name, port, checkPort, etcdPort, settings) {
    super(folder, name, port, checkPort);
    this.file = path.join(folder, `${name}.json`);
    const dcs = {
      ...settings,
      maximum_lag_on_failover: 1_048_576,
      synchronous_mode: true,
      synchronous_mode_strict: true,
      // The standby that is left asks the new primary for a slot before that has made it, and by default tries again after 5 seconds.
      postgresql: {
        use_pg_rewind: true,
        use_slots: true,
        parameters: { max_connections: 100, wal_retrieve_retry_interval: "250ms" },
      },
    };
    const login = (username) => ({ username, password: username });
    const config = {
      scope: "parley",
      name,
      restapi: { listen: `127.0.0.1:${checkPort}`, connect_address: `127.0.0.1:${checkPort}` },
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      bootstrap: { dcs, initdb: [{ encoding: "UTF8" }, { locale: "C" }] },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: this.data,
        bin_dir: PG_BIN,
        pgpass: path.join(folder, `${name}.pgpass`),
        authentication: { superuser: login("postgres"), replication: login("replicator") },
        pg_hba: ["host all all 127.0.0.1/32 scram-sha-256", "host replication replicator 127.0.0.1/32 scram-sha-256"],
        parameters: { unix_socket_directories: "" },
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
      },
    };
    // JSON is YAML.
    fs.writeFileSync(this.file, JSON.stringify(config), { mode: 0o644 });
  }
  start() {
    const log = fs.openSync(path.join(this.folder, `${this.name}.log`), "a");
    this.process = spawn(PATRONI, [this.file], {
      ...NOBODY,
      cwd: this.folder,
      env: { PATH: process.env.PATH, HOME: this.folder, LC_ALL: "C.UTF-8" },
      stdio: ["ignore", log, log],
    });
    fs.closeSync(log);
  }
  /** PostgreSQL is no child of Patroni: it outlives it. */
  async pids() {
    const found = [this.process.pid, ...(await childrenOf(this.process.pid))];
    let postmaster;
    try {
      postmaster = Number(fs.readFileSync(path.join(this.data, "postmaster.pid"), "utf8").split("\n", 1)[0]);
    } catch {
      return found;
    }
    return [...found, postmaster, ...(await childrenOf(postmaster))];
  }
  async cut() {
    const pids = await this.pids();
    const at = killAll(pids);
    await until(() => !pids.some(isRunning));
    return at;
  }
  /** Whether Patroni says that it has the leader's lock. */
  leads() {
    return fetch(`http://127.0.0.1:${this.checkPort}/primary`, { signal: AbortSignal.timeout(1_000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  }
}

/** Three nodes, with etcd. Nothing here promotes. */
export class Patroni {
  check = "option httpchk GET /primary\n  http-check expect status 200";
  inter = "1s";

  /** @param settings ttl, loop_wait, retry_timeout, synchronous_node_count */
  static async create(folder, settings) {
    const cluster = new Patroni();
    cluster.synchronous = settings.synchronous_node_count;
    // The nodes make their own folders in it.
    if (NOBODY.uid) fs.chownSync(folder, NOBODY.uid, NOBODY.gid);
    const [port, peerPort] = [await freePort(), await freePort()];
    const url = (at) => `http://127.0.0.1:${at}`;
    const data = path.join(folder, "etcd");
    makeFolder(data);
    const args = {
      name: "one",
      "data-dir": data,
      "listen-client-urls": url(port),
      "advertise-client-urls": url(port),
      "listen-peer-urls": url(peerPort),
      "initial-advertise-peer-urls": url(peerPort),
      "initial-cluster": `one=${url(peerPort)}`,
    };
    const list = Object.entries(args).map(([name, value]) => `--${name}=${value}`);
    cluster.etcd = spawn(ETCD, list, { ...NOBODY, cwd: folder, stdio: "ignore" });
    cluster.servers = [];
    for (const name of ["a", "b", "c"])
      cluster.servers.push(new PatroniNode(folder, name, await freePort(), await freePort(), port, settings));
    await until(async () => (await fetch(`${url(port)}/health`)).status === 200);
    for (const server of cluster.servers) server.start();
    await cluster.elect();
    await cluster.isWhole();
    return cluster;
  }
  async elect() {
    this.primary = await until(async () => {
      for (const server of this.servers) if (server !== this.killed && (await server.leads())) return server;
      return undefined;
    });
  }
  /** Two standbys, and the primary waits for as many as it should. */
  isWhole() {
    return until(async () => {
      const { all, sync } = await this.primary.standbys();
      return all === 2 && sync === this.synchronous;
    });
  }
  cut() {
    this.killed = this.primary;
    return this.primary.cut();
  }
  async rejoin() {
    this.killed.start();
    this.killed = undefined;
    await this.isWhole();
  }
  async stop() {
    for (const server of this.servers) if (server.process) await server.cut();
    killAll([this.etcd.pid]);
  }
}

export function startHaproxy(folder, cluster, port) {
  const file = path.join(folder, "haproxy.cfg");
  fs.writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  ${cluster.check}
  default-server inter ${cluster.inter} fall 2 rise 1 on-marked-down shutdown-sessions
${cluster.servers.map(({ name, port: at, checkPort }) => `  server ${name} 127.0.0.1:${at} check port ${checkPort}`).join("\n")}
`,
  );
  return spawn("haproxy", ["-f", file], { stdio: "ignore" });
}
