import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { freshDatabase } from "../../support/database.js";
import { newAgent, newWorkspace, NOT_FOUND, UNKNOWN_ID } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

const workspace = async (body: object = {}): Promise<string> =>
  (await newWorkspace(tenant.live, tenant.defaults.brandId, body)).id;
const create = async (of: string, question: string, body: object = {}) =>
  (await tenant.live.post(`/api/workspaces/${of}/kb-entries`, { question, answer: "So.", ...body }, 201)).body;
const search = async (of: string, q: string, more = "") =>
  (await tenant.live.get(`/api/workspaces/${of}/kb-entries/search?q=${encodeURIComponent(q)}${more}`, 200)).body.data;
const found = async (of: string, q: string): Promise<string[]> =>
  (await search(of, q)).map(({ entry }) => entry.question);
const read = async (id: string) => (await tenant.live.get(`/api/kb-entries/${id}`, 200)).body;

describe("search", () => {
  test("finds an entry by other words, despite typing mistakes, and by an alternate question", async () => {
    const of = await workspace();
    const delivery = await create(of, "How long does the delivery take?", {
      alternateQuestions: ["When will my parcel arrive?"],
    });
    await create(of, "How do I return an article?");
    await create(of, "Which cards do you accept for payment?");
    for (const q of [
      "how long do deliveries take",
      "how long does delivrey take",
      "when is my parcel arriving",
      "parcel arrival",
    ]) {
      const first = (await search(of, q))[0]!;
      expect(first.entry, q).toEqual(await read(delivery.id));
      expect(first.confidence).toBeGreaterThan(0);
      expect(first.confidence).toBeLessThan(1);
    }
    expect(await search(of, "quantum chromodynamics")).toEqual([]);
    expect(await search(of, "")).toEqual([]);
    expect(await search(of, "the delivery of an article", "&limit=1")).toHaveLength(1);
  });

  test("has pages of any size with the same entries in the same order, and no entry twice", async () => {
    const of = await workspace();
    for (let n = 0; n < 12; n++) await create(of, `How do I return article ${n}?`);
    const page = async (limit: number, cursor?: string) => {
      const more = `limit=${limit}${cursor === undefined ? "" : `&cursor=${cursor}`}`;
      return (await tenant.live.get(`/api/workspaces/${of}/kb-entries/search?q=return+an+article&${more}`, 200)).body;
    };
    const whole = await page(24);
    expect(whole.data).toHaveLength(12);
    expect(whole.nextCursor).toBeUndefined();
    for (const limit of [1, 5, 11, 12]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { data, nextCursor } = await page(limit, cursor);
        expect(data.length).toBeLessThanOrEqual(limit);
        seen.push(...data.map(({ entry }) => entry.id));
        cursor = nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(whole.data.map(({ entry }) => entry.id));
    }
  });

  test("refuses the cursor of another question or workspace", async () => {
    const [of, other] = [await workspace(), await workspace()];
    for (const question of ["Is there parking?", "Is there free parking?"]) await create(of, question);
    const { nextCursor } = (await tenant.live.get(`/api/workspaces/${of}/kb-entries/search?q=parking&limit=1`, 200))
      .body;
    expect(nextCursor).toBeDefined();
    for (const path of [
      `/api/workspaces/${of}/kb-entries/search?q=breakfast`,
      `/api/workspaces/${other}/kb-entries/search?q=parking`,
      `/api/workspaces/${of}/policy-entries/search?q=parking`,
    ])
      expect([path, (await tenant.live.get(`${path}&cursor=${nextCursor}`)).status]).toEqual([path, 400]);
  });

  test("does not depend on the search before it, however much that one compared", async () => {
    const [of, other] = [await workspace(), await workspace()];
    await create(of, "How long does the delivery take?", { alternateQuestions: ["When will my parcel arrive?"] });
    await create(of, "How do I return a parcel?");
    const long = (n: number) => `Parcel ${n} ${Array.from({ length: 60 }, (_, word) => `word${n * word}`).join(" ")}`;
    await create(other, "Which parcel is lost?", { alternateQuestions: Array.from({ length: 60 }, (_, n) => long(n)) });
    const asked: [string, string][] = [
      [of, "when is the parcel here"],
      [other, "word12 word24 parcel"],
      [of, "return"],
    ];
    const results = async () => {
      const all: unknown[] = [];
      for (const [where, q] of asked)
        all.push((await search(where, q)).map(({ entry, confidence }) => [entry.id, confidence]));
      return all;
    };
    const first = await results();
    expect(first.flat()).not.toEqual([]);
    asked.reverse();
    expect((await results()).reverse()).toEqual(first);
  });

  test("has a higher confidence for an exact question than for a partly similar one", async () => {
    const of = await workspace();
    await create(of, "How long does the delivery take?");
    await create(of, "How much does the delivery cost?");
    const same = (await search(of, "How long does the delivery take?"))[0]!;
    const half = (await search(of, "delivery to Iceland"))[0]!;
    expect(same.confidence).toBeGreaterThan(half.confidence);
  });

  test("finds only entries that are approved and valid at the time of the search", async () => {
    const of = await workspace();
    const { id } = await create(of, "Where is my refund?", { status: "pending" });
    expect(await found(of, "refund")).toEqual([]);
    await tenant.live.patch(`/api/kb-entries/${id}`, { question: "Where is my voucher?" }, 200);
    await tenant.live.post(`/api/kb-entries/${id}/approve`, undefined, 200);
    expect(await found(of, "voucher")).toEqual(["Where is my voucher?"]);
    expect(await found(of, "refund")).toEqual([]);
    await tenant.live.post(`/api/kb-entries/${id}/archive`, undefined, 200);
    expect(await found(of, "voucher")).toEqual([]);
    await create(of, "Is there a summer discount?", { validUntil: "2020-01-01" });
    expect(await found(of, "summer discount")).toEqual([]);
    const gone = await create(of, "Is there a winter discount?", { validUntil: "2100-01-01" });
    expect(await found(of, "winter discount")).toEqual(["Is there a winter discount?"]);
    await tenant.live.delete(`/api/kb-entries/${gone.id}`, 200);
    expect(await found(of, "winter discount")).toEqual([]);
    expect(await app.db.query("select from kb_posting p where p.entry_id = any($1)", [[id, gone.id]])).toEqual([]);
  });

  test("stems words in the workspace's primary language, also after it changes, and works without spaces between words", async () => {
    const of = await workspace({ primaryLanguage: "en" });
    await create(of, "Häuser");
    expect(await found(of, "haus")).toEqual([]);
    await tenant.live.patch(`/api/workspaces/${of}`, { primaryLanguage: "de" }, 200);
    expect(await found(of, "haus")).toEqual(["Häuser"]);
    const japanese = await workspace({ primaryLanguage: "ja" });
    await create(japanese, "返品の方法を教えてください");
    await create(japanese, "支払い方法は何がありますか");
    expect((await found(japanese, "返品したい"))[0]).toBe("返品の方法を教えてください");
  });

  test("is limited to its workspace, and returns 404 for a workspace out of reach", async () => {
    const [here, there] = [await workspace(), await workspace()];
    await create(here, "Is breakfast included?");
    expect(await found(there, "breakfast")).toEqual([]);
    const agent = await newAgent(await tenant.owner(), [there]);
    for (const [client, of] of [
      [agent, here],
      [tenant.live, UNKNOWN_ID],
    ] as const) {
      expect((await client.get(`/api/workspaces/${of}/kb-entries/search?q=breakfast`, 404)).body).toEqual(NOT_FOUND);
    }
  });

  test("is counted, and the count is stored within seconds", async () => {
    const of = await workspace();
    const { id } = await create(of, "Is there parking?");
    for (let n = 0; n < 3; n++) await search(of, "parking");
    await expect.poll(async () => (await read(id)).usage.retrieved).toBe(3);
  });
});

