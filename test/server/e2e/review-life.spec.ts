import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { REVIEWED } from "../../support/reviewed.js";
import { runs } from "../../support/seed.js";
import { newAgent, newWorkspace, NOT_FOUND, UNKNOWN_ID } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

const MOVES = ["approve", "reject", "archive", "edit", "delete"] as const;
type Move = (typeof MOVES)[number];
const IN: Record<string, Move[]> = {
  pending: [],
  approved: ["approve"],
  rejected: ["reject"],
  archived: ["approve", "archive"],
};
const TO: Record<string, Partial<Record<Move, string>>> = {
  pending: { approve: "approved", reject: "rejected", edit: "pending", delete: "gone" },
  approved: { archive: "archived", delete: "gone" },
  rejected: { delete: "gone" },
  archived: { delete: "gone" },
};
const cases = Object.keys(IN).flatMap((state) =>
  MOVES.map((move) => [state, move, TO[state]![move] ?? "refused"] as const),
);

describe.each(REVIEWED)("$kind", ({ kind, title, text, needed, type, table }) => {
  const list = () => `/api/workspaces/${tenant.defaults.workspaceId}/${kind}` as const;
  const create = async (body: object = {}, of = tenant.defaults.workspaceId) =>
    (await tenant.live.post(`/api/workspaces/${of}/${kind}`, { ...needed, status: "pending", ...body }, 201)).body;
  const read = async (id: string) => (await tenant.live.get(`/api/${kind}/${id}`, 200)).body;
  const versions = async (id: string) => (await tenant.live.get(`/api/${kind}/${id}/versions`, 200)).body.data;
  const make = (move: Move, id: string, status: number, client = tenant.live) => {
    if (move === "edit") return client.patch(`/api/${kind}/${id}`, { [text]: "B" }, status);
    return move === "delete"
      ? client.delete(`/api/${kind}/${id}`, status)
      : client.post(`/api/${kind}/${id}/${move}`, move === "reject" ? {} : undefined, status);
  };

  test("each move goes from the states that allow it, and is refused with 409 without any effect in the others", async () => {
    const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const all = async () => {
      const { data } = (await tenant.live.get(`/api/workspaces/${workspaceId}/${kind}?limit=100`, 200)).body;
      return new Map(data.map((entry) => [entry.id, entry]));
    };
    const ids = await Promise.all(
      cases.map(async ([state]) => {
        const { id } = await create({}, workspaceId);
        for (const earlier of IN[state]!) await make(earlier, id, 200);
        return id;
      }),
    );
    const before = await all();
    await Promise.all(cases.map(([, move, to], n) => make(move, ids[n]!, to === "refused" ? 409 : 200)));
    const after = await all();
    for (const [n, [state, move, to]] of cases.entries()) {
      const [was, is] = [before.get(ids[n]!)!, after.get(ids[n]!)];
      expect(was.status).toBe(state);
      if (to === "refused") expect(is, `${move} from ${state}`).toEqual(was);
      else expect(is?.status, `${move} from ${state}`).toBe(to === "gone" ? undefined : to);
      if (to === "gone") await tenant.live.get(`/api/${kind}/${was.id}`, 404);
    }
  });

  test("each move returns 404 for an unknown entry or one out of a key's reach, and changes nothing", async () => {
    const elsewhere = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const stranger = await keyFor(await tenant.owner(), {
      scopes: [`${type}:write`, `${type}:read`],
      dataScope: { level: "workspace", workspaceId: elsewhere.id },
    });
    const { id } = await create();
    const before = await read(id);
    for (const move of MOVES) {
      expect((await make(move, UNKNOWN_ID, 404)).body, move).toEqual(NOT_FOUND);
      expect((await make(move, id, 404, stranger)).body, move).toEqual(NOT_FOUND);
    }
    expect(await read(id)).toEqual(before);
  });

  test("an edit creates the next version, and earlier versions keep their author and reason", async () => {
    const owner = await tenant.owner();
    const [key, me] = await Promise.all(
      [tenant.live, owner].map(async (client) => (await client.get("/api/me", 200)).body.id),
    );
    const { id } = await create({ [title]: "One?", validUntil: "2030-01-01T00:00:00.000Z" });
    const { body } = await owner.patch(
      `/api/${kind}/${id}`,
      { [title]: "Two?", validUntil: null, reason: "It was one" },
      200,
    );
    expect(body).toMatchObject({ ...needed, [title]: "Two?", validUntil: null, version: 2, status: "pending" });
    await tenant.live.patch(`/api/${kind}/${id}`, { [text]: "Other" }, 200);
    expect(await versions(id)).toMatchObject([
      { ...needed, version: 3, [title]: "Two?", [text]: "Other", validUntil: null, changedBy: key, reason: null },
      { ...needed, version: 2, [title]: "Two?", validUntil: null, changedBy: me, reason: "It was one" },
      { ...needed, version: 1, [title]: "One?", validUntil: "2030-01-01T00:00:00.000Z", changedBy: key, reason: null },
    ]);
  });

  test("an edit that names the version it was written for is refused once there is another one, and changes nothing", async () => {
    const { id, version } = await create({ [title]: "One?" });
    await tenant.live.patch(`/api/${kind}/${id}`, { [title]: "Two?", ifVersion: version }, 200);
    const refused = await tenant.live.patch(`/api/${kind}/${id}`, { [title]: "Three?", ifVersion: version }, 409);
    expect(refused.body.error).toBe("This entry was edited after you read it. It is now version 2");
    expect(await read(id)).toMatchObject({ [title]: "Two?", version: 2 });
    await tenant.live.patch(`/api/${kind}/${id}`, { [title]: "Three?", ifVersion: 2 }, 200);
    await tenant.live.patch(`/api/${kind}/${id}`, { [title]: "Four?" }, 200);
    expect(await read(id)).toMatchObject({ [title]: "Four?", version: 4 });
    for (const ifVersion of [0, 1.5, "1", 2_147_483_648])
      await tenant.live.patch(`/api/${kind}/${id}`, { ifVersion }, 400);
    const { body } = await tenant.live.post(`/api/${kind}/${id}/archive`, undefined, 409);
    expect(body.error).toBe("Only an approved entry can be archived; this one is pending");
  });

  test.each(["approve", "reject"] as const)(
    "a reviewer who names the version they have read cannot %s another one, and changes nothing",
    async (verdict) => {
      const { id, version } = await create({ [title]: "One?" });
      await tenant.live.patch(`/api/${kind}/${id}`, { [title]: "Two?" }, 200);
      const before = await read(id);
      const refused = await tenant.live.post(`/api/${kind}/${id}/${verdict}`, { ifVersion: version }, 409);
      expect(refused.body.error).toBe("This entry was edited after you read it. It is now version 2");
      expect(await read(id)).toEqual(before);
      for (const ifVersion of [0, 1.5, "1", 2_147_483_648])
        await tenant.live.post(`/api/${kind}/${id}/${verdict}`, { ifVersion }, 400);
      await tenant.live.post(`/api/${kind}/${id}/${verdict}`, { ifVersion: 2 }, 200);
      expect((await read(id)).status).toBe(TO.pending![verdict]);
      const { body } = await tenant.live.post(`/api/${kind}/${id}/${verdict}`, { ifVersion: 2 }, 409);
      expect(body.error).toBe(
        `Only a pending entry can be ${TO.pending![verdict]}; this one is ${TO.pending![verdict]}`,
      );
    },
  );

  test("a review records the reviewer and the time, and a rejection keeps its reason", async () => {
    const { body: me } = await tenant.live.get("/api/me", 200);
    const [approved, rejected] = [await create(), await create()];
    await make("approve", approved.id, 200);
    await tenant.live.post(`/api/${kind}/${rejected.id}/reject`, { reason: " Outdated " }, 200);
    expect(await read(approved.id)).toMatchObject({
      reviewedBy: me.id,
      reviewedAt: expect.any(String),
      rejectionReason: null,
    });
    expect(await read(rejected.id)).toMatchObject({
      reviewedBy: me.id,
      reviewedAt: expect.any(String),
      rejectionReason: " Outdated ",
    });
  });

  test("the pending entries are an array, oldest first, and the list filters by status", async () => {
    const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const here = `/api/workspaces/${workspaceId}/${kind}` as const;
    const made: { id: string }[] = [];
    for (const status of ["pending", "approved", "pending"])
      made.push((await tenant.live.post(here, { ...needed, status }, 201)).body);
    expect((await tenant.live.get(`${here}/pending`, 200)).body.map(({ id }) => id)).toEqual([
      made[0]!.id,
      made[2]!.id,
    ]);
    expect((await tenant.live.get(`${here}/pending?limit=1`, 200)).body.map(({ id }) => id)).toEqual([made[0]!.id]);
    expect((await tenant.live.get(`${here}?status=approved`, 200)).body.data.map(({ id }) => id)).toEqual([
      made[1]!.id,
    ]);
    expect((await tenant.live.get(here, 200)).body.data.map(({ id }) => id)).toEqual(
      made.map(({ id }) => id).reverse(),
    );
  });

  test("members with the right role can write entries in their workspaces", async () => {
    const agent = await newAgent(await tenant.owner(), [tenant.defaults.workspaceId]);
    const may = type === "kb" ? 201 : 403;
    expect((await agent.post(list(), needed)).status).toBe(may);
    await agent.get(list(), 200);
    const { id } = await create();
    await agent.post(`/api/${kind}/${id}/approve`, undefined, may === 201 ? 200 : 403);
  });

  test("purging a workspace deletes its entries with all references to them", async () => {
    const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    for (let n = 0; n < 3; n++)
      await tenant.live.post(`/api/workspaces/${workspaceId}/${kind}`, { ...needed, [title]: "The same words" }, 201);
    const rows = async (of: string): Promise<number> =>
      (await app.db.query(`select from ${of} where workspace_id = $1`, [workspaceId])).length;
    const postings = `${type}_posting`;
    expect(await rows(table)).toBe(3);
    expect(await rows(postings)).toBeGreaterThan(0);
    await tenant.live.delete(`/api/workspaces/${workspaceId}`, 200);
    await app.app.get(PurgeWorkspacesJob).run();
    expect(await rows(table)).toBe(0);
    expect(await rows(postings)).toBe(0);
  });
});

