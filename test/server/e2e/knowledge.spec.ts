import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => app.close());

const list = (of = workspaceId) => `/api/workspaces/${of}/kb-entries` as const;
const create = async (body: object = {}, of = workspaceId) => {
  const { similar: _, ...entry } = (
    await tenant.live.post(list(of), { question: "How long?", answer: "Two days.", ...body }, 201)
  ).body;
  return entry;
};
const propose = (body: object = {}, of = workspaceId) => create({ status: "pending", ...body }, of);
const read = async (id: string) => (await tenant.live.get(`/api/kb-entries/${id}`, 200)).body;
const empty = async (): Promise<string> => (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;

describe("a new entry", () => {
  test("is approved by default, and has every field except a confidence that was not given", async () => {
    const entry = await create();
    expect(entry).toEqual({
      id: anId,
      workspaceId,
      status: "approved",
      question: "How long?",
      answer: "Two days.",
      alternateQuestions: [],
      language: "en",
      labels: [],
      replacesDuplicate: false,
      source: "manual",
      evidence: [],
      evidenceCount: 0,
      duplicateOfId: null,
      reviewedBy: null,
      reviewedAt: null,
      rejectionReason: null,
      validUntil: null,
      usage: { retrieved: 0, answered: 0, helpful: 0 },
      version: 1,
      createdAt: aTime,
      updatedAt: aTime,
    });
    expect(entry).not.toHaveProperty("confidence");
    expect(await read(entry.id)).toEqual(entry);
  });

  test("keeps the given values", async () => {
    const conversation = await start(tenant.live, workspaceId, { message: { body: "Wie lange?" } });
    const [message] = await walk(tenant.live, `/api/conversations/${conversation.id}/messages`);
    const given = {
      question: "Wie lange?",
      answer: "Zwei Tage.\n\nMit *Express* einen.",
      alternateQuestions: ["Wann kommt es?", " ungetrimmt "],
      language: "de",
      labels: ["delivery"],
      status: "pending",
      confidence: 0.93,
      evidence: [{ conversationId: conversation.id, messageId: message!.id }],
      validUntil: "2030-01-01T00:00:00.000Z",
    };
    const { id } = await create(given);
    expect(await read(id)).toMatchObject({ ...given, evidenceCount: 1 });
  });

  test("accepts only messages of its own workspace as evidence: others return 404", async () => {
    const [here, there] = [
      await start(tenant.live, workspaceId, { message: { body: "Hello" } }),
      await start(tenant.live, await empty(), { message: { body: "Hello" } }),
    ];
    const [ours, theirs] = (
      await Promise.all([here, there].map(({ id }) => walk(tenant.live, `/api/conversations/${id}/messages`)))
    ).flat();
    const pairs = [
      [there.id, theirs!.id],
      [here.id, theirs!.id],
      [here.id, UNKNOWN_ID],
      [UNKNOWN_ID, ours!.id],
    ];
    for (const [conversationId, messageId] of pairs) {
      const evidence = [
        { conversationId: here.id, messageId: ours!.id },
        { conversationId, messageId },
      ];
      expect((await tenant.live.post(list(), { question: "Q", answer: "A", evidence }, 404)).body).toEqual(NOT_FOUND);
    }
  });

  test.each([0, 0.1, 0.9, 1])("returns the confidence %d as the same number", async (confidence) => {
    expect((await read((await propose({ confidence })).id)).confidence).toBe(confidence);
  });

  test("with a text that looks like an absent confidence keeps it, wherever it is read", async () => {
    const of = await empty();
    const question = 'Is {"a":1,"confidence":null} JSON?';
    const other = await create({ question, confidence: 0.5 }, of);
    const entry = await create({ question, alternateQuestions: [',"confidence":null', question] }, of);
    expect(entry.question).toBe(question);
    expect(await read(entry.id)).toEqual(entry);
    expect(await walk(tenant.live, list(of))).toEqual([entry, other]);
    const found = (await tenant.live.get(`${list(of)}/search?q=${encodeURIComponent(question)}`, 200)).body.data;
    expect(found.map((hit) => hit.entry)).toEqual(expect.arrayContaining([entry, other]));
    expect(entry).not.toHaveProperty("confidence");
    expect(other.confidence).toBe(0.5);
  });

  test("has its workspace's language by default", async () => {
    const german = await newWorkspace(tenant.live, tenant.defaults.brandId, { primaryLanguage: "de" });
    expect((await create({}, german.id)).language).toBe("de");
    expect((await create({ language: "fr" }, german.id)).language).toBe("fr");
  });

  test.each(["rejected", "archived", "new"])("cannot be created as %s", async (status) => {
    await tenant.live.post(list(), { question: "Q", answer: "A", status }, 400);
  });
});

describe("the pending entries", () => {
  test("are an array, oldest first, of the pending entries of this workspace only", async () => {
    const workspace = await empty();
    expect((await tenant.live.get(`${list(workspace)}/pending`, 200)).text).toBe("[]");
    const first = await propose({ question: "first", confidence: 0.94 }, workspace);
    await create({}, workspace);
    const second = await propose({ question: "second" }, workspace);
    const third = await propose({ question: "third", confidence: 0.5 }, workspace);
    await propose({ question: "elsewhere" });
    expect((await tenant.live.get(`${list(workspace)}/pending`, 200)).body).toEqual([first, second, third]);
    expect(first.confidence).toBe(0.94);
    expect(second).not.toHaveProperty("confidence");
    await tenant.live.post(`/api/kb-entries/${first.id}/approve`, undefined, 200);
    await tenant.live.post(`/api/kb-entries/${third.id}/reject`, {}, 200);
    expect((await tenant.live.get(`${list(workspace)}/pending`, 200)).body).toEqual([second]);
  });

  test("are limited to 500 by default and to 1 to 1,000 by limit, the oldest first", async () => {
    const workspace = await empty();
    await app.db.query(
      `insert into kb_entry (tenant_id, id, workspace_id, status, question, answer, language, created_at)
      select $1, gen_random_uuid(), $2, 'pending', n::text, 'A', 'en', now() + n * interval '1 millisecond' from generate_series(1, 1001) n`,
      [tenant.tenantId, workspace],
    );
    const pending = async (limit?: number): Promise<string[]> =>
      (
        await tenant.live.get<Schemas["KbEntry"][]>(
          `${list(workspace)}/pending${limit === undefined ? "" : `?limit=${limit}`}`,
          200,
        )
      ).body.map(({ question }) => question);
    const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n + 1));
    expect(await pending()).toEqual(numbers(500));
    expect(await pending(1)).toEqual(numbers(1));
    expect(await pending(1_000)).toEqual(numbers(1_000));
    for (const limit of ["0", "1001", "-1", "1.5", "ten", ""]) {
      const { body } = await tenant.live.get(`${list(workspace)}/pending?limit=${limit}`, 400);
      expect(body.error).toMatch(/^limit /);
    }
  });
});

