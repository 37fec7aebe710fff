import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MessagesService } from "../../src/conversations/messages.service.js";
import type { TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { start } from "../server/e2e/support.js";
import { concurrently, on, startTwo, tally, type TwoNodes } from "./support.js";

// `ifLastSequence`: nobody answers what they have not read, and two people do not answer at once.

let nodes: TwoNodes;
let tenant: TestTenant;
/** The tenant's key, alternating between the nodes. */
let clients: Client[];
let kbEntryId: string;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  clients = [tenant.live, on(nodes.b, tenant.live)];
  const path = `/api/workspaces/${tenant.defaults.workspaceId}/kb-entries` as const;
  kbEntryId = (await tenant.live.post(path, { question: "Where?", answer: "Here." }, 201)).body.id;
});
afterAll(() => nodes.close());

/** A conversation with one message from the contact. */
const conversation = async (): Promise<string> =>
  (await start(tenant.live, tenant.defaults.workspaceId, { message: { body: "Hello?" } })).id;
const messagesOf = async (id: string) =>
  (await tenant.live.get(`/api/conversations/${id}/messages?limit=100`, 200)).body.data;

describe.each(["in one statement", "in a transaction"])("replies %s", (way) => {
  // Citations need the transaction.
  const reply = (client: Client, id: string, body: object, key?: string) =>
    client.post(
      `/api/conversations/${id}/reply`,
      way === "in a transaction" ? { ...body, citations: [{ kbEntryId, score: 1 }] } : body,
      undefined,
      key === undefined ? {} : { headers: { "idempotency-key": `${way.replaceAll(" ", "-")}-${key}` } },
    );

  test("of sixteen at once to the same message, exactly one is written", async () => {
    const id = await conversation();
    const answers = await concurrently(16, (n) =>
      reply(clients[n % 2]!, id, { body: `reply ${n}`, ifLastSequence: 1 }, n % 3 ? undefined : String(n)),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 15 });
    const written = answers.findIndex(({ status }) => status === 200);
    expect(await messagesOf(id)).toMatchObject([{ sequence: 1 }, { sequence: 2, body: `reply ${written}` }]);
    for (const { status, text } of answers)
      if (status === 409) expect(text).toContain("newer message (lastSequence 2)");
  });

  test("that resolve never bury what the contact writes at the same time", async () => {
    for (let round = 0; round < 8; round++) {
      const id = await conversation();
      const statuses = await concurrently(2, async (n) => {
        const client = clients[(round + n) % 2]!;
        if (n === 0) return (await reply(client, id, { body: "Done", then: "resolve", ifLastSequence: 1 })).status;
        return (await client.post(`/api/conversations/${id}/messages`, { body: "And?" })).status;
      });
      expect([200, 409]).toContain(statuses[0]);
      expect(statuses[1]).toBe(201);
      const { status, waitingSince } = (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
      expect({ status, waits: waitingSince !== null }).toEqual({ status: "open", waits: true });
    }
  });

  test("are not refused for concurrent notes", async () => {
    const id = await conversation();
    const statuses = await concurrently(16, async (n) => {
      const client = clients[n % 2]!;
      if (n === 8) return (await reply(client, id, { body: "the reply", ifLastSequence: 1 })).status;
      return (await client.post(`/api/conversations/${id}/notes`, { body: `note ${n}` })).status;
    });
    expect(tally(statuses)).toEqual({ 200: 1, 201: 15 });
  });

  test("never follow a message of the contact that they did not name, while the contact writes", async () => {
    const id = await conversation();
    let writing = true;
    const statuses: number[] = [];
    const contact = (async () => {
      const bothHappened = (): boolean => statuses.includes(200) && statuses.includes(409);
      for (let n = 0; n < 12 || (!bothHappened() && n < 300); n++) {
        await clients[n % 2]!.post(`/api/conversations/${id}/messages`, { body: `more ${n}` }, 201);
        // Now and then a reply has time to be the next.
        if (n % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 30));
      }
      writing = false;
    })();
    await Promise.all([
      contact,
      ...clients.flatMap((client) =>
        [1, 2, 3].map(async () => {
          while (writing) {
            const [newest] = (await client.get(`/api/conversations/${id}/messages?order=desc&limit=1`, 200)).body.data;
            const { sequence } = newest!;
            statuses.push((await reply(client, id, { body: `to ${sequence}`, ifLastSequence: sequence })).status);
          }
        }),
      ),
    ]);
    // Both happened, so the race was one.
    expect(Object.keys(tally(statuses)).sort()).toEqual(["200", "409"]);
    let read = 0;
    const messages: Awaited<ReturnType<typeof messagesOf>> = [];
    for (let cursor = ""; ;) {
      const page = (await tenant.live.get(`/api/conversations/${id}/messages?limit=100${cursor}`, 200)).body;
      messages.push(...page.data);
      if (!page.nextCursor) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    for (const { direction, body, sequence } of messages) {
      if (direction === "outbound") expect(body).toBe(`to ${read}`);
      read = sequence;
    }
  });

  test("that were refused are refused again with the same Idempotency-Key, and the one that was written is answered again", async () => {
    const id = await conversation();
    await reply(tenant.live, id, { body: "first", ifLastSequence: 1, clientMessageId: "first" }, "first");
    const late = { body: "second", ifLastSequence: 1 };
    expect((await reply(tenant.live, id, late, "second")).status).toBe(409);
    // The 409 was not kept: the key can be used for another body.
    expect((await reply(tenant.live, id, { ...late, ifLastSequence: 2 }, "second")).status).toBe(200);
    const again = { body: "first", ifLastSequence: 1, clientMessageId: "first" };
    expect((await reply(tenant.live, id, again, "first")).status).toBe(200);
    expect((await reply(tenant.live, id, again)).status).toBe(200);
    expect((await messagesOf(id)).map(({ body }) => body)).toEqual(["Hello?", "first", "second"]);
  });

  test("name the newest inbound message or reply; notes and messages of the system do not count", async () => {
    const id = await conversation();
    await tenant.live.post(`/api/conversations/${id}/notes`, { body: "a note" }, 201);
    await nodes.a.transaction(tenant.tenantId, (tx) =>
      nodes.a.app.get(MessagesService).announceWithin(tx, id, { id: randomUUID(), body: "We are here" }),
    );
    expect((await reply(tenant.live, id, { body: "to nothing", ifLastSequence: 0 })).text).toContain("lastSequence 1");
    expect((await reply(tenant.live, id, { body: "to hello", ifLastSequence: 1 })).status).toBe(200);
    expect((await reply(tenant.live, id, { body: "again", ifLastSequence: 3 })).text).toContain("lastSequence 4");
    expect((await reply(tenant.live, id, { body: "ahead", ifLastSequence: 99 })).status).toBe(200);
    expect((await reply(tenant.live, id, { body: "without" })).status).toBe(200);
    for (const ifLastSequence of [-1, 1.5, "1", null, 2_147_483_648])
      expect((await reply(tenant.live, id, { body: "bad", ifLastSequence })).status, String(ifLastSequence)).toBe(400);
  });
});
