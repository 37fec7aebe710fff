// `npm run dev`: the server and the dashboard, each changed file live at once. PostgreSQL keeps running. One address has both: Vite's,
// which passes on what the server answers.
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { createServer } from "vite";
import { bundle, COMPILED, compile, packages, SOURCES } from "./dev-compile.mjs";

const root = path.resolve(import.meta.dirname, "..");
/** An editor may write a file in several steps, and several files at once. */
const QUIET_MS = 40;
/** How long requests of the former process may take. */
const DRAIN_MS = 2_000;

if (fs.existsSync(path.join(root, ".env"))) process.loadEnvFile(path.join(root, ".env"));
const { DATABASE_URL } = process.env;
const DATA_DIR = process.env.DATA_DIR || ".data";
const HOST = process.env.HOST || "localhost";
const PORT = Number(process.env.PORT || 3000);
/** The demo's sign-in, which the server shows only once. */
const SIGN_IN = path.join(DATA_DIR, "demo-sign-in.txt");

/** A larger young generation, because garbage collections were a sixth of a start. */
const FLAGS = ["--enable-source-maps", "--max-semi-space-size=64"];

const say = (text) => console.log(text);
const load = (file) => import(pathToFileURL(path.join(COMPILED, file)).href);
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

// --- processes of the server

const running = new Set();
let settings;

/** A process that has not started the server yet, and imports packages meanwhile. */
function prepare() {
  const child = spawn(process.execPath, [...FLAGS, path.join(root, "scripts", "dev-server.mjs")], {
    cwd: root,
    env: settings,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  child.on("error", () => undefined);
  child.send({ packages: packages() });
  return child;
}

/** @returns where the server listens; undefined if the process ended */
async function startIn(child) {
  const ended = new AbortController();
  child.once("exit", () => ended.abort());
  if (child.exitCode !== null || child.signalCode) return undefined;
  child.send({ start: true });
  const [ready] = await once(child, "message", { signal: ended.signal }).catch(() => []);
  return ready;
}

async function end(child) {
  if (!running.has(child)) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await Promise.race([ended, sleep(DRAIN_MS, undefined, { ref: false })]);
  child.kill("SIGKILL");
  await ended;
}

// --- the loop

const changed = new Set();
let serving;
let next;
let spare;
let isWorking = false;
let isStopping = false;
let changedAt = 0;
let quiet;

function note(file) {
  if (!changed.size) changedAt = performance.now();
  changed.add(path.relative(root, file));
  clearTimeout(quiet);
  quiet = setTimeout(() => void work(), QUIET_MS);
}

async function work() {
  // What it starts is out of date already.
  if (isWorking) return void next?.kill("SIGKILL");
  isWorking = true;
  while (changed.size && !isStopping) {
    const files = [...changed];
    const since = changedAt;
    changed.clear();
    try {
      await reload(files, since);
    } catch (error) {
      say(`\n${error.message}\n\n${remains()}`);
    }
  }
  isWorking = false;
}

const remains = () =>
  serving ? "Not reloaded: what worked last still runs." : "No server runs. The next saved file starts it.";

async function reload(files, since) {
  await compile();
  next = spare ?? prepare();
  spare = undefined;
  const [ready] = await Promise.all([startIn(next), bundle()]);
  if (isStopping) return;
  if (!ready) {
    if (changed.size) files.forEach((file) => changed.add(file));
    else say(remains());
    return;
  }
  const former = serving;
  serving = next;
  next = undefined;
  serving.once("exit", (code, signal) => {
    if (isStopping || !serving || serving.exitCode !== code || serving.signalCode !== signal) return;
    serving = undefined;
    passTo(undefined);
    say(`The server ended (${signal ?? code}). ${remains()}`);
  });
  passTo(ready.address);
  if (former) say(`${files.join(", ")}: the server reloaded in ${seconds(since)}`);
  else announce(ready.demo);
  if (former) void end(former);
  spare = prepare();
}

function announce(demo) {
  if (demo) fs.writeFileSync(SIGN_IN, `${demo.join("\n")}\n`, { mode: 0o600 });
  const shown = demo ? demo[0] : fs.existsSync(SIGN_IN) && fs.readFileSync(SIGN_IN, "utf8").split("\n", 1)[0];
  say(`Parley is ready at ${address}`);
  if (shown) say(`${shown}\n  Keys of the API    ${SIGN_IN}`);
  else if (!DATABASE_URL) say("  Sign in            as the first start of this database printed it");
  say("  Saved files of src/ and web/ are live at once. Ctrl+C ends it.");
}

// --- Vite, which passes on to the server that runs

let target;
let isStarted;
const started = new Promise((resolve) => (isStarted = resolve));
const proxies = new Set();

/** @param url undefined if no server runs */
function passTo(url) {
  target = url;
  for (const options of proxies) options.target = url;
  isStarted();
}

const toServer = {
  name: "the-server-that-runs",
  config({ server }) {
    for (const proxy of Object.values(server.proxy)) {
      proxy.changeOrigin = false;
      proxy.configure = (passing, options) => {
        proxies.add(passing.options).add(options);
        options.target = passing.options.target = target;
      };
      proxy.bypass = async (_request, response) => {
        await started;
        if (target) return undefined;
        response.writeHead(503, { "Content-Type": "application/json" });
        response.end(JSON.stringify({ error: "No server runs; the output of npm run dev says why" }));
        return "/";
      };
    }
  },
  // Again after a change of Vite's configuration, for which Vite makes all of its own anew.
  configureServer({ watcher }) {
    watcher.add(SOURCES);
    watcher.on("all", (_event, file) => {
      if (file.startsWith(SOURCES + path.sep)) note(file);
    });
  },
};

const vite = await createServer({
  configFile: path.join(root, "web", "vite.config.ts"),
  clearScreen: false,
  server: { host: HOST, port: PORT, strictPort: true },
  plugins: [toServer],
});

let postgres;
async function stop() {
  if (isStopping) return;
  isStopping = true;
  await Promise.allSettled([vite.close(), ...[...running].map(end)]);
  await postgres?.stop();
  process.exit();
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void stop());

async function refuse(error) {
  console.error(`parley: ${error.message}`);
  process.exitCode = 1;
  await stop();
}

let address;
try {
  await vite.listen();
  const { port } = vite.httpServer.address();
  address = `http://${["0.0.0.0", "::"].includes(HOST) ? "localhost" : HOST.includes(":") ? `[${HOST}]` : HOST}:${port}`;
  settings = { ...process.env, PUBLIC_URL: process.env.PUBLIC_URL || address };
  say("Starting …");
  await compile().catch((error) => say(error.message));
  const { isLoopback } = await load("platform/config/values.js");
  if (!isLoopback(HOST))
    say(`WARNING: HOST=${HOST} lets other machines reach this server, the demo, and the files of the dashboard.`);
  if (!DATABASE_URL) {
    const { startEmbeddedPostgres } = await load("platform/database/embedded/embedded.js");
    const started = await startEmbeddedPostgres({ dataDir: DATA_DIR, mode: "own", log: say });
    if (isStopping) await started.stop();
    postgres = started;
  }
  note(SOURCES);
} catch (error) {
  await refuse(error);
}
