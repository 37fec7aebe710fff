import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { recordIdentityEvent } from "../../src/identity/events/identity-event.js";
import { OutboxService } from "../../src/platform/outbox/outbox.service.js";
import { walk } from "../server/e2e/support.js";
import { allowTimeForProcesses } from "../server/process/support.js";
import type { TestApp, TestTenant } from "../support/app.js";
import { Client } from "../support/client.js";
import { randomFrom, runs } from "../support/seed.js";
import { startProcess } from "./processes.js";
import { concurrently, copyOf, on, startTwo, tablesWith, tally, type TwoNodes, until } from "./support.js";
import { run } from "../support/sql.js";
import { connect } from "../support/database.js";
import { WHOLE } from "../support/sweep.js";

allowTimeForProcesses();

let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let workspaceId: string;
/** What the nodes log. */
let logged = "";
beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      logged += String(chunk);
      return true;
    });
  nodes = await startTwo({ LOG_LEVEL: "debug" });
  app = nodes.a;
  tenant = await app.tenant();
  ({ workspaceId } = tenant.defaults);
});
afterAll(async () => {
  await nodes.close();
  vi.restoreAllMocks();
});

interface Person {
  needle: string;
  phone: string;
  contactId: string;
  conversationId: string;
  messageId: string;
}

async function person(prefix: string, index: number): Promise<Person> {
  const needle = `${prefix}-${index}-`;
  const [phone, callerId] = ["30", "40"].map((area) => `+49${area}${prefix.length}${String(100_000 + index)}`) as [
    string,
    string,
  ];
  const { body: contact } = await tenant.live.post(
    "/api/contacts",
    {
      name: needle,
      externalId: needle,
      emails: [`${needle}@example.com`],
      phones: [phone],
      attributes: { pet: needle },
    },
    201,
  );
  const { body } = await tenant.live.post(
    "/api/conversations",
    { workspaceId, contactId: contact.id, externalId: needle, subject: needle, callerId, message: { body: needle } },
    201,
  );
  const { body: messages } = await tenant.live.get(`/api/conversations/${body.id}/messages`, 200);
  return { needle, phone, contactId: contact.id, conversationId: body.id, messageId: messages.data[0]!.id };
}

const key = (): { headers: Record<string, string> } => ({ headers: { "idempotency-key": randomUUID() } });
const record = (node: TestApp, { conversationId, contactId, phone }: Person, ofPhone: boolean): Promise<boolean> =>
  node.transaction(tenant.tenantId, (tx) =>
    recordIdentityEvent(
      tx,
      { conversationId, transitionKey: randomUUID() },
      ofPhone
        ? { eventType: "ani_blocked", scopeDimension: "caller_ani", scopeValues: [phone] }
        : { eventType: "verification_agent_context_used", factorBoundToPrincipal: contactId, evidenceRef: "tool:x" },
    ),
  );

const PEOPLE = runs(20, 500);
const WRITERS = runs(8, 50);
/** How many people before and after those who are being erased are written to. */
const NEAR = runs(10, 20);
const random = randomFrom();
/** Values unique to these people: names, addresses, words and attributes; phone numbers; caller IDs. */
const NEEDLES = ["racer", Buffer.from("racer").toString("hex"), "+49305", "+49405"];
const found = (text: string): string[] => NEEDLES.filter((needle) => text.includes(needle));

test(`${PEOPLE} erasures during writes by ${WRITERS} writers on two nodes leave no personal data in any table, log, mail or response`, async () => {
  await (
    await tenant.owner()
  ).put(
    `/api/workspaces/${workspaceId}/verification-sources`,
    {
      sources: [
        { name: "file", type: "contact_attributes", questions: [{ key: "pet", prompt: "Pet?", attribute: "pet" }] },
      ],
    },
    200,
  );
  await race([tenant.live, on(nodes.b, tenant.live)]);
  expect(logged, "requests were logged").toContain("/api/contacts/:id/erasure");
  expect(found(logged)).toEqual([]);
});