test("hundreds of entries that were found are all counted, even if the server stops meanwhile", async () => {
  const db = await freshDatabase();
  const other = await startApp({}, db);
  const {
    live,
    defaults: { workspaceId },
  } = await other.tenant();
  const topics = Array.from({ length: 9 }, (_, n) => `${"abcdefghi"[n]!.repeat(5)}topic`);
  await db.query(
    `insert into kb_entry (tenant_id, id, workspace_id, status, question, answer, language)
    select w.tenant_id, gen_random_uuid(), w.id, 'approved', t || ' number ' || n, 'So.', 'en'
    from workspace w, unnest($2::text[]) t, generate_series(1, 50) n where w.id = $1`,
    [workspaceId, topics],
  );
  for (const topic of topics)
    expect(
      (await live.get(`/api/workspaces/${workspaceId}/kb-entries/search?limit=50&q=${topic}`, 200)).body.data,
    ).toHaveLength(50);
  // The process counts 25 and pauses, so it is still counting when it stops.
  const counted = (): Promise<unknown[]> =>
    db.query("select from kb_entry where workspace_id = $1 and retrieved > 0", [workspaceId]);
  await expect.poll(async () => (await counted()).length).toBeGreaterThan(0);
  await other.close();
  const rows = await db.query(
    "select retrieved, count(*)::int as entries from kb_entry where workspace_id = $1 group by 1",
    [workspaceId],
  );
  expect(rows).toEqual([{ retrieved: 1, entries: 450 }]);
  await db.drop();
});

