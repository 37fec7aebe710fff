import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CHROMIUM, closePages, openBrowser, WITHOUT_BROWSER } from "../support/browser.js";
import { Client } from "../support/client.js";
import { upload } from "../server/attachments/support.js";
import {
  allowTimeForProcesses,
  cleanUp,
  newFolder,
  npmRunDev,
  postgresOf,
  processesOn,
  ROOT,
  type Run,
  superuser,
} from "../server/process/support.js";

allowTimeForProcesses();
// A reload takes seconds of processor time, and other tests run beside this.
const PATIENCE_MS = 300_000;
vi.setConfig({ testTimeout: 2 * PATIENCE_MS, hookTimeout: 2 * PATIENCE_MS });

// `npm run dev` in a copy of the sources, which these tests change.

const COPIED = ["package.json", "openapi.json", "tsconfig.json", "scripts", "src", "sdk", "web", "demo"];

let folder: string;
let dataDir: string;
let dev: Run;
let address: string;
let email: string;
let password: string;
let postgres: number;

beforeAll(async () => {
  folder = newFolder();
  dataDir = path.join(folder, ".data");
  for (const name of COPIED)
    fs.cpSync(path.join(ROOT, name), path.join(folder, name), {
      recursive: true,
      preserveTimestamps: true,
      filter: (file) => path.basename(file) !== "node_modules",
    });
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  // The server takes the policy of pages from its code. It asks only whether there is a page.
  fs.mkdirSync(path.join(folder, "dist/web/assets"), { recursive: true });
  fs.writeFileSync(path.join(folder, "dist/web/index.html"), "<!doctype html><title>Built</title>");
  dev = npmRunDev(folder, { PORT: 0, DATA_DIR: dataDir });
  // Everything is compiled, and the demo is made.
  await vi.waitUntil(() => output().includes("Ctrl+C ends it"), { timeout: PATIENCE_MS, interval: 50 });
  address = found(/^Parley is ready at (\S+)$/m);
  email = found(/Sign in as +(\S+)/);
  password = found(/password (\S+)$/m);
  postgres = postgresOf(dataDir);
});
afterAll(async () => {
  await dev?.end("SIGTERM");
  await cleanUp();
});

const output = (): string => Object.values(dev.output()).join("\n");
/** What is said from now on. */
function listen(): () => string {
  const before = dev.output();
  return () => {
    const { stdout, stderr } = dev.output();
    return `${stdout.slice(before.stdout.length)}\n${stderr.slice(before.stderr.length)}`;
  };
}
const found = (pattern: RegExp): string => pattern.exec(output())![1]!;
const reloads = (): number => [...output().matchAll(/the server reloaded in/g)].length;
/** Asks until the answer is true. */
async function until(ask: () => boolean | Promise<boolean>, what: () => string): Promise<void> {
  await vi.waitUntil(ask, { timeout: PATIENCE_MS, interval: 20 }).catch((error: unknown) => {
    throw new Error(`waited in vain until ${what()}`, { cause: error });
  });
}
const client = (): Client => new Client(address);

const textOf = (file: string): string => fs.readFileSync(path.join(folder, file), "utf8");
const save = (file: string, text: string): void => fs.writeFileSync(path.join(folder, file), text);
/** Replaces a piece of the file, which must be there. */
function change(file: string, from: string, to: string): void {
  const text = textOf(file);
  expect(text).toContain(from);
  save(file, text.replace(from, to));
}

const HEALTH = "src/maintenance/health/health.controller.ts";
/** Answers `/healthz` with a text of its own. */
const says = (text: string): string =>
  fs
    .readFileSync(path.join(ROOT, HEALTH), "utf8")
    .replace("return ok();", `return Json.of({ ok: "${text}" } as never);`);
/** A request that arrives while the server is replaced may have no answer. */
const heard = async (): Promise<unknown> =>
  fetch(`${address}/healthz`)
    .then((response) => response.json() as Promise<{ ok: unknown }>)
    .then(
      ({ ok }) => ok,
      () => undefined,
    );
const untilHeard = (text: string): Promise<void> =>
  until(
    async () => (await heard()) === text,
    () => `the server said ${text}: ${output()}`,
  );

