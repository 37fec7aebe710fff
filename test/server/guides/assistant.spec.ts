import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AssistantJob } from "../../../src/assistant/assistant.job.js";
import { PendingActionsJob } from "../../../src/assistant/pending-actions/pending-actions.job.js";
import { calls, dataOf, replies, type Request, type ScriptedModel, startModel } from "../assistant/model-support.js";
import { freePort } from "../../support/ports.js";
import { PASSWORD, startApp, type TestApp } from "../../support/app.js";

// The code blocks of the guide, executed without changes.

const GUIDE = fs.readFileSync(
  path.join(import.meta.dirname, "../../../docs/guides/let-the-assistant-answer.md"),
  "utf8",
);
const blocks = (language: string): string[] =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code!);

const TOOL_KEY = "a-secret";
let app: TestApp;
let model: ScriptedModel;
let tool: ChildProcess;
let toolPort: number;
let folder: string;
beforeAll(async () => {
  toolPort = await freePort();
  model = await startModel();
  app = await startApp({ OUTBOUND_ALLOW: [...model.settings.OUTBOUND_ALLOW, `127.0.0.1:${toolPort}`] });
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-assistant-"));
  fs.writeFileSync(path.join(folder, "refund.mjs"), blocks("js").join("\n"));
  const env = { ...process.env, TOOL_KEY, PORT: String(toolPort) };
  tool = spawn(process.execPath, [path.join(folder, "refund.mjs")], { env, stdio: ["ignore", "ignore", "inherit"] });
});
afterAll(async () => {
  tool.kill("SIGKILL");
  await once(tool, "exit");
  model.close();
  await app.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Asks for the refund that the customer wants, and then says what the tool has answered. */
function refunds(request: Request): object {
  const { conversation, calls: made = [] } = dataOf(request) as ReturnType<typeof dataOf> & {
    calls?: { id: string; answer: { message: string } }[];
  };
  if (made[0]) return replies({ text: made[0].answer.message, citations: [made[0].id] });
  const [, amount, orderId] = /(\d+) euros .* (#W\d+)/.exec(conversation.at(-1)!.text)!;
  return calls(["refund_order", { orderId, amount: Number(amount) }]);
}

test('"Let the assistant answer" goes from the first entry to an approved refund', async () => {
  const tenant = await app.tenant();
  const env = {
    ...process.env,
    PARLEY_URL: app.baseUrl,
    PARLEY_KEY: tenant.live.token,
    EMAIL: tenant.ownerEmail,
    PASSWORD,
    TOOL_URL: `http://127.0.0.1:${toolPort}/`,
    TOOL_KEY,
  };
  const [setUp, ...steps] = blocks("sh");
  const run = async (commands: string[]): Promise<string> => {
    const script = [setUp, ...commands].join("\n");
    const { stdout } = await promisify(execFile)("bash", ["-e", "-o", "pipefail", "-c", script], { env, cwd: folder });
    return stdout;
  };
  const read = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(folder, file), "utf8"));
  // The work that the server's jobs do by themselves.
  let isOver = false;
  const jobs = (async () => {
    while (!isOver) {
      await app.app.get(AssistantJob).tick();
      await app.app.get(PendingActionsJob).tick();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  try {
    const withTool = steps.findIndex((code) => code.includes("TOOL_URL"));
    const known = await run(steps.slice(0, withTool));
    expect(known).toContain(
      "handed_off\nAsked: “How long do I have to send something back?”\nNo approved entry answers",
    );
    expect(known, "while it waits").not.toMatch(/^null$/m);
    expect(known).toContain('"count": 1,\n  "question": "How long do I have to send something back?"');
    expect(known).toContain("answered\nYou can return it for 30 days after delivery.\n");
    expect(read("preview.json")).toMatchObject({ questions: 2, after: { answer: 1, hand_off: 1 } });
    expect(model.requests, "no model was asked").toEqual([]);

    Object.assign(app.config, { ...model.settings, OUTBOUND_ALLOW: app.config.OUTBOUND_ALLOW });
    model.script((request: Request) => refunds(request));
    const acted = await run(steps.slice(withTool));
    expect(read("action.json")).toMatchObject({
      status: "pending",
      tool: "refund_order",
      arguments: { orderId: "#W1234567", amount: 30, customerId: "customer-7" },
      guardrail: "Refunds above 20: amount is greater than 20",
    });
    expect(acted).toContain('"status": "executed"');
    expect(acted).toMatch(
      /\nA colleague has to approve this first.*\nWe have refunded 30 euros for the order #W1234567\.\n$/,
    );
  } finally {
    isOver = true;
    await jobs;
  }
}, 90_000);
