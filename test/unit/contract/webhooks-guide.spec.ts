import { execFile, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { signatureHeaders } from "../../../src/webhooks/signature.js";

// What the guide shows besides its commands, which test/endurance/guides.spec.ts runs.

const GUIDE = fs.readFileSync(path.join(import.meta.dirname, "../../../docs/guides/webhooks.md"), "utf8");
const blocks = (language: string): string[] =>
  [...GUIDE.matchAll(/^```(\w+)\n(.*?)^```/gms)].filter(([, one]) => one === language).map(([, , code]) => code!);

test("the test vector of the guide is what Parley signs, and its Python accepts that and nothing else", async (context) => {
  const vector = Object.fromEntries(
    blocks("text")
      .find((text) => text.startsWith("secret "))!
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