async function race(clients: Client[]): Promise<void> {
  const people: Person[] = [];
  while (people.length < PEOPLE) people.push(...(await concurrently(20, (n) => person("racer", people.length + n))));
  await app.transaction(tenant.tenantId, async (tx) => {
    for (const { needle } of people)
      await app.app.get(OutboxService).mail(tx, { to: `${needle}@example.com`, subject: needle, body: needle });
  });
  const before = await copyOf(app.db);
  for (const table of ["contact", "contact_point", "conversation", "message"])
    expect([table, found(before[table]!).length > 0]).toEqual([table, true]);
  expect(before.outbox_message!.split("\n").length).toBeGreaterThan(PEOPLE);

  const sent: { path: string; body: object; headers: Record<string, string> }[] = [];
  const statuses: number[] = [];
  let events = 0;
  let erasing = true;

  const owner = await tenant.owner();
  const write = async (node: TestApp, client: Client, one: Person): Promise<void> => {
    const { needle, conversationId, contactId, messageId } = one;
    const post = async <P extends string>(path: P, body: object) => {
      const options = key();
      const answer = await client.post(path, body, undefined, options);
      statuses.push(answer.status);
      sent.push({ path, body, ...options });
      return answer.body;
    };
    switch (Math.floor(random() * 11)) {
      case 0:
        await post(`/api/conversations/${conversationId}/messages`, {
          body: needle,
          externalId: `${needle}${Math.floor(random() * 3)}`,
        });
        break;
      case 1:
        await post(`/api/conversations/${conversationId}/reply`, {
          body: needle,
          clientMessageId: `${needle}${randomUUID()}`,
        });
        break;
      case 2:
        await post(`/api/conversations/${conversationId}/notes`, { body: needle });
        break;
      case 3:
        await post("/api/conversations", {
          workspaceId,
          contactId,
          subject: needle,
          metadata: { needle },
          message: { body: needle },
        });
        break;
      case 4:
        await post("/api/conversations", { workspaceId, contactId, externalId: needle, message: { body: needle } });
        break;
      case 5:
        await post(`/api/workspaces/${workspaceId}/kb-entries`, {
          question: needle,
          answer: needle,
          status: "pending",
          evidence: [{ conversationId, messageId }],
        });
        break;
      case 6:
        statuses.push(
          (await client.patch(`/api/contacts/${contactId}`, { attributes: { pet: needle, note: `${needle} again` } }))
            .status,
        );
        break;
      case 7: {
        const { questions } = await post(`/api/conversations/${conversationId}/verification/questions`, {});
        if (questions)
          await post(`/api/conversations/${conversationId}/verification/answers`, {
            questionId: questions[0]!.questionId,
            answer: random() < 0.5 ? needle : `${needle} not`,
          });
        break;
      }
      case 8:
        statuses.push((await owner.put(`/api/conversations/${conversationId}/draft`, { body: needle })).status);
        break;
      default:
        if (await record(node, one, random() < 0.5)) events++;
    }
  };
  // The writers choose the people who are erased next, because only they can race with an erasure.
  const queue = [...people];
  const near = (): Person =>
    people[Math.min(people.length - 1, Math.max(0, queue.length + Math.floor(random() * 2 * NEAR) - NEAR))]!;
  const writers = concurrently(WRITERS, async (index) => {
    // Writers get through before the erasures, and are refused after them.
    while (erasing || !statuses.includes(409))
      await write(index % 2 ? nodes.a : nodes.b, clients[index % clients.length]!, near());
  });
  await until(async () => events > 0, "writers get through");
  const erased = await concurrently(10, async (index) => {
    const mine: number[] = [];
    for (let one = queue.pop(); one; one = queue.pop())
      mine.push(
        (
          await clients[index % clients.length]!.post(
            `/api/contacts/${one.contactId}/erasure`,
            undefined,
            undefined,
            key(),
          )
        ).status,
      );
    return mine;
  }).finally(() => {
    erasing = false;
  });
  await writers;

  expect(tally(erased.flat())).toEqual({ 200: PEOPLE });
  const answers = tally(statuses);
  // 503: a writer that waited too long for a lock gets an error and wrote nothing.
  expect(
    Object.keys(answers).filter((status) => !["200", "201", "404", "409", "503"].includes(status)),
    JSON.stringify(answers),
  ).toEqual([]);

  const copies = await copyOf(app.db);
  expect(
    Object.entries(copies)
      .map(([table, text]) => [table, found(text)] as const)
      .filter(([, needles]) => needles.length),
  ).toEqual([]);
  for (const table of [
    "contact_point",
    "identity_event",
    "verification_question",
    "verification_attempt",
    "verification_factor",
    "attention_item",
    "outbox_message",
    "outbox_queue",
  ])
    expect([table, copies[table]]).toEqual([table, ""]);
  expect(
    await app.db.query(`select 1 from contact where erased_at is null and id = any($1)`, [
      people.map(({ contactId }) => contactId),
    ]),
  ).toEqual([]);
  expect(await app.db.query(`select 1 from conversation where redacted_at is null`)).toEqual([]);

  for (const path of [
    "/api/contacts",
    "/api/conversations",
    `/api/workspaces/${workspaceId}/kb-entries`,
    "/api/attention-items",
  ])
    expect([path, found(JSON.stringify(await walk(tenant.live, path)))]).toEqual([path, []]);
  const reads = people.flatMap(({ conversationId, contactId, needle }) => [
    ...["", "/messages?limit=100", "/identity-events", "/assurance"].map(
      (path) => `/api/conversations/${conversationId}${path}`,
    ),
    `/api/contacts/${contactId}`,
    `/api/contacts?externalId=${needle}`,
  ]);
  reads.push(`/api/workspaces/${workspaceId}/kb-entries/pending`);
  await concurrently(10, async () => {
    for (let path = reads.pop(); path; path = reads.pop())
      expect([path, found((await tenant.live.get(path)).text)]).toEqual([path, []]);
  });
  for (const { path, body, headers } of sent.slice(-runs(100, 500)))
    expect([path, found((await tenant.live.post(path, body, undefined, { headers })).text)]).toEqual([path, []]);
}

