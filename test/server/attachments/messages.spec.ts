import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newAgent, NOT_FOUND, start, walk } from "../e2e/support.js";
import { concurrently, tally } from "../../races/support.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { png, upload } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let agent: Client & { id: string };
let conversation: Schemas["Conversation"];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  agent = await newAgent(await tenant.owner(), [tenant.defaults.workspaceId]);
});
afterAll(() => app.close());
beforeEach(async () => {
  conversation = await start(tenant.live, tenant.defaults.workspaceId);
});

const path = <Rest extends string>(rest: Rest) => `/api/conversations/${conversation.id}${rest}` as const;
const messages = () => walk(tenant.live, path("/messages"));
const read = async () => (await tenant.live.get(path(""), 200)).body;

describe("message attachments", () => {
  test.each([
    ["messages", 201],
    ["reply", 200],
    ["notes", 201],
  ])("are stored and returned in the order of the request (%s)", async (kind, status) => {
    const made = [
      await upload(tenant.live, "One", "1.txt"),
      await upload(tenant.live, png(3, 2), "2.png"),
      await upload(tenant.live, "Three", "3.txt"),
    ];
    const order = [made[2]!, made[0]!, made[1]!];
    const { body } = await tenant.live.post<{ attachments?: Schemas["Attachment"][] }>(
      path(`/${kind}`),
      { body: "See there", attachmentIds: order.map(({ id }) => id) },
      status,
    );
    if (kind !== "reply") expect(body.attachments).toEqual(order);
    await tenant.live.post(path("/notes"), { body: "Nothing" }, 201);
    expect((await messages()).map(({ attachments }) => attachments)).toEqual([order, []]);
    expect((await walk(tenant.live, path("/messages?order=desc"))).map(({ attachments }) => attachments)).toEqual([
      [],
      order,
    ]);
    expect((await walk(tenant.live, path("/attachments"), 1)).map(({ id }) => id).sort()).toEqual(
      made.map(({ id }) => id).sort(),
    );
  });

  test("can be sent with the first message of a conversation and with a message that starts a follow-up conversation", async () => {
    const [first, late] = [await upload(tenant.live), await upload(tenant.live)];
    conversation = await start(tenant.live, tenant.defaults.workspaceId, {
      message: { body: "Hello", attachmentIds: [first.id] },
    });
    expect((await messages())[0]!.attachments).toEqual([first]);
    await app.db.query(
      `update conversation set status = 'resolved', resolved_at = now() - interval '8 days' where id = $1`,
      [conversation.id],
    );
    const { body } = await tenant.live.post(path("/messages"), { body: "Again", attachmentIds: [late.id] }, 201);
    expect(body.attachments).toEqual([late]);
    expect(body.conversationId).not.toBe(conversation.id);
    expect((await tenant.live.get(`/api/conversations/${body.conversationId}/attachments`, 200)).body.data).toEqual([
      late,
    ]);
  });

  test("must be the uploader's own: other callers get 404, and nothing is written", async () => {
    const { id } = await upload(tenant.live);
    const other = await keyFor(await tenant.owner());
    const before = await read();
    for (const client of [agent, other])
      for (const kind of ["messages", "reply", "notes"]) {
        expect((await client.post(path(`/${kind}`), { body: "Mine", attachmentIds: [id] }, 404)).body).toEqual(
          NOT_FOUND,
        );
      }
    expect([await messages(), await read()]).toEqual([[], before]);
  });

  test("belong to one message: a second message gets 409 with an explanation and takes none of its attachments", async () => {
    const [one, two] = [await upload(tenant.live), await upload(tenant.live)];
    await tenant.live.post(path("/reply"), { body: "First", attachmentIds: [one.id] }, 200);
    const refused = await tenant.live.post(path("/reply"), { body: "Second", attachmentIds: [two.id, one.id] }, 409);
    expect(refused.body.error).toBe("An attachment belongs to another message already");
    await tenant.live.post(path("/reply"), { body: "Third", attachmentIds: [two.id] }, 200);
    expect((await messages()).map(({ body }) => body)).toEqual(["First", "Third"]);
  });

  test("go to exactly one of fifty concurrent messages that name the same upload", async () => {
    const { id } = await upload(tenant.live);
    const answers = await concurrently(50, (n) =>
      tenant.live.post(path(`/${["messages", "reply", "notes"][n % 3]!}`), { body: `try ${n}`, attachmentIds: [id] }),
    );
    const { 409: refused, ...others } = tally(answers.map(({ status }) => status));
    expect([refused, Object.values(others)]).toEqual([49, [1]]);
    expect((await messages()).map(({ attachments }) => attachments.map((one) => one.id))).toEqual([[id]]);
  });

  test("go to one message as a whole when two concurrent messages name them in opposite order", async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [await upload(tenant.live), await upload(tenant.live)];
      const elsewhere = await start(tenant.live, tenant.defaults.workspaceId);
      const answers = await Promise.all([
        tenant.live.post(path("/notes"), { body: "A", attachmentIds: [one.id, two.id] }),
        tenant.live.post(`/api/conversations/${elsewhere.id}/notes`, { body: "B", attachmentIds: [two.id, one.id] }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    }
  });

  test("are not checked again when the message is repeated: the message stays unchanged", async () => {
    const [one, two] = [await upload(tenant.live), await upload(tenant.live)];
    const first = await tenant.live.post(
      path("/messages"),
      { body: "Hello", externalId: "m", attachmentIds: [one.id] },
      201,
    );
    for (const ids of [[one.id], [two.id], undefined])
      expect(
        (await tenant.live.post(path("/messages"), { body: "Hello", externalId: "m", attachmentIds: ids }, 200)).text,
      ).toBe(first.text);
    const headers = { "idempotency-key": "reply" };
    const sent = await tenant.live.post(path("/reply"), { body: "Yes", attachmentIds: [two.id] }, 200, { headers });
    expect(
      (await tenant.live.post(path("/reply"), { body: "Yes", attachmentIds: [two.id] }, 200, { headers })).text,
    ).toBe(sent.text);
  });

  test("are limited to 20, each named once", async () => {
    const { id } = await upload(tenant.live);
    for (const again of [id, id.toUpperCase()])
      await tenant.live.post(path("/reply"), { body: "Yes", attachmentIds: [id, again] }, 400);
    await tenant.live.post(
      path("/reply"),
      { body: "Yes", attachmentIds: Array.from({ length: 21 }, () => randomUUID()) },
      400,
    );
    const many = await Promise.all(Array.from({ length: 20 }, () => upload(tenant.live)));
    await tenant.live.post(path("/reply"), { body: "Yes", attachmentIds: many.map((one) => one.id) }, 200);
    expect((await messages()).at(-1)!.attachments).toEqual(many);
  });
});

describe("an upload", () => {
  test("is visible only to its uploader until it is attached, then to every caller who can read the conversation", async () => {
    const { id } = await upload(agent);
    const owner = await tenant.owner();
    const elsewhere = await newAgent(owner, []);
    await agent.get(`/api/attachments/${id}`, 200);
    for (const client of [owner, tenant.live, elsewhere, tenant.test])
      expect((await client.get(`/api/attachments/${id}`, 404)).body).toEqual(NOT_FOUND);
    await agent.post(path("/reply"), { body: "See there", attachmentIds: [id] }, 200);
    for (const client of [owner, tenant.live, agent]) await client.get(`/api/attachments/${id}`, 200);
    for (const client of [elsewhere, tenant.test])
      expect((await client.get(`/api/attachments/${id}`, 404)).body).toEqual(NOT_FOUND);
  });

  test("is hidden from its uploader once it is attached to a conversation that they cannot reach", async () => {
    const leaver = await newAgent(await tenant.owner(), [tenant.defaults.workspaceId]);
    const { id } = await upload(leaver);
    await leaver.post(path("/reply"), { body: "See there", attachmentIds: [id] }, 200);
    await (await tenant.owner()).patch(`/api/members/${leaver.id}`, { workspaceIds: [] }, 200);
    await leaver.get(`/api/attachments/${id}`, 404);
  });
});
