import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { transformFile } from "@swc/core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dialogueLine, FakeParley, KEY, WORKSPACE } from "./fake-parley.js";

let folder: string;
let file: string;
/** Fewer of them. */
let few: string;
let server: FakeParley;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "replay-main-"));
  file = path.join(folder, "dialogues.ndjson");
  for (const name of (await readdir("src/replay")).filter((name) => name.endsWith(".ts"))) {
    const { code } = await transformFile(path.join("src/replay", name), {
      swcrc: false,
      module: { type: "es6" },
      jsc: { target: "es2022", parser: { syntax: "typescript" } },
    });
    await writeFile(path.join(folder, name.replace(/\.ts$/, ".js")), code);
  }
  await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
  const lines = Array.from({ length: 120 }, (_, n) => dialogueLine(n, 3));
  await writeFile(file, lines.join("\n"));
  few = path.join(folder, "few.ndjson");
  await writeFile(few, lines.slice(0, 40).join("\n"));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  server = await new FakeParley().listen();
});
afterEach(() => server.close());

/** Runs the command in a separate process; `during` may interfere with it. */
async function run(args: string[], env: NodeJS.ProcessEnv = {}, during: (child: ChildProcess) => void = () => {}) {
  const child = spawn(process.execPath, [path.join(folder, "main.js"), ...args], {
    env: { PARLEY_BASE_URL: server.baseUrl, PARLEY_API_KEY: KEY, ...env },
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (err += chunk));
  during(child);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}

describe("npm run replay", () => {
  it("plays the file, with progress on stderr every 100 dialogues and one summary on stdout; a second run adds nothing", async () => {
    const first = await run([file]);
    expect(first).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^100 dialogues, \d+ messages sent, 0 skipped, [\d.]+\/s\n$/),
    });
    expect(first.out).toMatch(
      /^120 dialogues; conversations 120 created, 0 existing; messages sent\/skipped: customer 120\/0, operator 120\/0, system 120\/0; [\d.]+ s, [\d.]+ messages\/s\n$/,
    );
    const second = await run([file, "--workspace", WORKSPACE, "--concurrency", "2"]);
    expect(second.out).toMatch(
      /^120 dialogues; conversations 0 created, 120 existing; messages sent\/skipped: customer 0\/120, operator 0\/120, system 0\/120; /,
    );
  });

  it("after Ctrl-C, even sent twice as npm forwards it, completes the current requests and exits 130 with the summary", async () => {
    const { code, out, err } = await run([few], {}, (child) => {
      server.fault = async () => {
        if (server.requests.length !== 50) return undefined;
        // It cannot end before this request is answered, so the second one finds it.
        child.kill("SIGINT");
        await sleep(5);
        child.kill("SIGINT");
        return undefined;
      };
    });
    expect({ code, err }).toEqual({ code: 130, err: "" });
    const there = [...server.conversations.values()];
    expect(there.length).toBeLessThan(40);
    expect(out).toMatch(new RegExp(`^\\d+ dialogues; conversations ${there.length} created, 0 existing; `));
    const sent = [...out.matchAll(/\w+ (\d+)\/0/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(sent).toBe(there.reduce((sum, { messages }) => sum + messages.length, 0));
    expect((await run([few])).code).toBe(0);
    expect([...server.conversations.values()].map(({ messages }) => messages.length)).toEqual(Array(40).fill(3));
  });

  it("--help describes every option and needs no settings", async () => {
    const { code, out } = await run(["--help"], { PARLEY_API_KEY: "" });
    expect(code).toBe(0);
    for (const option of [
      "--limit",
      "--base-url",
      "--key",
      "--workspace",
      "--concurrency",
      "PARLEY_API_KEY",
      "PARLEY_BASE_URL",
    ])
      expect(out).toContain(option);
  });

  it.each([
    ["no key", ["FILE"], { PARLEY_API_KEY: "" }, "no API key: set PARLEY_API_KEY or give --key"],
    ["no file given", [], {}, "give one file of dialogues"],
    ["a missing file", ["nowhere.ndjson"], {}, "no such file or directory"],
    ["a folder", ["."], {}, "EISDIR"],
    ["a limit that is none", ["FILE", "--limit", "0"], {}, "--limit must be a number from 1, not '0'"],
    ["an unknown option", ["FILE", "--fast"], {}, "Unknown option '--fast'"],
    ["an option without its value", ["FILE", "--limit", "--help"], {}, "Option '--limit"],
    ["a wrong address", ["FILE", "--base-url", "nowhere"], {}, "not an http(s) address: nowhere"],
    ["a wrong key", ["FILE", "--key", "svc_test_v1_other"], {}, "GET /api/workspaces: 401 Unauthorized"],
    [
      "a workspace that is not there",
      ["FILE", "--workspace", "w", "--concurrency", "1"],
      {},
      "dialogue 0: POST /api/conversations: 404 Not Found",
    ],
  ])("%s is reported in one line, with exit code 1", async (_, args, env, message) => {
    const { code, err } = await run(
      args.map((arg) => (arg === "FILE" ? file : arg)),
      env,
    );
    expect(code).toBe(1);
    expect(err).toMatch(/^replay: .*\n$/);
    expect(err).toContain(message);
  });
});
