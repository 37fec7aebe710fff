import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { anId, aTime, newAgent, newDesk, newWorkspace, NOT_FOUND, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe("entries", () => {
  let tenant: TestTenant;
  let workspaceId: string;
  beforeAll(async () => {
    tenant = await app.tenant();
    ({ workspaceId } = tenant.defaults);
  });

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
        readFrom: null,
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
      expect(
        (await tenant.live.post(`/api/kb-entries/${entry.id}/reject`, { reason: " Outdated " }, 200)).body,
      ).toEqual({
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
});

describe("canned replies", () => {
  let tenant: TestTenant;
  let owner: Client;
  let ada: Client & { id: string };
  let bob: Client & { id: string };
  let elsewhere: string;
  beforeAll(async () => {
    ({ tenant, owner, ada, bob, elsewhere } = await newDesk(app));
  });

  let count = 0;
  const text = (changes: object = {}) => ({
    shortcut: `reply-${++count}`,
    title: "A delay",
    body: "Hello {{contact.firstName | there}}",
    ...changes,
  });
  const create = async (client: Client, changes: object = {}) =>
    (await client.post("/api/canned-replies", text({ workspaceId: tenant.defaults.workspaceId, ...changes }), 201))
      .body;
  const shortcuts = async (client: Client, query = ""): Promise<string[]> =>
    (await walk<{ shortcut: string }>(client, `/api/canned-replies?${query}`)).map(({ shortcut }) => shortcut);

  describe("a canned reply", () => {
    test("has a shortcut in small letters, a title, a text and a language", async () => {
      const made = await create(ada, { shortcut: " Größe-1 ", language: "de" });
      expect(made).toEqual({
        id: anId,
        workspaceId: tenant.defaults.workspaceId,
        shortcut: "größe-1",
        title: "A delay",
        body: "Hello {{contact.firstName | there}}",
        language: "de",
        createdBy: ada.id,
        createdAt: aTime,
        updatedAt: aTime,
      });
      const path = `/api/canned-replies/${made.id}` as const;
      expect((await ada.patch(path, { title: "Sizes", language: null }, 200)).body).toMatchObject({
        shortcut: "größe-1",
        title: "Sizes",
        language: null,
      });
      await ada.delete(path, 200);
      await ada.delete(path, 404);
    });

    test("is for a workspace or for all, and whoever has no access to the workspace does not see it", async () => {
      const [all, here, there] = [
        await create(owner, { workspaceId: null }),
        await create(bob),
        await create(bob, { workspaceId: elsewhere }),
      ];
      const mine = await shortcuts(ada);
      expect(mine).toContain(all.shortcut);
      expect(mine).toContain(here.shortcut);
      expect(mine).not.toContain(there.shortcut);
      const ofWorkspace = await shortcuts(bob, `workspaceId=${elsewhere}`);
      expect(ofWorkspace).toEqual(expect.arrayContaining([all.shortcut, there.shortcut]));
      expect(ofWorkspace).not.toContain(here.shortcut);
      await ada.get(`/api/canned-replies?workspaceId=${elsewhere}`, 404);
      expect((await ada.patch(`/api/canned-replies/${there.id}`, { title: "x" }, 404)).body).toEqual(NOT_FOUND);
    });

    test("is found by how its shortcut or title begins, in any case, and listed by shortcut", async () => {
      await create(ada, { shortcut: "zz-refund", title: "Money back" });
      await create(ada, { shortcut: "zz-other", title: "Äpfel" });
      expect(await shortcuts(ada, "query=ZZ-")).toEqual(["zz-other", "zz-refund"]);
      expect(await shortcuts(ada, "query=money")).toEqual(["zz-refund"]);
      expect(await shortcuts(ada, `query=${encodeURIComponent("äp")}`)).toEqual(["zz-other"]);
      expect(await shortcuts(ada, "query=back")).toEqual([]);
      expect(await shortcuts(ada, "query=%25")).toEqual([]);
    });

    test("is changed by whoever made it, by owners and by admins", async () => {
      const made = await create(ada);
      const path = `/api/canned-replies/${made.id}` as const;
      await bob.patch(path, { title: "Bob was here" }, 403);
      await bob.delete(path, 403);
      expect((await owner.patch(path, { title: "Changed" }, 200)).body).toMatchObject({
        title: "Changed",
        createdBy: ada.id,
      });
      await ada.delete(path, 200);
    });

    test("for all workspaces is for owners and admins to make and change", async () => {
      await ada.post("/api/canned-replies", text(), 403);
      const { id } = await create(owner, { workspaceId: null });
      await ada.patch(`/api/canned-replies/${id}`, { title: "x" }, 403);
      await owner.delete(`/api/canned-replies/${id}`, 200);
    });

    test("has a shortcut of its own in its workspace, whoever comes first", async () => {
      await create(ada, { shortcut: "one" });
      const body = text({ shortcut: "one", workspaceId: tenant.defaults.workspaceId });
      expect((await ada.post("/api/canned-replies", body, 409)).body.error).toBe(
        "Another canned reply has this shortcut",
      );
      await create(bob, { shortcut: "one", workspaceId: elsewhere });
      await create(owner, { shortcut: "one", workspaceId: null });
      await owner.post("/api/canned-replies", text({ shortcut: "one" }), 409);
      const statuses = await Promise.all(
        Array.from({ length: 6 }, () =>
          ada.post("/api/canned-replies", { ...body, shortcut: "race" }).then(({ status }) => status),
        ),
      );
      expect(statuses.sort()).toEqual([201, 409, 409, 409, 409, 409]);
      const other = await create(ada);
      await ada.patch(`/api/canned-replies/${other.id}`, { shortcut: "one" }, 409);
    });

    test("is one of a thousand at most on a side, also for requests that come at once", async () => {
      const side = await app.tenant();
      const admin = await side.owner();
      await app.transaction(side.tenantId, async (tx) => {
        await tx.query({
          kind: "query",
          name: "test.fillCannedReplies",
          reach: { unrestricted: "a test" },
          slots: [side.tenantId],
          text: `insert into canned_reply (tenant_id, id, shortcut, title, body, created_by)
          select $1::uuid, gen_random_uuid(), 's' || n, 't', 'b', gen_random_uuid() from generate_series(1, 998) n`,
        });
      });
      const statuses = await Promise.all(
        Array.from({ length: 6 }, () => admin.post("/api/canned-replies", text()).then(({ status }) => status)),
      );
      expect(statuses.sort()).toEqual([201, 201, 409, 409, 409, 409]);
    });
  });

  describe("variables", () => {
    test.each([
      ["{{contact.nam}}", "{{contact.nam}} is not a variable"],
      ["{{ }}", "{{ }} is not a variable"],
      ["{{constructor}}", "{{constructor}} is not a variable"],
      ["Hello {{contact.name", "without its counterpart"],
      ["Hello contact.name}}", "without its counterpart"],
    ])("%s is refused with a sentence", async (body, sentence) => {
      const answer = await ada.post(
        "/api/canned-replies",
        text({ body, workspaceId: tenant.defaults.workspaceId }),
        400,
      );
      expect(answer.body.error).toContain(sentence);
    });

    test("are fifty in a text at most, so that it still fits into a message when it is filled in", async () => {
      const of = (count: number) => "{{conversation.subject}}".repeat(count).padEnd(10_000, ".");
      const workspaceId = tenant.defaults.workspaceId;
      const refused = await ada.post("/api/canned-replies", text({ body: of(51), workspaceId }), 400);
      expect(refused.body.error).toBe("body has more than 50 variables");
      const { id } = await create(ada, { body: of(50) });
      const subject = "*".repeat(500);
      const conversation = await start(tenant.live, workspaceId, { contact: { name: "Ada" }, subject });
      const { body } = await ada.post(`/api/canned-replies/${id}/render`, { conversationId: conversation.id }, 200);
      expect(body.body.length).toBe(50 * 1_000 + 10_000 - 50 * 24);
      await ada.post(`/api/conversations/${conversation.id}/reply`, { body: body.body }, 200);
    });

    test("are filled in for a conversation", async () => {
      const body = [
        "{{contact.name}}/{{contact.firstName}}/{{conversation.subject}}/{{conversation.id}}",
        "{{member.name}}/{{member.firstName}}/{{workspace.name}}/{{brand.name}}",
      ].join("/");
      const { id } = await create(ada, { body });
      const of = await start(tenant.live, tenant.defaults.workspaceId, {
        contact: { name: "Ada Lovelace" },
        subject: "Order 7",
      });
      const { body: workspace } = await owner.get(`/api/workspaces/${tenant.defaults.workspaceId}`, 200);
      const path = `/api/canned-replies/${id}/render` as const;
      expect((await ada.post(path, { conversationId: of.id }, 200)).body).toEqual({
        conversationId: of.id,
        body: `Ada Lovelace/Ada/Order 7/${of.id}/Agent/Agent/${workspace.name}/${workspace.brandName}`,
        missing: [],
      });
      const plain = await start(tenant.live, tenant.defaults.workspaceId, {
        contact: { emails: ["nobody@example.com"] },
      });
      expect((await ada.post(path, { conversationId: plain.id }, 200)).body.missing).toEqual([
        "contact.name",
        "contact.firstName",
        "conversation.subject",
      ]);
    });

    test("are not filled in for a conversation out of reach, or of another workspace than the canned reply's", async () => {
      const { id } = await create(ada);
      const there = await start(tenant.live, elsewhere);
      for (const client of [ada, bob])
        await client.post(`/api/canned-replies/${id}/render`, { conversationId: there.id }, 404);
      const all = await create(owner, { workspaceId: null });
      await ada.post(`/api/canned-replies/${all.id}/render`, { conversationId: there.id }, 404);
      await bob.post(`/api/canned-replies/${all.id}/render`, { conversationId: there.id }, 200);
    });
  });
});
