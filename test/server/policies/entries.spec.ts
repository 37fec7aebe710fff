import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND } from "../e2e/support.js";
import { runs } from "../../support/seed.js";

let app: TestApp;
let tenant: TestTenant;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => app.close());

const list = (of = workspaceId) => `/api/workspaces/${of}/policy-entries` as const;
const create = async (body: object = {}, of = workspaceId) =>
  (await tenant.live.post(list(of), { title: "Refunds", rule: "Ask first.", effect: "require_approval", ...body }, 201))
    .body;
const read = async (id: string) => (await tenant.live.get(`/api/policy-entries/${id}`, 200)).body;
const empty = async (body: object = {}): Promise<string> =>
  (await newWorkspace(tenant.live, tenant.defaults.brandId, body)).id;
const found = async (of: string, q: string): Promise<string[]> =>
  (await tenant.live.get(`${list(of)}/search?q=${encodeURIComponent(q)}`, 200)).body.data.map(
    ({ entry }) => entry.title,
  );

describe("a new policy", () => {
  test("is approved by default and has every field", async () => {
    const { similar: _, ...entry } = await create();
    expect(entry).toEqual({
      id: anId,
      workspaceId,
      status: "approved",
      title: "Refunds",
      rule: "Ask first.",
      category: null,
      effect: "require_approval",
      tools: [],
      conditions: null,
      requiredAssuranceLevel: null,
      priority: 100,
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
    expect(await read(entry.id)).toEqual(entry);
  });

  test("stores its values unchanged, including its conditions", async () => {
    const given = {
      title: "Großes",
      rule: "Eins\nZwei",
      category: "Refunds",
      effect: "deny",
      tools: ["offer-refund", "crm.update:all"],
      requiredAssuranceLevel: "high-assurance",
      priority: 0,
      status: "pending",
      confidence: 0.4,
      conditions: {
        any: [
          { field: "order.total", op: "gte", value: 0.5 },
          {
            not: {
              all: [
                { field: "a", op: "in", value: ["x", 1, true] },
                { field: "b", op: "exists" },
              ],
            },
          },
        ],
      },
      validUntil: "2030-01-01T00:00:00.000Z",
    };
    expect(await read((await create(given)).id)).toMatchObject(given);
  });

  test.each<[string, object, RegExp]>([
    ["an effect that there is not", { effect: "forbid" }, /^effect /],
    ["no title", { title: "" }, /^title /],
    ["a tool with a wildcard", { tools: ["*"] }, /^each of tools /],
    ["a tool twice", { tools: ["a", "a"] }, /tools/],
    ["a priority past a thousand", { priority: 1_001 }, /^priority /],
    ["a level that there is not", { requiredAssuranceLevel: "none" }, /^requiredAssuranceLevel /],
    [
      "conditions that are not",
      { conditions: { field: "a", op: "like", value: "b" } },
      /^conditions must have an op that is one of eq, /,
    ],
    ["conditions that are a list", { conditions: [] }, /^conditions must be an object/],
  ])("with %s is refused with an explanation", async (_, body, sentence) => {
    const {
      body: { error },
    } = await tenant.live.post(list(), { title: "T", rule: "R", effect: "deny", ...body }, 400);
    expect(error).toMatch(sentence);
  });

  test("is updated field by field: null clears an optional field, and an omitted field stays unchanged", async () => {
    const { id } = await create({
      status: "pending",
      category: "Refunds",
      tools: ["a"],
      conditions: { field: "a", op: "exists" },
      requiredAssuranceLevel: "identified",
      priority: 7,
    });
    await tenant.live.patch(`/api/policy-entries/${id}`, { conditions: null, tools: ["b", "c"] }, 200);
    expect(await read(id)).toMatchObject({
      category: "Refunds",
      tools: ["b", "c"],
      conditions: null,
      requiredAssuranceLevel: "identified",
      priority: 7,
      version: 2,
    });
    await tenant.live.patch(
      `/api/policy-entries/${id}`,
      { category: null, requiredAssuranceLevel: null, priority: 0, tools: [], effect: "deny" },
      200,
    );
    const {
      data: [now, then, first],
    } = (await tenant.live.get(`/api/policy-entries/${id}/versions`, 200)).body;
    expect(now).toMatchObject({
      version: 3,
      category: null,
      requiredAssuranceLevel: null,
      priority: 0,
      tools: [],
      effect: "deny",
    });
    expect(then).toMatchObject({ version: 2, category: "Refunds", tools: ["b", "c"], conditions: null });
    expect(first).toMatchObject({ version: 1, tools: ["a"], conditions: { field: "a", op: "exists" }, priority: 7 });
    for (const nothing of ["title", "rule", "effect", "tools", "priority"])
      await tenant.live.patch(`/api/policy-entries/${id}`, { [nothing]: null }, 400);
  });
});

describe("search", () => {
  test("finds a policy by its title and any line of its rule, despite other wording and typing mistakes", async () => {
    const of = await empty();
    await create(
      {
        title: "Refunds for stained clothes",
        rule: "Ask for the order number.\nOffer a gift card when the receipt was lost.",
      },
      of,
    );
    await create({ title: "Shipping to islands", rule: "It takes two weeks longer." }, of);
    for (const q of ["refund for a stain", "gift crad", "lost receipts", "order numbers"])
      expect((await found(of, q))[0], q).toBe("Refunds for stained clothes");
    expect(await found(of, "quantum chromodynamics")).toEqual([]);
  });

  test("finds only policies of the workspace that are approved and valid at the time of the search", async () => {
    const of = await empty();
    const { id } = await create({ title: "Vouchers", status: "pending" }, of);
    expect(await found(of, "vouchers")).toEqual([]);
    await tenant.live.patch(`/api/policy-entries/${id}`, { rule: "About umbrellas" }, 200);
    await tenant.live.post(`/api/policy-entries/${id}/approve`, undefined, 200);
    expect(await found(of, "umbrellas")).toEqual(["Vouchers"]);
    expect(await found(await empty(), "umbrellas")).toEqual([]);
    await tenant.live.post(`/api/policy-entries/${id}/archive`, undefined, 200);
    expect(await found(of, "umbrellas")).toEqual([]);
    await create({ title: "Old vouchers", validUntil: "2020-01-01" }, of);
    expect(await found(of, "vouchers")).toEqual([]);
  });

  test("stems words in the workspace's primary language, also after the language changes", async () => {
    const of = await empty({ primaryLanguage: "en" });
    await create({ title: "Häuser" }, of);
    expect(await found(of, "haus")).toEqual([]);
    await tenant.live.patch(`/api/workspaces/${of}`, { primaryLanguage: "de" }, 200);
    expect(await found(of, "haus")).toEqual(["Häuser"]);
  });

  test("returns 404 for a workspace out of reach, and counts searches in the metrics", async () => {
    const agent = await newAgent(await tenant.owner(), [await empty()]);
    expect((await agent.get(`${list()}/search?q=a`, 404)).body).toEqual(NOT_FOUND);
    const of = await empty();
    const { id } = await create({ title: "Parking" }, of);
    for (let n = 0; n < 3; n++) await found(of, "parking");
    await expect.poll(async () => (await read(id)).usage.retrieved, { timeout: 60_000 }).toBe(3);
  });
});

test("a policy with an existing title refers to that policy, and similar policies are marked as duplicates or contradictions", async () => {
  const of = await empty();
  const first = await create({ title: "Refunds above 100", rule: "A person has to approve." }, of);
  const duplicate = await create(
    { title: "refunds above 100", rule: "A person has to approve it.", status: "pending" },
    of,
  );
  const contradiction = await create(
    { title: "Refunds above 100", rule: "A person has to approve.", effect: "allow" },
    of,
  );
  const unlike = await create({ title: "Parking" }, of);
  expect([first.duplicateOfId, duplicate.duplicateOfId]).toEqual([null, first.id]);
  expect(duplicate.similar).toEqual([
    { policyEntryId: first.id, title: first.title, likeness: expect.any(Number), kind: "duplicate" },
  ]);
  expect(contradiction.similar.map(({ policyEntryId, kind }) => [policyEntryId, kind]).sort()).toEqual(
    [
      [first.id, "contradiction"],
      [duplicate.id, "contradiction"],
    ].sort(),
  );
  expect([first.similar, unlike.similar]).toEqual([[], []]);
  const { body } = await tenant.live.get(`/api/policy-entries/${first.id}/similar`, 200);
  expect(Object.fromEntries(body.data.map(({ entry, kind }) => [entry.id, kind]))).toEqual({
    [duplicate.id]: "duplicate",
    [contradiction.id]: "contradiction",
  });
});

describe("an import", () => {
  const send = async (of: string, format: string, content: string, status = 200) =>
    (await tenant.live.post(`${list(of)}/import`, { format, content }, status)).body;

  const LINES = runs(2_000, 10_000);
  test(`of ${LINES} lines creates the valid policies and reports each invalid line`, async () => {
    const of = await empty();
    const line = (more: object) => JSON.stringify({ title: "T", rule: "R", effect: "deny", ...more });
    const bad: Record<number, string> = {
      3: "{",
      50: "[]",
      77: '{"title":"T","effect":"deny"}',
      78: line({ title: "" }),
      500: line({ rule: 7 }),
      501: line({ effect: "perhaps" }),
      502: line({ tools: "refund" }),
      503: line({ tools: ["a b"] }),
      504: line({ tools: Array.from({ length: 101 }, (_, n) => `t${n}`) }),
      505: line({ conditions: { field: "a", op: "gt", value: "many" } }),
      506: line({ conditions: "always" }),
      507: line({ priority: 1.5 }),
      508: line({ priority: -1 }),
      509: line({ requiredAssuranceLevel: "sure" }),
      510: line({ validUntil: "soon" }),
      511: line({ status: "rejected" }),
      512: line({ colour: "red" }),
      513: line({ rule: "R\u0000" }),
      514: line({ category: "x".repeat(101) }),
      516: `{"title":"T","rule":"R","effect":"deny","conditions":${'{"not":'.repeat(20_000)}1${"}".repeat(20_000)}}`,
      517: `{"title":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
      515: '{"title":"\\ud800","rule":"R","effect":"deny"}',
      [LINES - 1]: "null",
      [LINES]: '"text"',
    };
    const report = await send(
      of,
      "ndjson",
      Array.from(
        { length: LINES },
        (_, i) => bad[i + 1] ?? `{"title":"Item ${i + 1}","rule":"R","effect":"allow"}`,
      ).join("\n"),
    );
    expect(report.errors.map((error) => error.line)).toEqual(Object.keys(bad).map(Number));
    for (const { error } of report.errors) expect(error).toMatch(/\w+ \w+/);
    expect(report).toMatchObject({ imported: LINES - Object.keys(bad).length, failed: Object.keys(bad).length });
    expect(
      (
        await app.db.query<{ n: number }>("select count(*)::int as n from policy_entry where workspace_id = $1", [of])
      )[0]!.n,
    ).toBe(report.imported);
    const { entry } = (await tenant.live.get(`${list(of)}/search?q=item%201711`, 200)).body.data[0]!;
    expect(entry).toMatchObject({
      title: "Item 1711",
      source: "import",
      status: "approved",
      priority: 100,
      tools: [],
      conditions: null,
    });
    await send(of, "ndjson", Array.from({ length: 10_001 }, () => line({})).join("\n"), 400);
  });

  test.each(["csv", "ndjson"])("restores everything that an export contains, as %s", async (format) => {
    const fields = ({
      title,
      rule,
      category,
      effect,
      tools,
      conditions,
      requiredAssuranceLevel,
      priority,
      validUntil,
      status,
    }: Schemas["PolicyEntry"]) => ({
      title,
      rule,
      category,
      effect,
      tools,
      conditions,
      requiredAssuranceLevel,
      priority,
      validUntil,
      status,
    });
    const [from, to] = [await empty(), await empty()];
    await create(
      {
        title: 'A "quoted", one',
        rule: "Two\nlines",
        tools: ["a", "b"],
        conditions: { all: [{ field: "a.b", op: "eq", value: 'x,"y"\n' }] },
        priority: 0,
        status: "pending",
        validUntil: "2030-01-01T00:00:00.000Z",
      },
      from,
    );
    await create(
      { title: "[x", category: "12", effect: "escalate", requiredAssuranceLevel: "identified", tools: ["a"] },
      from,
    );
    const { body } = await tenant.live.get(`${list(from)}/export?format=${format}`, 200);
    expect(await send(to, body.format, body.content)).toEqual({ imported: 2, failed: 0, errors: [], similar: [] });
    const [before, after] = await Promise.all(
      [from, to].map(async (of) => (await tenant.live.get(list(of), 200)).body.data.map(fields)),
    );
    expect(after).toEqual(expect.arrayContaining(before!));
    expect(after).toHaveLength(2);
  });

  test("reports existing policies and earlier lines that a line probably duplicates or contradicts", async () => {
    const of = await empty();
    const there = await create({ title: "Refunds above 100", rule: "A person has to approve." }, of);
    const { similar } = await send(
      of,
      "csv",
      "title,rule,effect\nRefunds above 100,Never.,deny\nNo gift cards,They are not refunded.,deny\nParking,Is free.,allow\nno gift cards,They are not refunded,deny\n",
    );
    const gifts = (await tenant.live.get(list(of), 200)).body.data.find(({ title }) => title === "No gift cards");
    expect(similar).toEqual([
      { line: 2, policyEntryId: there.id, title: there.title, likeness: expect.any(Number), kind: "contradiction" },
      { line: 5, policyEntryId: gifts!.id, title: gifts!.title, likeness: 1, kind: "duplicate" },
    ]);
  });

  test("reports unknown columns and the first line of an invalid entry", async () => {
    const of = await empty();
    expect((await send(of, "csv", "title,colour\nT,red", 400)).error).toMatch(/colour/);
    const report = await send(
      of,
      "csv",
      'title,rule,effect,conditions,priority\n"T\n2",R,deny,"{""field"":""a"",""op"":""exists""}",\nT,R,deny,{,\nT,R,deny,,high\n',
    );
    expect(report).toMatchObject({
      imported: 1,
      errors: [
        { line: 4, error: expect.stringMatching(/^conditions /) },
        { line: 5, error: expect.stringMatching(/^priority /) },
      ],
    });
  });
});

test("a key needs policy:read to read and policy:write to write", async () => {
  const owner = await tenant.owner();
  const [reader, writer] = [
    await keyFor(owner, { scopes: ["policy:read", "kb:write"] }),
    await keyFor(owner, { scopes: ["policy:write"] }),
  ];
  await reader.get(list(), 200);
  await reader.post(list(), { title: "T", rule: "R", effect: "deny" }, 403);
  await writer.get(list(), 403);
  await writer.post(list(), { title: "T", rule: "R", effect: "deny" }, 201);
});

test("purging a deleted workspace deletes more policies than one statement can, and the audit log counts them", async () => {
  const of = await empty();
  const rule = Array.from({ length: 8 }, (_, n) => `Line ${n} of the rule says that the customer has to wait`).join(
    "\n",
  );
  await app.db.query(
    `insert into policy_entry (tenant_id, id, workspace_id, status, title, rule, effect, tools) select $1, gen_random_uuid(), $2, 'approved', 'Title ' || n, $3, 'deny', '{refund}' from generate_series(1, 700) n`,
    [tenant.tenantId, of, rule],
  );
  await tenant.live.delete(`/api/workspaces/${of}`, 200);
  await app.app.get(PurgeWorkspacesJob).run();
  for (const table of ["policy_entry", "policy_posting", "policy_tool"])
    expect(await app.db.query(`select from ${table} where workspace_id = $1`, [of])).toEqual([]);
  const [{ counts }] = (await app.db.query<{ counts: object }>(
    `select counts from audit_entry where resource_id = $1 and change = 'deleted' and counts <> '{}'`,
    [of],
  )) as [{ counts: object }];
  expect(counts).toMatchObject({ policyEntries: 700 });
  expect(
    await app.db.query(`select from audit_entry where resource_type = 'policyEntry' and workspace_id = $1`, [of]),
  ).toEqual([]);
});