describe("a new entry with a similar question", () => {
  test("names the existing entry from its creation on, and says whether their answers agree", async () => {
    const of = await workspace();
    const first = await create(of, "How long does delivery take?", { answer: "Delivery takes 2 days." });
    expect(first.duplicateOfId).toBeNull();
    const duplicate = await create(of, "how long does delivery take", {
      answer: "The delivery takes 2 days",
      status: "pending",
    });
    const contradiction = await create(of, "How long does delivery take?!", { answer: "Delivery takes 5 days." });
    const unlike = await create(of, "Do you have parking?");
    expect(first.similar).toEqual([]);
    expect(duplicate.similar).toEqual([
      {
        kbEntryId: first.id,
        question: "How long does delivery take?",
        likeness: expect.any(Number),
        kind: "duplicate",
      },
    ]);
    expect(Object.fromEntries(contradiction.similar.map(({ kbEntryId, kind }) => [kbEntryId, kind]))).toEqual({
      [first.id]: "contradiction",
      [duplicate.id]: "contradiction",
    });
    expect(unlike.similar).toEqual([]);
    expect(duplicate.duplicateOfId).toBe(first.id);
    expect([first.id, duplicate.id]).toContain(contradiction.duplicateOfId);
    expect(unlike.duplicateOfId).toBeNull();
    const { body } = await tenant.live.get(`/api/kb-entries/${first.id}/similar`, 200);
    expect(Object.fromEntries(body.data.map(({ entry, kind }) => [entry.id, kind]))).toEqual({
      [duplicate.id]: "duplicate",
      [contradiction.id]: "contradiction",
    });
    await tenant.live.delete(`/api/kb-entries/${first.id}`, 200);
    expect((await read(duplicate.id)).duplicateOfId).toBeNull();
  });

  test("is reported by an import, for existing entries and for earlier lines", async () => {
    const of = await workspace();
    const there = await create(of, "Is breakfast included?", { answer: "Yes, from 7 to 10." });
    const content = [
      "question,answer",
      'Is breakfast included,"No, it is not."',
      "Do you have parking?,Yes.",
      "do you have parking,Yes",
      "Is there a gym?,No.",
    ].join("\n");
    const { body: report } = await tenant.live.post(
      `/api/workspaces/${of}/kb-entries/import`,
      { format: "csv", content },
      200,
    );
    const {
      body: { data },
    } = await tenant.live.get(`/api/workspaces/${of}/kb-entries`, 200);
    const parking = data.find(({ question }) => question === "Do you have parking?")!;
    expect(report).toMatchObject({ imported: 4, failed: 0 });
    expect(report.similar).toEqual([
      { line: 2, kbEntryId: there.id, question: there.question, likeness: expect.any(Number), kind: "contradiction" },
      { line: 4, kbEntryId: parking.id, question: parking.question, likeness: 1, kind: "duplicate" },
    ]);
    expect(
      data
        .map(({ question, duplicateOfId }) => [question, duplicateOfId])
        .filter(([, id]) => id)
        .sort(),
    ).toEqual([
      ["Is breakfast included", there.id],
      ["do you have parking", parking.id],
    ]);
  });
});