describe("the review", () => {
  test("approves an entry, records who and when, and changes nothing else", async () => {
    const owner = await tenant.owner();
    const { body: me } = await owner.get("/api/me", 200);
    const entry = await propose({ confidence: 0.7 });
    expect((await owner.post(`/api/kb-entries/${entry.id}/approve`, undefined, 200)).body).toEqual({ ok: true });
    expect(await read(entry.id)).toEqual({
      ...entry,
      status: "approved",
      reviewedBy: me.id,
      reviewedAt: aTime,
      updatedAt: aTime,
    });
  });

  test("rejects an entry, with or without a reason", async () => {
    const { body: me } = await tenant.live.get("/api/me", 200);
    const entry = await propose();
    expect((await tenant.live.post(`/api/kb-entries/${entry.id}/reject`, { reason: " Outdated " }, 200)).body).toEqual({
      ok: true,
    });
    expect(await read(entry.id)).toEqual({
      ...entry,
      status: "rejected",
      rejectionReason: " Outdated ",
      reviewedBy: me.id,
      reviewedAt: aTime,
      updatedAt: aTime,
    });
    for (const body of [{}, { reason: null }]) {
      const { id } = await propose();
      await tenant.live.post(`/api/kb-entries/${id}/reject`, body, 200);
      expect(await read(id)).toMatchObject({ status: "rejected", rejectionReason: null });
    }
  });

  test("rejects without a body, because the reason is optional", async () => {
    const { id } = await propose();
    expect((await tenant.live.post(`/api/kb-entries/${id}/reject`, undefined, 200)).body).toEqual({ ok: true });
    expect((await read(id)).status).toBe("rejected");
  });

  const verbs = { approve: "approved", reject: "rejected" } as const;
  test.each([
    ["approve", "approve"],
    ["approve", "reject"],
    ["reject", "approve"],
    ["reject", "reject"],
  ] as const)("happens once: after %s, %s returns 409 and changes nothing", async (first, second) => {
    const { id } = await propose();
    await tenant.live.post(`/api/kb-entries/${id}/${first}`, {}, 200);
    const before = await read(id);
    const { body } = await (
      await tenant.owner()
    ).post(`/api/kb-entries/${id}/${second}`, second === "reject" ? { reason: "Late" } : undefined, 409);
    expect(body).toEqual({ error: `Only a pending entry can be ${verbs[second]}; this one is ${verbs[first]}` });
    expect(await read(id)).toEqual(before);
  });

  test("does not apply to entries that were approved at creation", async () => {
    const entry = await create();
    for (const verb of Object.keys(verbs)) await tenant.live.post(`/api/kb-entries/${entry.id}/${verb}`, {}, 409);
    expect(await read(entry.id)).toEqual(entry);
  });

  test("of an unknown entry, or one out of an agent's reach, returns 404", async () => {
    const agent = await newAgent(await tenant.owner(), [await empty()]);
    const entry = await propose();
    for (const verb of Object.keys(verbs)) {
      expect((await tenant.live.post(`/api/kb-entries/${UNKNOWN_ID}/${verb}`, {}, 404)).body).toEqual(NOT_FOUND);
      expect((await agent.post(`/api/kb-entries/${entry.id}/${verb}`, {}, 404)).body).toEqual(NOT_FOUND);
    }
    expect(await read(entry.id)).toEqual(entry);
  });
});

