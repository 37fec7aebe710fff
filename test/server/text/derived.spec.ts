import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { RepairJob } from "../../../src/platform/derived/repair.job.js";
import { derivationFailed } from "../../../src/platform/http/errors.js";
import { assist } from "../assistant/support.js";
import { start, walk } from "../e2e/support.js";
import { ask } from "../security/http.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { eventually } from "../../support/eventually.js";
import { connect } from "../../support/database.js";

let app: TestApp;
let tenant: TestTenant;
let workspaceId: string;
let logged: string[];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  ({ workspaceId } = tenant.defaults);
});
beforeEach(() => {
  logged = [];
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => logged.push(String(chunk)) > 0);
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => app.close());

const log = (): string => logged.join("");
const missing = (): Promise<{ kind: string; attempts: number }[]> =>
  app.db.query("select kind, attempts from derived_repair order by kind");
const repair = (): Promise<void> => app.app.get(RepairJob).tick();
const found = async (query: string): Promise<number> =>
  (await tenant.live.post("/api/conversations/search", { query }, 200)).body.data.length;

/** Makes every insert into the table fail while `work` runs. */
async function whileBroken(table: string, work: () => Promise<void>): Promise<void> {
  await app.db.query(`create function broken() returns trigger language plpgsql as
    $$ begin raise exception 'the disk of % is broken', tg_table_name using errcode = 'XX001'; end $$`);
  await app.db.query(`create trigger a_broken before insert or update on ${table} execute function broken()`);
  try {
    await work();
  } finally {
    await app.db.query("drop function broken cascade");
  }
}

