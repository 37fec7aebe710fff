import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newFolder } from "../server/process/support.js";
import { type Process, startProcess } from "../races/processes.js";
import { CERTIFICATE, OF_LOCALHOST, PRIVATE_KEY } from "../server/security/certificate.js";
import type { Schemas } from "../support/api-types.js";
import type { TestApp } from "../support/app.js";
import { type Preview, type Receiver, startReceiver, startWith, withPreview } from "../server/webhooks/support.js";
import { runs } from "../support/seed.js";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

// Receivers behind TLS. A separate process, because Node reads its certificate authorities at the start.

const MESSAGES = runs(3, 30);
let receiver: Receiver;
let untrusted: Receiver;
let app: TestApp;
let preview: Preview;
let node: Process;
beforeAll(async () => {
  receiver = await startReceiver(OF_LOCALHOST);
  untrusted = await startReceiver({ cert: CERTIFICATE, key: PRIVATE_KEY });
  const certificate = path.join(newFolder(), "localhost.pem");
  fs.writeFileSync(certificate, OF_LOCALHOST.cert);
  app = await startWith(receiver);
  preview = await withPreview(app);
  node = await startProcess(app.db, {
    NODE_EXTRA_CA_CERTS: certificate,
    OUTBOUND_ALLOW: [receiver, untrusted].map(({ port }) => `localhost:${port}`).join(),
  });
});
afterAll(async () => {
  await node.stop();
  await app.close();
  await receiver.close();
  await untrusted.close();
});

const endpoint = async (url: string): Promise<string> =>
  (await preview.owner.post("/api/webhook-endpoints", { url, events: ["message.received"] }, 201)).body.id;
/** A delivery whose first attempt failed like this. What waits for an endpoint that is disabled fails in its own way. */
const failure = async (id: string, error: RegExp): Promise<Schemas["WebhookDelivery"] | undefined> =>
  (await preview.owner.get(`/api/webhook-endpoints/${id}/deliveries?limit=100`, 200)).body.data.find(({ attempts }) =>
    error.test(attempts[0]?.error ?? ""),
  );

/** Milliseconds from each message to its arrival at the receiver that works, the slowest last. */
async function delays(conversation: string): Promise<number[]> {
  const before = receiver.on("/works").length;
  for (let n = 1; n <= MESSAGES; n++) {
    await preview.tenant.live.post(`/api/conversations/${conversation}/messages`, { body: `Message ${n}` }, 201);
    await vi.waitFor(() => expect(receiver.on("/works").slice(before)).toHaveLength(n), { timeout: 240_000 });
  }
  return receiver
    .on("/works")
    .slice(before)
    .map(({ at, payload }) => at - Date.parse(payload.occurredAt))
    .sort((one, other) => one - other);
}

test("receivers that hang, reset, fail or redirect are tried as the guide says, and one that works waits for none of them", async () => {
  const { workspaceId } = preview.tenant.defaults;
  const { id } = (await preview.tenant.live.post("/api/conversations", { workspaceId, contact: { name: "Ada" } }, 201))
    .body;
  const later = Math.floor(Date.now() / 1_000) * 1_000 + 1_200_000;
  const answers: Receiver["answers"] = {
    "/hangs": "hang",
    "/resets": "reset",
    "/fails": { status: 500 },
    "/gone": { status: 410 },
    "/busy": { status: 429, headers: { "retry-after": "600" } },
    "/busy-until": { status: 429, headers: { "retry-after": new Date(later).toUTCString() } },
    "/moved": { status: 307, headers: { location: receiver.url("/elsewhere") } },
  };
  await endpoint(receiver.url("/works"));
  const ids: Record<string, string> = {};
  for (const name of Object.keys(answers)) ids[name] = await endpoint(receiver.url(name));
  ids["/untrusted"] = await endpoint(untrusted.url("/untrusted"));
  // First they all work, so that both times as much is sent.
  await delays(id);
  const before = await delays(id);
  receiver.answers = answers;
  // A hanging receiver takes fifteen seconds, each time. A transaction of another file may hold all of them back once.
  for (let round = 1; ; round++) {
    const among = await delays(id);
    if (among.at(-1)! < before.at(-1)! + 15_000) break;
    expect(round, "it waits for the others").toBeLessThan(4);
  }

  /** Seconds until the second attempt; until the time that the receiver named; none. */
  type Wait = [from: number, to: number] | "until" | undefined;
  const expected: [name: string, status: number | null, error: RegExp, wait: Wait][] = [
    ["/resets", null, /cannot be reached/, [45, 75]],
    ["/fails", 500, /status 500/, [45, 75]],
    ["/gone", 410, /status 410/, undefined],
    ["/busy", 429, /status 429/, [600, 600]],
    ["/busy-until", 429, /status 429/, "until"],
    ["/moved", 307, /status 307/, [45, 75]],
    ["/untrusted", null, /cannot be reached/, [45, 75]],
    ["/hangs", null, /did not answer in time/, [45, 75]],
  ];
  for (const [name, status, error, wait] of expected) {
    const delivery = await vi.waitFor(
      async () => {
        const found = await failure(ids[name]!, error);
        expect(found, name).toBeDefined();
        return found!;
      },
      { timeout: 240_000, interval: 1_000 },
    );
    const [attempt, next] = delivery.attempts;
    expect(attempt, name).toMatchObject({ responseStatus: status });
    expect(delivery.status, name).toBe(wait ? "queued" : "failed");
    if (!wait) continue;
    const ended = Date.parse(attempt!.at) + attempt!.durationMs;
    const [least, most] = wait === "until" ? Array<number>(2).fill((later - ended) / 1_000) : wait;
    const seconds = (Date.parse(next?.at ?? delivery.nextAttemptAt!) - ended) / 1_000;
    expect(seconds, name).toBeGreaterThan(least! - 2);
    // One that was made already may be late: the machine was busy.
    if (!next) expect(seconds, name).toBeLessThan(most! + 30);
  }
  expect(receiver.on("/elsewhere")).toEqual([]);
  expect(untrusted.arrived).toEqual([]);
  expect((await preview.owner.get(`/api/webhook-endpoints/${ids["/gone"]}`, 200)).body.status).toBe("disabled");
});