describe("the list", () => {
  test("is newest first, of all statuses or one, and complete at every page size", async () => {
    const workspace = await empty();
    const entries: Schemas["KbEntry"][] = [];
    for (let n = 0; n < 9; n++)
      entries.unshift(
        await (n % 3 ? propose : create)(
          { question: `question ${n}`, ...(n % 2 ? { confidence: 0.5 } : {}) },
          workspace,
        ),
      );
    const pending = entries.filter(({ status }) => status === "pending");
    await tenant.live.post(`/api/kb-entries/${pending.pop()!.id}/reject`, {}, 200);
    const all = await Promise.all(entries.map(({ id }) => read(id)));
    for (const limit of [1, 4, 100]) {
      expect(await walk(tenant.live, list(workspace), limit)).toEqual(all);
      for (const status of ["approved", "pending", "rejected", "archived"]) {
        expect(await walk(tenant.live, `${list(workspace)}?status=${status}`, limit)).toEqual(
          all.filter((entry) => entry.status === status),
        );
      }
    }
    expect(all.map(({ status }) => status).toSorted()).toEqual([
      ...Array(3).fill("approved"),
      ...Array(5).fill("pending"),
      "rejected",
    ]);
  });

  test("of a workspace out of reach, deleted or unknown returns 404, as do its pending entries and a new one", async () => {
    const gone = await empty();
    await create({}, gone);
    await tenant.live.delete(`/api/workspaces/${gone}`, 200);
    const agent = await newAgent(await tenant.owner(), [await empty()]);
    const attempts: [Client, string][] = [
      [tenant.live, gone],
      [tenant.live, UNKNOWN_ID],
      [agent, workspaceId],
    ];
    for (const [client, id] of attempts) {
      for (const path of [list(id), `${list(id)}?status=pending`, `${list(id)}/pending`])
        expect((await client.get(path, 404)).body).toEqual(NOT_FOUND);
      expect((await client.post(list(id), { question: "Q", answer: "A" }, 404)).body).toEqual(NOT_FOUND);
    }
  });
});
