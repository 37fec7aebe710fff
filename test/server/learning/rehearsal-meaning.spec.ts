import http from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EmbeddingsService } from "../../../src/knowledge/kb-entries/embeddings.service.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { assist, teach } from "../assistant/support.js";
import { newWorkspace, start } from "../e2e/support.js";
import { rehearsed } from "./rehearsal-support.js";

// A server of vectors that answers a question once, and then fails, as one that is slow does.

const ENTRY = { question: "My card is lost", answer: "We block it at once." };
const ASKED = "The plastic vanished yesterday";
const vectorOf = (text: string): number[] => [/lost|vanished/.test(text) ? 3 : 0, /parcel/.test(text) ? 3 : 0, 0.01];
let asked = 0;
let isTired = false;
const server = http.createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    const { input } = JSON.parse(body) as { input: string[] };
    if (input.includes(ASKED) && asked++ && isTired) return response.writeHead(503).end();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: vectorOf(text) })) }));
  });
});

let app: TestApp;
let tenant: TestTenant;
let key: Client;
let owner: Client;
let workspaceId: string;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = { EMBEDDINGS_URL: `http://${host}/v1`, EMBEDDINGS_MODEL: "two-meanings", OUTBOUND_ALLOW: [host] };
  app = await startApp(settings);
  tenant = await app.tenant();
  owner = await tenant.owner();
  key = tenant.live;
  workspaceId = (await newWorkspace(key, tenant.defaults.brandId)).id;
  await teach(key, workspaceId, [ENTRY]);
  await app.app.get(EmbeddingsService).run();
});
afterAll(async () => {
  await app.close();
  server.closeAllConnections();
  server.close();
});

test.each([
  ["thresholds", { settings: { answerConfidence: 0.8 } }],
  ["an entry about something else", { entries: [{ question: "Where is my parcel?", answer: "On its way." }] }],
])("a vector that comes once counts before and after a change: %s", async (_, draft) => {
  await start(key, workspaceId, { contact: { name: "Ada" }, message: { body: ASKED } });
  await assist(app);
  [asked, isTired] = [0, true];
  const { conversations } = await rehearsed(app, owner, workspaceId, draft);
  isTired = false;
  // A server that is slow may be left alone.
  expect(asked).toBeLessThanOrEqual(conversations!.played);
  expect(conversations!.played).toBeGreaterThan(0);
  expect(conversations!.changed).toBe(0);
});
