import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import type { Schemas } from "../../support/api-types.js";
import { newAgent, newWorkspace, NOT_FOUND, start, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ownerId: string;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  ownerId = (await owner.get("/api/me", 200)).body.id;
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => app.close());

const empty = async (): Promise<string> => (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
const open = async (title: string, body: object = {}) =>
  (await owner.post("/api/cases", { workspaceId, title, ...body }, 201)).body;
const find = async (q: string, more = "", client: Client = tenant.live) =>
  (await client.get(`/api/cases?q=${encodeURIComponent(q)}${more}&limit=100`, 200)).body.data;
const titles = async (q: string, more = "", client: Client = tenant.live) =>
  (await find(q, more, client)).map(({ title }) => title);
/** All pages. */
const idsOf = async (path: string, limit: number) =>
  (await walk<Schemas["Case"]>(tenant.live, path, limit)).map(({ id }) => id);
let serial = 0;
const aType = async (fields: object[]): Promise<string> =>
  (await owner.post("/api/case-types", { key: `type-${++serial}`, name: "Refund", fields }, 201)).body.id;

describe("the text filter of cases", () => {
  test("finds a case by its number, with and without the sign, and no other by the first figures of it", async () => {
    const here = await empty();
    for (let n = 1; n <= 12; n++) await open(`Parcel of day ${n === 2 ? 1200 : n}`, { workspaceId: here });
    const numbers = async (q: string) => (await find(q, `&workspaceId=${here}`)).map(({ number }) => number);
    expect(await numbers("#12")).toEqual([12]);
    expect(await numbers("# 12")).toEqual([12]);
    expect(await numbers("12")).toEqual([12]);
    expect(await numbers("012")).toEqual([12]);
    expect(await numbers("parcel 11")).toEqual([11]);
    expect(await numbers("1200")).toEqual([2]);
    expect(await numbers("#1200")).toEqual([]);
    expect(await numbers("13")).toEqual([]);
  });

  test("finds words of the title and of the fields, in any order, and as beginnings", async () => {
    const typeId = await aType([
      { key: "order", label: "Order", type: "text" },
      { key: "amount", label: "Amount", type: "number" },
      { key: "paid", label: "Paid", type: "boolean" },
      { key: "bought", label: "Bought", type: "date" },
      { key: "reason", label: "Reason", type: "select", options: ["transport damage"] },
    ]);
    const fields = { order: "ZX-90817", amount: 4711.5, paid: true, bought: "2026-02-28", reason: "transport damage" };
    const { id } = await open("The sofa arrived scratched", { typeId, fields });
    await open("The sofa is late");
    for (const q of ["scratched sofa", "scrat", "sofa arr", "zx-90817", "90817", "4711", "2026-02-28", "damage transp"])
      expect(
        (await find(q)).map((one) => one.id),
        q,
      ).toEqual([id]);
    // A short word is a whole one, except at the end; what a case lacks is not found; "true" is no text.
    for (const q of ["so scratched", "scratched table", "cratched", "ZX-90818", "true scratched"])
      expect(await find(q), q).toEqual([]);
    expect((await find("scratched so")).map((one) => one.id)).toEqual([id]);
  });

  test.each([
    ["Die Überweisung für Jürgen Groß fehlt", ["uberweisung", "ÜBERWEISUNG", "gross", "GROSS", "jürg"]],
    ["İstanbul'a kargo ışıksız", ["istanbul", "İSTANBUL", "ISIKSIZ", "ışık"]],
    ["Ñandú en el jardín", ["nandu", "JARDÍN"]],
    ["שאלה על החזר כספי", ["החזר", "כספי שאלה"]],
    ["طلب استرداد الأموال", ["استرداد"]],
    ["返金のお願い", ["返金", "金"]],
    ["Blender 🔥 smokes 👩‍👩‍👧", ["blender smokes", "🔥 blender"]],
    ["100%_off \\ isn't 'a' \"deal\"", ["100%_off", "isn't", "\\ deal", "'a' deal"]],
  ])("folds case, accents and scripts: %s", async (title, queries) => {
    const { id } = await open(title);
    for (const q of queries)
      expect(
        (await find(q)).map((one) => one.id),
        q,
      ).toContain(id);
  });

  test("finds nothing for signs without a word, and refuses what no list takes", async () => {
    expect(await find("nothing", "", (await app.tenant()).live)).toEqual([]);
    await open("Nothing but a title 👍 ?");
    for (const q of ["👍", "?", "%", "_", "\\", "'", "*", ":*", "#", "&|!()", "\u200b", "…"])
      expect(await find(q), q).toEqual([]);
    for (const q of ["", "%20%20", "x".repeat(201), "x".repeat(10_000), "%00", "a%00b"]) {
      const of = async (path: string) => {
        const { status, body } = await tenant.live.get(`${path}?q=${q}`);
        return [status, (body as { error?: string }).error];
      };
      expect(await of("/api/cases"), q.slice(0, 20)).toEqual(await of("/api/accounts/search"));
    }
    expect((await tenant.live.get("/api/cases?q=a&q=b")).status).toBe(400);
    // As many words as fit, and the longest one.
    expect(await find("ab ".repeat(66).trim())).toEqual([]);
    expect(await find("x".repeat(200))).toEqual([]);
  });

  test("finds a case whose fields have more words than an index takes, by the first of them", async () => {
    const keys = Array.from({ length: 50 }, (_, n) => `f${String(n).padStart(2, "0")}`);
    const typeId = await aType(keys.map((key) => ({ key, label: key, type: "text" })));
    // Signs that stand for four letters each.
    const signs = "\ufdf2\ufdf3\ufdf4\ufdf6\ufdf7\ufdf8";
    const word = (n: number): string => [...n.toString(6).padStart(9, "0")].map((digit) => signs[+digit]!).join("");
    const fields = Object.fromEntries(
      keys.map((key, n) => [key, Array.from({ length: 900 }, (_, at) => word(n * 900 + at)).join(" ")]),
    );
    // A body has at most a megabyte.
    const [some, others] = [keys.slice(0, 25), keys.slice(25)].map((half) =>
      Object.fromEntries(half.map((key) => [key, fields[key]])),
    );
    const { id } = await open("Widest", { typeId, fields: some });
    await owner.patch(`/api/cases/${id}`, { fields: others }, 200);
    for (const q of ["widest", word(0), word(899)])
      expect(
        (await find(q)).map((one) => one.id),
        q,
      ).toEqual([id]);
  });

  test("works with all other filters, newest first, and is complete at every page size", async () => {
    const here = await empty();
    const { id: conversationId, contactId } = await start(tenant.live, here);
    const all: { id: string; matches: Record<string, boolean> }[] = [];
    for (let n = 0; n < 12; n++) {
      const { id } = await open(n % 4 ? `Kettle leaks ${n}` : "Something else", {
        workspaceId: here,
        ...(n % 2 ? { contactId } : {}),
        ...(n % 3 ? { assigneeId: ownerId } : {}),
        ...(n > 8 ? { conversationIds: [conversationId] } : {}),
      });
      if (n === 7) await owner.patch(`/api/cases/${id}`, { status: "resolved" }, 200);
      const matches = {
        "": true,
        [`&contactId=${contactId}`]: n % 2 === 1,
        [`&assigneeId=${ownerId}`]: n % 3 > 0,
        [`&conversationId=${conversationId}`]: n > 8,
        "&status=resolved": n === 7,
        [`&contactId=${contactId}&assigneeId=${ownerId}&status=submitted`]: n % 2 === 1 && n % 3 > 0 && n !== 7,
        [`&conversationId=${conversationId}&contactId=${contactId}`]: n > 8 && n % 2 === 1,
      };
      if (n % 4) all.unshift({ id, matches });
    }
    for (const filter of Object.keys(all[0]!.matches))
      for (const limit of filter ? [2] : [1, 2, 5, 100]) {
        expect(await idsOf(`/api/cases?q=kettle&workspaceId=${here}${filter}`, limit), filter).toEqual(
          all.filter(({ matches }) => matches[filter]).map(({ id }) => id),
        );
      }
    const first = (await tenant.live.get(`/api/cases?q=kettle&workspaceId=${here}&limit=1`, 200)).body;
    const next = `cursor=${encodeURIComponent(first.nextCursor!)}&workspaceId=${here}`;
    await tenant.live.get(`/api/cases?q=kettle&${next}`, 200);
    for (const other of [`q=leaks&${next}`, next]) await tenant.live.get(`/api/cases?${other}`, 400);
  });

  test("finds a case at once: what was changed by its new text, and not by its old one", async () => {
    const { id } = await open("Zeppelin lost");
    const ids = async (q: string, more = "") => (await find(q, more)).map((one) => one.id);
    expect(await ids("zeppelin")).toEqual([id]);
    await owner.patch(`/api/cases/${id}`, { title: "Balloon found", assigneeId: ownerId, status: "resolved" }, 200);
    expect(await ids("zeppelin")).toEqual([]);
    expect(await ids("balloon", `&status=resolved&assigneeId=${ownerId}`)).toEqual([id]);
    expect(await ids("balloon", "&status=submitted")).toEqual([]);
    await owner.patch(`/api/cases/${id}`, { assigneeId: null, status: "in_progress" }, 200);
    expect(await ids("balloon", "&status=in_progress")).toEqual([id]);
    expect(await ids("balloon", `&assigneeId=${ownerId}`)).toEqual([]);
  });

  test("finds frequent, rare and old words among thousands of cases over years, as a look at all of them does", async () => {
    const here = await empty();
    // Cases of three years. "common" is everywhere, "campaign" in 1,500 old ones, "seldom" in a few.
    await app.db.query(
      `insert into support_case (tenant_id, id, workspace_id, number, title, status, created_at)
       select $1, gen_random_uuid(), $2, n, 'common'
           || case when n between 300 and 1799 then ' campaign' else '' end
           || case when n % 700 = 3 then ' seldom' else '' end,
         case when n % 500 = 0 then 'resolved' else 'submitted' end,
         date_trunc('milliseconds', now() - (4000 - n / 2 * 2) * interval '6 hours')
       from generate_series(1, 4000) n`,
      [tenant.tenantId, here],
    );
    const all = await app.db.query<{ id: string; title: string; status: string }>(
      "select id, title, status from support_case where workspace_id = $1 order by created_at desc, id desc",
      [here],
    );
    for (const [q, status] of [
      ["common", undefined],
      ["campaign", undefined],
      ["comm camp", undefined],
      ["seldom", undefined],
      ["campaign seldom", undefined],
      ["common", "resolved"],
      ["campaign", "resolved"],
      ["seldom", "resolved"],
    ] as const) {
      const words = q.split(" ");
      const expected = all.filter(
        (one) => words.every((word) => one.title.includes(word)) && (!status || one.status === status),
      );
      const path = `/api/cases?q=${q}&workspaceId=${here}${status ? `&status=${status}` : ""}`;
      expect(await idsOf(path, 100), path).toEqual(expected.map(({ id }) => id));
    }
  });
});

describe("whose cases the text filter finds", () => {
  test("those that the list shows: of the caller's workspaces, brand, side and tenant, and of no deleted workspace", async () => {
    const [mine, theirs] = [await empty(), await empty()];
    const brand = (await owner.post("/api/brands", { name: "Other brand" }, 201)).body.id;
    const { id: elsewhere } = await newWorkspace(tenant.live, brand);
    for (const [place, title] of [
      [mine, "Marmalade of mine"],
      [theirs, "Marmalade of theirs"],
      [elsewhere, "Marmalade of the brand"],
    ] as const)
      await open(title, { workspaceId: place });
    const testOwner = await tenant.owner("test");
    await testOwner.post(
      "/api/cases",
      { workspaceId: tenant.testDefaults.workspaceId, title: "Marmalade of the test side" },
      201,
    );
    const stranger = await app.tenant();
    await (
      await stranger.owner()
    ).post("/api/cases", { workspaceId: stranger.defaults.workspaceId, title: "Marmalade of a stranger" }, 201);

    expect(await titles("marmalade")).toEqual(["Marmalade of the brand", "Marmalade of theirs", "Marmalade of mine"]);
    expect(await titles("marmalade", "", tenant.test)).toEqual(["Marmalade of the test side"]);
    expect(await titles("marmalade", "", stranger.live)).toEqual(["Marmalade of a stranger"]);
    expect(await titles("marmalade", "", await newAgent(owner, [mine]))).toEqual(["Marmalade of mine"]);
    const scopes = ["cases:read"] as const;
    expect(
      await titles(
        "marmalade",
        "",
        await keyFor(owner, { scopes, dataScope: { level: "workspace", workspaceId: theirs } }),
      ),
    ).toEqual(["Marmalade of theirs"]);
    expect(
      await titles("marmalade", "", await keyFor(owner, { scopes, dataScope: { level: "brand", brandId: brand } })),
    ).toEqual(["Marmalade of the brand"]);
    const agent = await newAgent(owner, [mine]);
    expect((await agent.get(`/api/cases?q=marmalade&workspaceId=${theirs}`, 404)).body).toEqual(NOT_FOUND);
    await (await keyFor(owner, { scopes: ["conversations:read"] })).get("/api/cases?q=marmalade", 403);

    await owner.delete(`/api/workspaces/${theirs}`, 200);
    expect(await titles("marmalade")).toEqual(["Marmalade of the brand", "Marmalade of mine"]);
    expect((await walk(tenant.live, "/api/cases?q=marmalade", 1)).length).toBe(2);
    await app.app.get(PurgeWorkspacesJob).run();
    expect(await app.db.query("select from case_entry where workspace_id = $1", [theirs])).toEqual([]);
  });

  test("an erased case is found by its number alone, at once, and no word of it is left in the index", async () => {
    const { contactId } = await start(tenant.live, workspaceId);
    const typeId = await aType([{ key: "note", label: "Note", type: "text" }]);
    const one = await open("Quagmire of Hesperides", { contactId, typeId, fields: { note: "Hippogryph" } });
    expect((await find("quagmire hippogryph", `&contactId=${contactId}`)).map(({ id }) => id)).toEqual([one.id]);
    await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    for (const q of ["quagmire", "hesperides", "hippogryph"]) expect(await find(q), q).toEqual([]);
    expect((await find(`#${one.number}`, `&workspaceId=${workspaceId}`)).map(({ id }) => id)).toEqual([one.id]);
    expect(await app.db.query("select words, contact_id from case_entry where id = $1", [one.id])).toEqual([
      { words: `#${one.number}`, contact_id: null },
    ]);
  });
});
