import { execFile, execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signatureHeaders } from "../../src/webhooks/signature.js";
import { undisturbed } from "../races/support.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../support/app.js";

// The package as its users get it: packed, installed in an empty project, and running the examples of its README.

const SDK = path.join(import.meta.dirname, "../../sdk");
const TSC = path.join(SDK, "../node_modules/typescript/bin/tsc");
const run = promisify(execFile);

let app: TestApp;
let tenant: TestTenant;
let project: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  project = fs.mkdtempSync(path.join(os.tmpdir(), "parley-sdk-"));
  await run("npm", ["pack", "--pack-destination", project], { cwd: SDK });
  const [archive] = fs.readdirSync(project);
  fs.writeFileSync(path.join(project, "package.json"), '{"name": "empty", "private": true, "type": "module"}');
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${archive}`], { cwd: project });
}, 180_000);
afterAll(async () => {
  await app.close();
  fs.rmSync(project, { recursive: true, force: true });
});

/** The path of another Node.js, if npm has it or can get it. */
function nodeOf(version: number): string | undefined {
  try {
    const print = ["-y", `node@${version}`, "-p", "process.execPath"];
    return execFileSync("npx", print, {
      encoding: "utf8",
      timeout: 30_000,
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return undefined;
  }
}
const node24 = nodeOf(24);
/** A command, if it is installed. */
const installed = (command: string, ...args: string[]): string[] | undefined =>
  spawnSync(command, ["--version"]).status === 0 ? [command, ...args] : undefined;

const README = fs.readFileSync(path.join(SDK, "README.md"), "utf8");
const examples = [...README.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code!);

describe.each<[string, string[] | undefined]>([
  ["the running Node.js", [process.execPath]],
  ["Node.js 24", node24 === undefined ? undefined : [node24]],
  ["Bun", installed("bun")],
  ["Deno", installed("deno", "run", "--allow-all")],
])("on %s", (name, runtime) => {
  test.skipIf(!runtime)(`the examples of the README run${runtime ? "" : " (it is not there)"}`, async () => {
    const [command, ...args] = runtime!;
    const file = path.join(project, "readme.mjs");
    fs.writeFileSync(file, examples.join("\n"));
    await undisturbed([app], async () => {
      fs.rmSync(path.join(project, "cursor.txt"), { force: true });
      const { stdout } = await run(command!, [...args, file], {
        cwd: project,
        timeout: 240_000,
        env: {
          ...process.env,
          PARLEY_URL: app.baseUrl,
          PARLEY_KEY: tenant.live.token,
          EMAIL: tenant.ownerEmail,
          PASSWORD,
        },
      });
      const lines = stdout.trim().split("\n");
      expect(lines[0], name).toBe("member");
      expect(lines).toContain("ready ");
      expect(lines.some((line) => line.startsWith("conversation.updated "))).toBe(true);
      expect(lines.at(-2)).toMatch(/not found.* 404$/i);
      expect(lines.at(-1)).toBe("304");
    });

    const { data } = (await tenant.live.get("/api/conversations?limit=1", 200)).body;
    expect(data[0]).toMatchObject({ status: "resolved", messageCount: 4 });

    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const body = '{"id":"1","type":"message.received","data":{"conversationId":"c"}}';
    const headers = signatureHeaders("an-id", Math.floor(Date.now() / 1_000), body, [secret]);
    fs.writeFileSync(
      path.join(project, "receive.mjs"),
      `import { Parley } from "@parley/sdk";
${examples.find((code) => code.includes("function receive"))!}
import { verify } from "@parley/sdk/webhooks";
import { Parley as Core } from "@parley/sdk/core";
import { ConversationStatus } from "@parley/sdk/enums";
const [body, headers, secret] = ${JSON.stringify([body, headers, secret])};
console.log(receive(body, headers, secret), verify(body, headers, secret).id, "webhooks" in Core, ConversationStatus.length);
let error;
try { receive(body + " ", headers, secret); } catch (caught) { error = caught; }
console.log(error?.name);`,
    );
    const received = await run(command!, [...args, path.join(project, "receive.mjs")], { cwd: project });
    expect(received.stdout).toBe("message.received c 1 false 4\nWebhookVerificationError\n");
  });
});

test("it has nothing but what it needs", () => {
  const installed = path.join(project, "node_modules");
  expect(fs.readdirSync(installed).filter((name) => !name.startsWith("."))).toEqual([
    "@parley",
    "@stablelib",
    "fast-sha256",
    "standardwebhooks",
  ]);
  const entries = fs.readdirSync(path.join(installed, "@parley/sdk"));
  expect(entries.sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
});

test.each([
  [
    "in a browser",
    ["--lib", "ES2022,DOM,DOM.Iterable,DOM.AsyncIterable", "--moduleResolution", "bundler", "--module", "esnext"],
  ],
  [
    "in Node.js",
    [
      "--lib",
      "ES2023",
      "--module",
      "nodenext",
      "--typeRoots",
      path.join(SDK, "../node_modules/@types"),
      "--types",
      "node",
    ],
  ],
])("its types hold %s", async (_, options) => {
  fs.writeFileSync(
    path.join(project, "typed.ts"),
    `import { type Conversation, type ConversationPage, ConversationStatus, Parley, type WebhookEvent } from "@parley/sdk";
const parley = new Parley({ baseUrl: "http://localhost:3000", apiKey: "key" });
const list = parley.conversations.list({ status: ["open"] });
export const page: ConversationPage = await list;
for await (const conversation of list) { const one: Conversation = conversation; one.id satisfies string; }
const { messageId } = await parley.conversations.reply("id", { body: "On its way." }, { idempotencyKey: "one" });
messageId satisfies string;
for await (const { cursor, resource } of parley.changes.follow({ after: "a" })) { cursor satisfies string; void resource; }
for await (const { id, data } of parley.events.stream()) { id satisfies string | undefined; data.conversationId satisfies string | undefined; }
export const event: WebhookEvent = Parley.webhooks.verify("{}", new Headers(), "whsec_");
(await parley.request("conversations.get", { path: { id: "id" } })).data.status satisfies "open" | "pending" | "snoozed" | "resolved";
const first: ConversationStatus = ConversationStatus[0];
first satisfies "open";
import type { ConversationStatus as Status } from "@parley/sdk/core";
export const last: Status = "resolved";
// @ts-expect-error no such status
void parley.conversations.list({ status: "shut" });
// @ts-expect-error a reply has a body
void parley.conversations.reply("id", {});
// @ts-expect-error no such parameter
void parley.request("conversations.get", { path: { conversation: "id" } });
`,
  );
  // TypeScript's own declarations are as they are: to check them takes longer than everything else.
  const args = [TSC, "--noEmit", "--strict", "--skipDefaultLibCheck", "--target", "es2022", ...options, "typed.ts"];
  const output = await run(process.execPath, args, { cwd: project }).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(output).toBe("");
});