describe("where it cannot be derived from a message", () => {
  test("the search index costs no message, and is repaired by itself", async () => {
    const { id } = await start(tenant.live, workspaceId);
    await whileBroken("search_entry", async () => {
      for (const [path, body, status] of [
        [`/api/conversations/${id}/messages`, "quixotic inbound", 201],
        [`/api/conversations/${id}/reply`, "quixotic reply", 200],
        [`/api/conversations/${id}/notes`, "quixotic note", 201],
      ] as const)
        await tenant.live.post(path, { body }, status, { headers: { "idempotency-key": body.replace(" ", "-") } });
      await start(tenant.live, workspaceId, { subject: "quixotic subject" });
      expect(log()).toContain("the disk of search_entry is broken");
      expect(await found("quixotic")).toBe(0);
      await repair();
      expect((await missing()).filter(({ attempts }) => attempts === 1).map(({ kind }) => kind)).toEqual([
        "search_head",
        "search_message",
        "search_message",
        "search_message",
      ]);
    });
    await app.db.query("update derived_repair set due_at = now()");
    await repair();
    expect(await missing()).toEqual([]);
    expect(await found("quixotic")).toBe(2);
    const messages = await walk(tenant.live, `/api/conversations/${id}/messages`);
    expect(messages.map(({ body }) => body)).toEqual(["quixotic inbound", "quixotic reply", "quixotic note"]);
  });

  test("a text that was removed meanwhile does not come back with the repair", async () => {
    const { id, contactId } = await start(tenant.live, workspaceId);
    await whileBroken("search_entry", async () => {
      await tenant.live.post(`/api/conversations/${id}/messages`, { body: "ephemeral thing" }, 201);
    });
    expect(await missing()).not.toEqual([]);
    await tenant.live.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    await repair();
    expect(await missing()).toEqual([]);
    expect(await found("ephemeral")).toBe(0);
    expect(await app.db.query("select from search_entry where words like '%ephemeral%'")).toEqual([]);
  });

  test("an index that takes too long costs no message either", async () => {
    const { id } = await start(tenant.live, workspaceId);
    await app.db.query(`create function broken() returns trigger language plpgsql as
      $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$`);
    await app.db.query("create trigger a_broken before insert on search_entry execute function broken()");
    try {
      await tenant.live.post(`/api/conversations/${id}/messages`, { body: "tardy thing" }, 201);
    } finally {
      await app.db.query("drop function broken cascade");
    }
    await repair();
    expect(await found("tardy")).toBe(1);
  });

  test("a text that is being removed does not come back either: the repair waits for the removal", async () => {
    const { id } = await start(tenant.live, workspaceId);
    await whileBroken("search_entry", async () => {
      await tenant.live.post(`/api/conversations/${id}/messages`, { body: "evanescent thing" }, 201);
    });
    const remover = await connect(app.db.url);
    try {
      await remover.query("begin");
      await remover.query("update message set body = '' where conversation_id = $1", [id]);
      const repairing = repair();
      await eventually(async () => {
        const waiting = await app.db.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(waiting).not.toEqual([]);
      });
      await remover.query("commit");
      await repairing;
    } finally {
      await remover.end();
    }
    expect(await missing()).toEqual([]);
    expect(await app.db.query("select from search_entry where words like '%evanescent%'")).toEqual([]);
  });

  /** Runs the repair while another transaction has made these changes, and commits them once the repair waits. */
  async function repairDuring(changes: readonly string[], id: string): Promise<void> {
    const other = await connect(app.db.url);
    try {
      await other.query("begin");
      for (const change of changes) await other.query(change, [id]);
      const repairing = repair();
      await eventually(async () => {
        const waiting = await app.db.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(waiting).not.toEqual([]);
      });
      await other.query("commit");
      await repairing;
    } finally {
      await other.end();
    }
    expect(await missing()).toEqual([]);
  }

  test("the times that reports count are those after a change that the repair waits for", async () => {
    const { id } = await start(tenant.live, workspaceId);
    await whileBroken("open_time", () => tenant.live.post(`/api/conversations/${id}/take-over`, {}, 200).then());
    await repairDuring(["update conversation set assisted = not assisted where id = $1"], id);
    const state = "select assisted from conversation where id = $1";
    expect(await app.db.query("select assisted from open_time where conversation_id = $1", [id])).toEqual(
      await app.db.query(state, [id]),
    );
    // Somebody waits for the reply.
    await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Where is it?" }, 201);
    await whileBroken("reply_time", () =>
      tenant.live.post(`/api/conversations/${id}/reply`, { body: "It left." }, 200).then(),
    );
    // As a reply is cancelled.
    await repairDuring(
      [
        "select from conversation where id = $1 for no key update",
        "update message set waited_since = null where conversation_id = $1",
      ],
      id,
    );
    expect(await app.db.query("select from reply_time where conversation_id = $1", [id])).toEqual([]);
  });

  test("what the assistant did costs no message, and is counted by the repair", async () => {
    const { id } = await start(tenant.live, workspaceId);
    const did = (columns: string) =>
      app.db.query(`select ${columns} from assistant_time where conversation_id = $1`, [id]);
    await whileBroken("assistant_time", () =>
      tenant.live.post(`/api/conversations/${id}/messages`, { body: "Where is it?" }, 201).then(),
    );
    await repair();
    expect(await did("replied")).toEqual([{ replied: false }]);
    await whileBroken("hand_over", () => assist(app));
    expect(await app.db.query("select from hand_over where conversation_id = $1", [id])).toEqual([]);
    await repair();
    expect(await app.db.query("select reason from hand_over where conversation_id = $1", [id])).toEqual([
      { reason: "nothing_found" },
    ]);
    await whileBroken("assistant_time", () =>
      tenant.live.post(`/api/conversations/${id}/reply`, { body: "It left." }, 200).then(),
    );
    expect(await did("replied")).toEqual([{ replied: false }]);
    await repair();
    expect(await did("replied")).toEqual([{ replied: true }]);
  });

  test("the count of messages costs no message, and is made up for", async () => {
    const { id } = await start(tenant.live, workspaceId);
    const counted = async () =>
      (await app.db.query<{ n: number }>("select coalesce(sum(inbound), 0)::int as n from consumption"))[0]!.n;
    const before = await counted();
    await whileBroken("consumption", async () => {
      await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Hello" }, 201);
      await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Hello?" }, 201);
    });
    expect(await counted()).toBe(before);
    await repair();
    expect(await counted()).toBe(before + 2);
  });

  test("an audit entry costs no message, and is written afterwards as it would have been", async () => {
    const { id } = await start(tenant.live, workspaceId);
    // The message's own time is rounded to milliseconds, and the entry's is cut.
    const now = async () => (await app.db.query<{ now: Date }>("select clock_timestamp() as now"))[0]!.now.getTime();
    const before = await now();
    await whileBroken("audit_entry", async () => {
      await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Hello" }, 201);
    });
    const [message] = (await tenant.live.get(`/api/conversations/${id}/messages`, 200)).body.data;
    const entries = () => app.db.query<{ at: Date }>(`select * from audit_entry where resource_id = '${message!.id}'`);
    expect(await entries()).toEqual([]);
    const after = await now();
    await repair();
    const written = await entries();
    expect(written).toEqual([
      expect.objectContaining({
        actor_kind: "apiKey",
        action: "conversations.receive",
        change: "created",
        resource_type: "message",
        workspace_id: workspaceId,
        conversation_id: id,
      }),
    ]);
    expect(written[0]!.at.getTime()).toBeGreaterThanOrEqual(before);
    expect(written[0]!.at.getTime()).toBeLessThanOrEqual(after);
  });

  test("the directory costs no contact and no account, and is repaired by itself", async () => {
    await whileBroken("directory_entry", async () => {
      await start(tenant.live, workspaceId, { contact: { name: "Zebulon", emails: ["zebulon@example.com"] } });
      await tenant.live.post("/api/accounts", { name: "Zebulon Ltd" }, 201);
    });
    const hits = async (path: string) =>
      (await tenant.live.get<{ data: unknown[] }>(`${path}/search?q=zebulon`, 200)).body.data.length;
    expect(await hits("/api/contacts")).toBe(0);
    await repair();
    expect([await hits("/api/contacts"), await hits("/api/accounts")]).toEqual([1, 1]);
  });

  test("the search of cases costs no case, forgets its old text all the same, and is repaired by itself", async () => {
    const owner = await tenant.owner();
    const cases = async (q: string) =>
      (await tenant.live.get(`/api/cases?q=${q}`, 200)).body.data.map(({ title }) => title);
    const { id } = (await owner.post("/api/cases", { workspaceId, title: "Dirigible lost" }, 201)).body;
    await whileBroken("case_entry", async () => {
      await owner.patch(`/api/cases/${id}`, { title: "Airship found", status: "resolved" }, 200);
      await owner.post("/api/cases", { workspaceId, title: "Airship late" }, 201);
      expect([await cases("dirigible"), await cases("airship")]).toEqual([[], []]);
    });
    await repair();
    expect([await cases("dirigible"), await cases("airship")]).toEqual([[], ["Airship late", "Airship found"]]);
  });

  test("the index costs no knowledge base entry and no policy, and is repaired by itself", async () => {
    await whileBroken("kb_posting", async () => {
      await tenant.live.post(
        `/api/workspaces/${workspaceId}/kb-entries`,
        { question: "Where is the zeppelin?", answer: "In the hangar", status: "approved" },
        201,
      );
    });
    await whileBroken("policy_posting", async () => {
      await tenant.live.post(
        `/api/workspaces/${workspaceId}/policy-entries`,
        { title: "Zeppelins", rule: "Never sell one", category: "other", effect: "deny" },
        201,
      );
    });
    expect((await missing()).map(({ kind }) => kind)).toEqual(expect.arrayContaining(["kb_index", "policy_index"]));
    await repair();
    expect(await missing()).toEqual([]);
    expect(await app.db.query("select from kb_posting")).not.toEqual([]);
    expect(await app.db.query("select from policy_posting")).not.toEqual([]);
  });
});