describe.skipIf(!CHROMIUM)(`the dashboard, in a browser${WITHOUT_BROWSER}`, () => {
  let page: Page;
  const refused: string[] = [];
  beforeAll(async () => {
    page = await (await (await openBrowser()).newContext({ locale: "en-GB" })).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.addInitScript(
      `addEventListener("securitypolicyviolation", (event) => console.error("Refused: " + event.violatedDirective))`,
    );
    page.on("console", (message) => {
      if (message.text().startsWith("Refused")) refused.push(message.text());
    });
  });
  afterAll(closePages);

  test("signs in with what was printed, and shows the inbox under the policy that pages have in production", async () => {
    const [document] = await Promise.all([
      page.waitForResponse(`${address}/inbox/all`),
      page.goto(`${address}/inbox/all`),
    ]);
    const policy = await document.headerValue("content-security-policy");
    expect(policy).toMatch(/^default-src 'none';script-src 'self' 'nonce-[\w-]+';style-src 'self' 'nonce-[\w-]+';/);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    const stream = page.waitForResponse((response) => response.url().startsWith(`${address}/api/events`));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    expect((await stream).headers()["content-type"]).toContain("text/event-stream");
    expect(refused).toEqual([]);
  });

  test("keeps its session over a reload of the page", async () => {
    await page.reload();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
  });

  test("shows what happens as it happens", async () => {
    const owner = await client().login(email, password);
    const [workspace] = (await owner.get("/api/workspaces", 200)).body;
    const body = { workspaceId: workspace!.id, contact: { name: "Grace Hopper" }, message: { body: "Is it live?" } };
    await owner.post("/api/conversations", body, 201);
    await page.getByText("Is it live?").first().waitFor();
  });

  test("shows a saved file at once, without loading the page again", async () => {
    await page.evaluate("window.isTheSame = true");
    change("web/src/features/shell/shell.tsx", "<nav", '<nav data-changed="yes"');
    await page.locator("nav[data-changed=yes]").waitFor();
    expect(await page.evaluate("window.isTheSame")).toBe(true);
    expect(output()).toMatch(/hmr update .*\/src\/features\/shell\/shell\.tsx/);
  });
});

test("a file is uploaded and downloaded through the one address", async () => {
  const owner = await client().login(email, password);
  const content = Buffer.alloc(2_000_000, "long ");
  const { id } = await upload(owner, content, "long.txt", "text/plain");
  const { url } = (await owner.get(`/api/attachments/${id}`, 200)).body;
  expect(url.startsWith(`${address}/`)).toBe(true);
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(content)).toBe(true);
});

test("saved files of the server and a function of the database are live, and PostgreSQL keeps running", async () => {
  const file = "src/conversations/labels.sql";
  save(file, `${textOf(file)}\n-- Changed.\n`);
  save(HEALTH, says("second"));
  await untilHeard("second");
  await until(
    () => new RegExp(`^.*${HEALTH}.*: the server reloaded in`, "m").test(output()),
    () => `it was told: ${output()}`,
  );
  expect(postgresOf(dataDir)).toBe(postgres);
  const sql = await superuser(dataDir);
  const { rows } = await sql.query(
    "select applied_at > (select min(applied_at) from schema_object) as again from schema_object where name = 'labels'",
  );
  await sql.end();
  expect(rows).toEqual([{ again: true }]);
});

test("saves in quick succession do not make a reload each", async () => {
  const before = reloads();
  for (const text of ["a", "b", "c", "d", "third"]) save(HEALTH, says(text));
  await untilHeard("third");
  expect(reloads() - before).toBeLessThan(5);
});

test("a file that cannot be read, or does not start, is shown, and what worked last serves until the next save", async () => {
  const before = await heard();
  for (const [mistake, complaint] of [
    ["return Json.of(;\n", "Expression expected"],
    ['throw new Error("No start");\n', "Error: No start"],
  ] as const) {
    const said = listen();
    save(HEALTH, says("never") + mistake);
    await until(
      () => said().includes("Not reloaded: what worked last still runs."),
      () => `it was refused: ${output()}`,
    );
    await until(
      () => said().includes(complaint),
      () => `it was explained: ${output()}`,
    );
    expect(await heard()).toBe(before);
  }
  save(HEALTH, says("mended"));
  await untilHeard("mended");
});

test("a server that crashes is started by the next save", async () => {
  save(HEALTH, says("wounded").replace("return", "setImmediate(() => process.exit(7));\n    return"));
  await until(
    async () => {
      // The first that is answered by the new process ends it.
      await heard();
      return output().includes("The server ended (7). No server runs.");
    },
    () => `it crashed: ${output()}`,
  );
  expect((await fetch(`${address}/healthz`)).status).toBe(503);
  save(HEALTH, says("sixth"));
  await untilHeard("sixth");
});

test("Ctrl+C ends all of it", async () => {
  expect(processesOn(folder).length).toBeGreaterThan(2);
  await dev.end("SIGINT");
  await expect.poll(() => processesOn(folder)).toEqual([]);
});