test.runIf(WHOLE)(
  "an erasure whose process is killed midway is rolled back, and succeeds when it is repeated",
  async () => {
    const one = await person("killed", 1);
    await record(app, one, false);
    await record(app, one, true);
    const before = await tablesWith(app.db, "killed");
    const server = await startProcess(app.db);
    const lock = await connect(app.db.url);
    try {
      // The erasure deletes the contact's addresses last.
      await lock.query("begin");
      await lock.query("select from contact_point where contact_id = $1 for update", [one.contactId]);
      const cutOff = new Client(server.baseUrl, tenant.live.token)
        .post(`/api/contacts/${one.contactId}/erasure`)
        .catch((error: unknown) => error);
      const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from contact_point%'`;
      const [{ pid }] = (await until(
        () => app.db.query<{ pid: number }>(waiting),
        "the erasure waits for the lock",
      )) as [{ pid: number }];
      await server.kill();
      expect(await cutOff).toBeInstanceOf(Error);
      await lock.query("rollback");
      await until(
        async () => !(await app.db.query("select 1 from pg_stat_activity where pid = $1", [pid])).length,
        "the database has noticed",
      );
    } finally {
      await lock.end();
      await server.kill();
    }
    expect(await tablesWith(app.db, "killed")).toEqual(before);
    expect(await app.db.query("select 1 from erased_contact where id = $1", [one.contactId])).toEqual([]);
    expect((await tenant.live.get(`/api/contacts/${one.contactId}`, 200)).body).toMatchObject({
      name: one.needle,
      phones: [{ value: one.phone }],
    });
    expect(
      (await tenant.live.get(`/api/conversations/${one.conversationId}/identity-events`, 200)).body.events,
    ).toHaveLength(2);
    expect(
      (await tenant.live.post(`/api/contacts/${one.contactId}/erasure`, undefined, 200)).body.erased,
    ).toMatchObject({
      contacts: 1,
      contactPoints: 2,
      identityEvents: 2,
    });
    expect(await tablesWith(app.db, "killed")).toEqual({});
    expect(await tablesWith(app.db, one.phone)).toEqual({});
  },
);

test("two transactions that deadlock both finish: the one that PostgreSQL aborts is retried", async () => {
  const [a, b] = [await person("crossing", 1), await person("crossing", 2)];
  let arrived = 0;
  let go!: () => void;
  const both = new Promise<void>((resolve) => {
    go = resolve;
  });
  const cross = (first: Person, second: Person): Promise<number> => {
    let attempts = 0;
    return app.transaction(tenant.tenantId, async (tx) => {
      attempts++;
      await run(tx, "select id from contact where tenant_id = :tenant and id = :id for update", {
        id: first.contactId,
      });
      if (++arrived === 2) go();
      await both;
      await run(tx, "select id from contact where tenant_id = :tenant and id = :id for update", {
        id: second.contactId,
      });
      return attempts;
    });
  };
  const attempts = await Promise.all([cross(a, b), cross(b, a)]);
  // At least once: the aborted transaction may get its lock first again.
  expect(Math.max(...attempts)).toBeGreaterThan(1);
});