test.each(["?", "👍", "…", " ", "\u200b"])("a message without a word (%j) leaves nothing to repair", async (body) => {
  const { id } = await start(tenant.live, workspaceId, { subject: body, contact: { name: body } });
  await tenant.live.post(`/api/conversations/${id}/messages`, { body }, 201);
  await tenant.live.post(`/api/conversations/${id}/reply`, { body }, 200);
  await tenant.live.post(`/api/conversations/${id}/notes`, { body }, 201);
  expect(await missing()).toEqual([]);
});

test("the longest message of the widest signs goes into the index at once", async () => {
  const { id } = await start(tenant.live, workspaceId);
  // Signs that stand for four letters each, and as many words as the index takes.
  const signs = "\ufdf2\ufdf3\ufdf4\ufdf6\ufdf7\ufdf8";
  const words = Array.from({ length: 10_000 }, (_, n) =>
    [...(n * 997).toString(6).padStart(9, "0")].map((digit) => signs[Number(digit)]!).join(""),
  );
  const body = words.join(" ");
  expect(body).toHaveLength(99_999);
  const { body: message } = await tenant.live.post(`/api/conversations/${id}/messages`, { body }, 201);
  expect(message.body).toBe(body);
  expect(await missing()).toEqual([]);
  // A tsvector of more than a megabyte is not refused but garbled: what is in the index are words, and the workspace twice.
  const [index] = await app.db.query<{ words: number; others: number }>(
    `select count(w)::int as words, count(*) filter (where w is null)::int as others
     from search_entry e
       cross join unnest(tsvector_to_array(
         search_tokens(e.tenant_id, e.conversation_id, e.id, e.workspace_id, e.at, e.words))) token
       left join unnest(string_to_array(e.words, ' ')) w on w = right(token, 36)
     where e.id = $1`,
    [message.id],
  );
  expect(index!.others).toBe(2);
  expect(index!.words).toBeGreaterThan(5_000);
});

test("a message itself that cannot be stored is refused, with nothing left to repair", async () => {
  const { id } = await start(tenant.live, workspaceId);
  await whileBroken("message", async () => {
    const answer = await ask(app.baseUrl, {
      method: "POST",
      path: `/api/conversations/${id}/messages`,
      headers: {
        authorization: `Bearer ${tenant.live.token}`,
        "content-type": "application/json",
        "x-request-id": "r-1",
      },
      body: '{"body":"Hello"}',
    });
    expect([answer.status, answer.text, answer.headers["x-request-id"]]).toEqual([
      500,
      '{"error":"Internal Server Error"}',
      "r-1",
    ]);
    expect(log()).toMatch(/request r-1: XX001 the disk of message is broken; where PL/);
  });
  expect(await missing()).toEqual([]);
});

test("the application's role can write no audit entry by way of a repair", async () => {
  await expect(
    app.transaction(tenant.tenantId, (tx) =>
      (tx as unknown as { client: { query(text: string): Promise<unknown> } }).client.query(
        `select derive_later('audit_entry', '${tenant.tenantId}', '{}')`,
      ),
    ),
  ).rejects.toThrow("audit entries come from triggers alone");
});

test("an error in any function that can derive later counts as a failed derivation", async () => {
  const functions = await app.db.query<{ name: string }>(
    "select proname as name from pg_proc where prosrc like '%app.derived%'",
  );
  expect(functions.length).toBeGreaterThan(10);
  const overlooked = functions.filter(
    ({ name }) =>
      !derivationFailed(Object.assign(new Error(), { code: "23502", where: `PL/pgSQL function ${name}() line 1` })),
  );
  expect(overlooked).toEqual([]);
});
