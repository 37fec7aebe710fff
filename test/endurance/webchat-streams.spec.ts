import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Process, startProcess } from "../races/processes.js";
import { undisturbed } from "../races/support.js";
import { WebchatThreadService } from "../../src/channels/webchat/webchat-thread.service.js";
import { startApp, type TestApp, type TestTenant, withoutAssistant } from "../support/app.js";
import { Client } from "../support/client.js";
import { type Chat, chatOf, type Listening, Visitor } from "../server/webchat/support.js";
import { allowTimeForProcesses } from "../server/process/support.js";
import { runs } from "../support/seed.js";

allowTimeForProcesses();

// The streams of visitors, also over two server processes in production mode, one of which is killed repeatedly.

const KILLS = runs(2, 6);
const MESSAGES = 60;

let app: TestApp;
let tenant: TestTenant;
let chat: Chat;
const open: Listening[] = [];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  // A process runs its jobs, and the assistant would answer.
  await withoutAssistant(tenant);
  chat = await chatOf(tenant);
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(async () => {
  for (const node of (await pair) ?? []) await node.kill();
  await app.close();
});

let pair: Promise<Process[]> | undefined;
const twoNodes = (): Promise<Process[]> => Promise.all([startProcess(app.db), startProcess(app.db)]);

async function hearing(visitor: Visitor, lastEventId?: string, baseUrl?: string): Promise<Listening> {
  const stream = await visitor.listen(lastEventId, baseUrl);
  open.push(stream);
  return stream;
}
const conversationOf = async (text: string): Promise<string> =>
  (await app.db.query<{ id: string }>("select conversation_id as id from message where body = $1", [text]))[0]!.id;
const reply = (id: string, body: string, client = tenant.live): Promise<unknown> =>
  client.post(`/api/conversations/${id}/reply`, { body }, 200);

test("a stream sends new events of the visitor's own thread at once, and nothing else: no notes, nothing from other visitors", async () => {
  const [ada, bob] = [await Visitor.open(app.baseUrl, chat), await Visitor.open(app.baseUrl, chat)];
  const stream = await hearing(ada);
  await ada.write("hello", undefined, 201);
  await bob.write("not for ada", undefined, 201);
  const id = await conversationOf("hello");
  await tenant.live.post(`/api/conversations/${id}/notes`, { body: "a note" }, 201);
  await reply(id, "good morning");
  await stream.until(() => stream.texts.length >= 2);
  expect(stream.texts).toEqual(["hello", "good morning"]);
});

test("a stream resumes right after the last received event, whatever happened meanwhile in any of the thread's conversations", async () => {
  const ada = await Visitor.open(app.baseUrl, chat);
  await ada.write("week one", undefined, 201);
  const first = await hearing(ada);
  const id = await conversationOf("week one");
  await reply(id, "heard");
  await first.until(() => first.texts.length === 1);
  first.close();
  await reply(id, "missed 1");
  await tenant.live.post(`/api/conversations/${id}/resolve`, {}, 200);
  await app.db.query(`update conversation set resolved_at = now() - interval '8 days' where id = $1`, [id]);
  await ada.write("week two", undefined, 201);
  await reply(id, "late word in the old one");
  const second = await hearing(ada, first.lastId);
  await second.until(() => second.texts.length >= 3);
  expect(second.texts).toEqual(["missed 1", "week two", "late word in the old one"]);
  await expect(ada.listen("nonsense")).rejects.toThrow("400");
});

test("an idle stream costs no query", async () => {
  const streams = app.app.get(WebchatThreadService);
  let looks = 0;
  const watch = streams.watch.bind(streams);
  streams.watch = (visit, ...args) => {
    if (visit.caller.tenantId === tenant.tenantId) looks++;
    return watch(visit, ...args);
  };
  const ada = await Visitor.open(app.baseUrl, chat);
  await ada.write("idle", undefined, 201);
  for (let i = 0; i < 4; i++) await hearing(ada);
  const own = [...open];
  const bob = await Visitor.open(app.baseUrl, await chatOf(await app.tenant()));
  const elsewhere = await hearing(bob);
  /** A write elsewhere, and what it wakes, from the commit to the event on the stream. */
  const writeElsewhere = async (body: string): Promise<void> => {
    await bob.write(body, undefined, 201);
    await elsewhere.until(() => elsewhere.texts.includes(body));
  };
  await undisturbed([app], async () => {
    const [one, two, awake] = [randomUUID(), randomUUID(), randomUUID()];
    // The queries at the start of the streams are done.
    await writeElsewhere(one);
    const before = looks;
    await writeElsewhere(two);
    expect(looks).toBe(before);
    await reply(await conversationOf("idle"), awake);
    await own[0]!.until(() => own.every((stream) => stream.texts.includes(awake)));
    // One query for all of them.
    expect(looks - before).toBeLessThanOrEqual(2);
  });
  streams.watch = watch;
});

test("a session has at most five streams: a sixth ends the oldest", async () => {
  const ada = await Visitor.open(app.baseUrl, chat);
  const streams: Listening[] = [];
  for (let i = 0; i < 6; i++) streams.push(await hearing(ada));
  await streams[0]!.until(() => streams[0]!.ended);
  expect(streams.slice(1).map(({ ended }) => ended)).toEqual(Array(5).fill(false));
});

test(`a visitor who resumes with Last-Event-ID misses nothing and receives nothing twice, while the servers are killed ${KILLS} times`, async () => {
  const nodes = await (pair ??= twoNodes());
  const ada = await Visitor.open(app.baseUrl, chat);
  await ada.write("over two servers", undefined, 201);
  const id = await conversationOf("over two servers");
  const heard: string[] = [];
  const first = await hearing(ada);
  let { lastId } = first;
  first.close();
  let current = first;
  let done = false;
  const reader = (async () => {
    for (let turn = 0; !done; turn++) {
      try {
        const stream = (current = await hearing(ada, lastId, nodes[turn % 2]!.baseUrl));
        await stream.until(() => stream.ended || done, 900_000);
        heard.push(...stream.texts);
        lastId = stream.lastId;
        stream.close();
      } catch {
        // The server is down.
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  })();
  const killer = (async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      await nodes[kill % 2]!.kill();
      nodes[kill % 2] = await startProcess(app.db);
    }
  })();
  for (let i = 0; i < MESSAGES; i++) {
    // The desk writes to a server that is up. The same id makes it the same reply.
    for (let written = false; !written;) {
      written = await new Client(nodes[i % 2]!.baseUrl, tenant.live.token)
        .post(`/api/conversations/${id}/reply`, { body: `reply ${i}`, clientMessageId: `r${i}` })
        .then(
          ({ status }) => status === 200,
          () => false,
        );
    }
    if (i === MESSAGES / 2) await killer;
  }
  await killer;
  const until = Date.now() + 240_000;
  while (!current.texts.includes(`reply ${MESSAGES - 1}`) && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 50));
  done = true;
  for (const stream of open) stream.close();
  await reader;
  expect(heard).toEqual(Array.from({ length: MESSAGES }, (_, i) => `reply ${i}`));
}, 900_000);

test("a server ends its streams when it is stopped, and stops", async () => {
  const node = (await (pair ??= twoNodes()))[0]!;
  const ada = await Visitor.open(node.baseUrl, chat);
  const stream = await hearing(ada);
  expect(await node.stop()).toBe(0);
  await stream.until(() => stream.ended);
});
