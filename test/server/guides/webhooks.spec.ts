import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signatureHeaders } from "../../../src/webhooks/signature.js";
import { freePort } from "../../support/ports.js";
import { until } from "../../races/support.js";
import { PASSWORD, startApp, type TestApp } from "../../support/app.js";
import { attempt, flush } from "../webhooks/support.js";

// The code blocks of the guide, executed without changes.

const ROOT = path.join(import.meta.dirname, "../../..");
const GUIDE = fs.readFileSync(path.join(ROOT, "docs/guides/webhooks.md"), "utf8");
const blocks = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code!);

let app: TestApp;
let folder: string;
let port: number;
beforeAll(async () => {
  port = await freePort();
  app = await startApp({ OUTBOUND_ALLOW: [`127.0.0.1:${port}`] });
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-webhooks-"));
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
});
afterAll(async () => {
  await app.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('"Receive webhooks" makes an endpoint, and its receiver takes each signed event once and refuses what is forged', async () => {
  const tenant = await app.tenant();
  for (const code of blocks("js")) fs.writeFileSync(path.join(folder, /^\/\/ (\S+)/.exec(code)![1]!), code);
  const shell = promisify(execFile)("bash", ["-e", "-o", "pipefail", "-c", blocks("sh").join("\n")], {
    cwd: folder,
    env: {
      ...process.env,
      PARLEY_URL: app.baseUrl,
      HOOK_URL: `http://127.0.0.1:${port}/`,
      EMAIL: tenant.ownerEmail,
      PASSWORD,
      WAIT: "8",
    },
  });
  const read = (file: string): Record<string, unknown> =>
    JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")) as Record<string, unknown>;
  const tested = (): boolean =>
    fs.existsSync(path.join(folder, "test.json")) && fs.statSync(path.join(folder, "test.json")).size > 0;
  await until(() => Promise.resolve(tested()), "the test event is on its way");
  const { id, secret } = read("endpoint.json") as { id: string; secret: string };

  const child = spawn(process.execPath, [path.join(folder, "receiver.mjs")], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const post = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: "{}" }).then(
      ({ status }) => status,
      () => undefined,
    );
  const forged = {
    "x-service-signature": `t=${Math.floor(Date.now() / 1_000)},v1=${"0".repeat(64)}`,
    "webhook-id": "1",
  };
  try {
    await until(async () => (await post(forged)) === 401, "the receiver refuses what is forged");
    await attempt(app);
    await until(() => Promise.resolve(said === `webhook.test ${id}\n`), "the test event has arrived");
    expect((await shell).stdout).toContain("webhook.test succeeded 204");

    const conversation = (
      await tenant.live.post(
        "/api/conversations",
        { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" }, message: { body: "Hello" } },
        201,
      )
    ).body;
    await flush(app);
    const all = `webhook.test ${id}\nmessage.received ${conversation.id}\n`;
    await until(() => Promise.resolve(said === all), "the message has arrived");

    const owner = await tenant.owner();
    const { data } = (await owner.get(`/api/webhook-endpoints/${id}/deliveries`, 200)).body;
    await owner.post(`/api/webhook-deliveries/${data[0]!.id}/redeliver`, undefined, 200);
    await attempt(app);
    const [again] = (await owner.get(`/api/webhook-endpoints/${id}/deliveries`, 200)).body.data;
    expect(again!.attempts.map(({ responseStatus }) => responseStatus)).toEqual([204, 204]);
    expect(said, "the second time it is known").toBe(all);
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

test("the library and the receiver's own function agree", async () => {
  const { verified } = (await import(pathToFileURL(path.join(folder, "with-a-library.mjs")).href)) as {
    verified: (secret: string, headers: Record<string, string>, body: string) => unknown;
  };
  const { signatureHeaders } = await import("../../../src/webhooks/signature.js");
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const headers = signatureHeaders("an-id", Math.floor(Date.now() / 1_000), '{"a":1}', [secret]);
  expect(verified(secret, headers, '{"a":1}')).toEqual({ a: 1 });
  expect(() => verified(secret, headers, '{"a":2}')).toThrow();
});

test("its test vector is what Parley signs, and its Python accepts that and nothing else", async (context) => {
  const vector = Object.fromEntries(
    blocks("text")[0]!
      .trim()
      .split("\n")
      .map((line) => line.split(/\s+/, 2) as [string, string]),
  ) as Record<"secret" | "webhook-id" | "t" | "body" | "v1", string>;
  const headers = signatureHeaders(vector["webhook-id"], Number(vector.t), vector.body, [vector.secret]);
  expect(headers["x-service-signature"]).toBe(`t=${vector.t},v1=${vector.v1}`);
  if (spawnSync("python3", ["--version"]).status !== 0) context.skip("Python is not there");
  const ask = (body: string, now: number): string =>
    `verify(secret, headers, ${JSON.stringify(body)}.encode(), ${now})`;
  const asked = [
    ask(vector.body, Number(vector.t)),
    ask(`${vector.body} `, Number(vector.t)),
    ask(vector.body, Number(vector.t) + 301),
  ];
  const program = `${blocks("python")[0]!}
import json
secret, headers = json.loads(${JSON.stringify(JSON.stringify([vector.secret, headers]))})
print(${asked.join(", ")})`;
  const { stdout } = await promisify(execFile)("python3", ["-c", program]);
  expect(stdout).toBe("True False False\n");
});