describe("a knowledge import", () => {
  const list = () => `/api/workspaces/${tenant.defaults.workspaceId}/kb-entries` as const;
  const send = async (format: string, content: string, status = 200) =>
    (await tenant.live.post(`${list()}/import`, { format, content }, status)).body;

  const LINES = runs(2_000, 10_000);
  test(`of ${LINES} lines creates the valid entries and reports each invalid line`, async () => {
    const bad: Record<number, string> = {
      3: "{",
      50: "[]",
      77: '{"question":"Q"}',
      500: '{"question":"","answer":"A"}',
      501: '{"question":"Q","answer":7}',
      502: '{"question":"Q","answer":"A","language":"english"}',
      503: '{"question":"Q","answer":"A","validUntil":"soon"}',
      504: '{"question":"Q","answer":"A","status":"rejected"}',
      505: '{"question":"Q","answer":"A","colour":"red"}',
      506: '{"question":"Q\\u0000","answer":"A"}',
      507: '{"question":"Q","answer":"A","labels":"x"}',
      [LINES - 1]: "null",
    };
    const before = (await app.db.query<{ n: number }>("select count(*)::int as n from kb_entry"))[0]!.n;
    const report = await send(
      "ndjson",
      Array.from(
        { length: LINES },
        (_, i) => bad[i + 1] ?? `{"question":"Item ${i + 1}?","answer":"It is ${i + 1}"}`,
      ).join("\n"),
    );
    expect(report).toMatchObject({ imported: LINES - 12, failed: 12 });
    expect(report.errors.map(({ line }) => line)).toEqual(Object.keys(bad).map(Number));
    for (const { error } of report.errors) expect(error).toMatch(/\w+ \w+/);
    expect((await app.db.query<{ n: number }>("select count(*)::int as n from kb_entry"))[0]!.n).toBe(
      before + LINES - 12,
    );
    const { body } = await tenant.live.get(`${list()}/search?q=item%201711`, 200);
    expect(body.data[0]!.entry).toMatchObject({ question: "Item 1711?", source: "import", status: "approved" });
  });

  test("takes a backslash for what it is, whatever follows it", async () => {
    const answers = [String.raw`Open C:\Udemy\course`, String.raw`Write \u0000 for it`, String.raw`\\server\udf`];
    const lines = answers.map((answer, n) => JSON.stringify({ question: `Where is part ${n}?`, answer }));
    expect(await send("ndjson", lines.join("\n"))).toMatchObject({ imported: 3, errors: [] });
    const half = [String.raw`{"question":"Q","answer":"\\\ud800"}`, String.raw`{"question":"Q","answer":"\\\u0000"}`];
    expect(await send("ndjson", half.join("\n"))).toMatchObject({ imported: 0, failed: 2 });
  });

  test("accepts CSV with a header, quotes and lists, and reports the first line of an invalid entry", async () => {
    const report = await send(
      "csv",
      'question,answer,alternateQuestions,status\n"Does it\nfit?",Yes,Is it small?|Is it big?,pending\nToo,few\n,No,,\nLast?,Yes,,\n',
    );
    expect(report).toMatchObject({ imported: 2, failed: 2 });
    expect(report.errors.map(({ line }) => line)).toEqual([4, 5]);
    const { body } = await tenant.live.get(`${list()}?limit=2`, 200);
    expect(body.data).toContainEqual(
      expect.objectContaining({
        question: "Does it\nfit?",
        alternateQuestions: ["Is it small?", "Is it big?"],
        status: "pending",
        source: "import",
      }),
    );
    await send("csv", "question,colour\nQ,red", 400);
    await send("xml", "<a/>", 400);
  });

  test.each(["csv", "ndjson"])("restores everything that an export contains, as %s", async (format) => {
    const fields = ({
      question,
      answer,
      alternateQuestions,
      language,
      labels,
      validUntil,
      status,
    }: Schemas["KbEntry"]) => ({
      question,
      answer,
      alternateQuestions,
      language,
      labels,
      validUntil,
      status,
    });
    const [from, to] = [
      await newWorkspace(tenant.live, tenant.defaults.brandId),
      await newWorkspace(tenant.live, tenant.defaults.brandId),
    ];
    const given = [
      {
        question: 'A "quoted", one',
        answer: "Two\nlines",
        alternateQuestions: ["a|b", "c, d"],
        labels: ["x"],
        status: "pending",
        validUntil: "2030-01-01T00:00:00.000Z",
      },
      { question: "[x", answer: "A", alternateQuestions: ["one", "two"], language: "fr" },
      { question: "=HYPERLINK(1)", answer: "'=1", alternateQuestions: ["@SUM(1)", "+2"], language: "fr" },
    ];
    for (const entry of given) await tenant.live.post(`/api/workspaces/${from.id}/kb-entries`, entry, 201);
    const { body } = await tenant.live.get(`/api/workspaces/${from.id}/kb-entries/export?format=${format}`, 200);
    expect((await tenant.live.post(`/api/workspaces/${to.id}/kb-entries/import`, body, 200)).body).toEqual({
      imported: 3,
      failed: 0,
      errors: [],
      similar: [],
    });
    const [before, after] = await Promise.all(
      [from, to].map(async ({ id }) =>
        (await tenant.live.get(`/api/workspaces/${id}/kb-entries`, 200)).body.data.map(fields),
      ),
    );
    expect(before).toHaveLength(3);
    expect(after).toEqual(expect.arrayContaining(before!));
    expect(after).toHaveLength(3);
  });
});
