import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start } from "../e2e/support.js";
import { everyNth } from "../../support/sweep.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { ask, assist, outcomesOf, teach } from "./support.js";

// What customers really write: nothing stops a run. DIALOGUES=<file> takes other dialogues in the same format.

const FILE = process.env.DIALOGUES ?? "demo/star-excerpt.ndjson";
const AT_ONCE = 20;

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  await teach(
    tenant.live,
    tenant.defaults.workspaceId,
    JSON.parse(fs.readFileSync("demo/kb.json", "utf8")) as object[],
  );
});
afterAll(() => app.close());

interface Dialogue {
  turns: { from: string; text?: string }[];
}
const turnsOf = (line: string): string[] =>
  (JSON.parse(line) as Dialogue).turns.flatMap(({ from, text }) => (from === "customer" && text ? [text] : []));

test(
  "each message of real dialogues is answered, asked back or handed over",
  async () => {
    const lines = fs.readFileSync(FILE, "utf8").split("\n").filter(Boolean);
    const waiting = (process.env.DIALOGUES ? lines : everyNth(lines, 3)).map(turnsOf);
    const total = waiting.flat().length;
    const key = tenant.live;
    const tally: Record<string, number> = {};
    while (waiting.length) {
      const dialogues = waiting.splice(0, AT_ONCE);
      const ids = await Promise.all(dialogues.map(async () => (await start(key, tenant.defaults.workspaceId)).id));
      for (let turn = 0; dialogues.some((turns) => turns.length > turn); turn++) {
        await Promise.all(
          ids.map(async (id, n) => {
            if (dialogues[n]![turn] === undefined) return;
            await key.post(`/api/conversations/${id}/release`, {}, 200);
            await ask(key, id, dialogues[n]![turn]!);
          }),
        );
        await assist(app);
      }
      for (const id of ids)
        for (const outcome of await outcomesOf(key, id)) tally[String(outcome)] = (tally[String(outcome)] ?? 0) + 1;
    }
    process.stdout.write(`${JSON.stringify(tally)}\n`);
    const { failed = 0, superseded = 0, null: open = 0, ...ended } = tally;
    expect({ failed, superseded, open }).toEqual({ failed: 0, superseded: 0, open: 0 });
    expect(Object.values(ended).reduce((sum, count) => sum + count)).toBe(total);
  },
  process.env.DIALOGUES ? 1_200_000 : undefined,
);
