import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { newAgent, start, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let agent: Client & { id: string };
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  agent = await newAgent(await tenant.owner(), [tenant.defaults.workspaceId]);
});
afterAll(() => app.close());

const STEPS = [
  "messages",
  "messages again",
  "reply",
  "reply again",
  "notes",
  "read",
  "resolve",
  "reopen",
  "snooze",
  "take-over",
  "release",
  "unassign",
] as const;
type Step = (typeof STEPS)[number];

/** An event: the message with this sequence number, or an action after it. */
type Happened = { sequence: number } | { action: Step };

async function play(client: Client, id: string, step: Step, n: number): Promise<void> {
  const path = `/api/conversations/${id}/`;
  switch (step) {
    case "messages":
      await client.post(`${path}messages`, { body: `in ${n}`, externalId: `in-${n}` }, 201);
      break;
    // A repeat of an earlier message, which must not be counted.
    case "messages again":
      await client.post(`${path}messages`, { body: "again", externalId: "in-first" }, 200);
      break;
    case "reply":
      await client.post(`${path}reply`, { body: `out ${n}`, keepAssistant: n % 2 === 0 }, 200);
      break;
    case "reply again":
      await client.post(`${path}reply`, { body: "again", clientMessageId: "out-first" }, 200);
      break;
    case "notes":
      await client.post(`${path}notes`, { body: `note ${n}` }, 201);
      break;
    case "snooze":
      await client.post(`${path}snooze`, { until: "2099-01-01T00:00:00Z" });
      break;
    case "take-over":
      await client.post(`${path}take-over`, { force: true }, 200);
      break;
    default:
      await client.post(path + step, undefined, 200);
  }
}

/** The expected counters, from the listed messages and the order of reads and resolves between them. */
function recount(messages: Schemas["Message"][], happened: Happened[]): object {
  const shown = messages.filter(({ direction }) => direction !== "internal");
  let unreadCount = 0;
  let waitingSince: string | null = null;
  let firstReplyAt: string | null = null;
  for (const one of happened) {
    if ("action" in one) {
      if (one.action === "read" || one.action === "resolve") unreadCount = 0;
      if (one.action === "resolve") waitingSince = null;
      continue;
    }
    const { direction, createdAt } = messages[one.sequence - 1]!;
    if (direction === "inbound") {
      unreadCount++;
      waitingSince ??= createdAt;
    } else if (direction === "outbound") {
      unreadCount = 0;
      waitingSince = null;
      firstReplyAt ??= createdAt;
    }
  }
  return {
    messageCount: shown.length,
    lastMessagePreview: shown.at(-1)?.body ?? null,
    unreadCount,
    waitingSince,
    firstReplyAt,
  };
}

test("after any sequence of messages and actions, the counters match the messages", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 14 }),
      fc.boolean(),
      async (steps, byKey) => {
        const client = byKey ? tenant.live : agent;
        const { id } = await start(tenant.live, tenant.defaults.workspaceId, {
          message: { body: "first", externalId: "in-first" },
        });
        await tenant.live.post(
          `/api/conversations/${id}/reply`,
          { body: "first", clientMessageId: "out-first", keepAssistant: true },
          200,
        );
        const happened: Happened[] = [{ sequence: 1 }, { sequence: 2 }];
        let sequence = 2;
        for (const [n, step] of steps.entries()) {
          await play(client, id, step, n);
          if (["messages", "reply", "notes"].includes(step)) happened.push({ sequence: ++sequence });
          else happened.push({ action: step });
        }
        const messages = await walk(tenant.live, `/api/conversations/${id}/messages`);
        expect(messages.map((message) => message.sequence)).toEqual(messages.map((_, index) => index + 1));
        expect(messages).toHaveLength(sequence);
        expect((await tenant.live.get(`/api/conversations/${id}`, 200)).body).toMatchObject(
          recount(messages, happened),
        );
      },
    ),
    { numRuns: 40 },
  );
});
