import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { WHOLE } from "../../support/sweep.js";
import type { Answer, Client } from "../../support/client.js";
import { walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let key: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  key = tenant.live;
});
afterAll(() => app.close());

const csv = (content: string | Uint8Array<ArrayBuffer>): Blob => new Blob([content], { type: "text/csv" });
const ndjson = (lines: unknown[]): Blob =>
  new Blob([lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")], {
    type: "application/x-ndjson",
  });
const send = async (body: Blob, client: Client = key) => (await client.post("/api/contacts/import", body, 200)).body;
const errors = ({ lines }: Schemas["ContactImportReport"]): [number, string | null][] =>
  lines.map(({ line, error }) => [line, error]);
const read = async (id: string) => (await key.get(`/api/contacts/${id}`, 200)).body;
const count = async (): Promise<number> =>
  (
    await app.db.query<{ n: number }>("select count(*)::int as n from contact where tenant_id = $1", [tenant.tenantId])
  )[0]!.n;

describe("a CSV import", () => {
  test("creates a contact from each line with the values of all columns", async () => {
    const report = await send(
      csv(
        [
          "\ufeffexternalId,name,emails,phones,language,labels,attributes.plan",
          "",
          'c-1,"Lovelace, ""Ada""",Ada@Example.com | two@example.com,+49 30 901820,en,vip|new,gold',
          'c-2,"Two',
          'lines",,,,,',
          "c-3,Plain,,,,,",
          "",
        ].join("\r\n"),
      ),
    );
    expect(report).toMatchObject({
      imported: 3,
      failed: 0,
      lines: [
        { line: 3, error: null },
        { line: 4, error: null },
        { line: 6, error: null },
      ],
    });
    const [one, two] = await Promise.all(report.lines.map(({ contactId }) => read(contactId!)));
    expect(one).toMatchObject({
      externalId: "c-1",
      name: 'Lovelace, "Ada"',
      language: "en",
      labels: ["vip", "new"],
      attributes: { plan: "gold" },
      phones: [{ value: "+4930901820", verifiedAt: null }],
    });
    expect(one!.emails.map(({ value }) => value)).toEqual(["ada@example.com", "two@example.com"]);
    expect(two).toMatchObject({ name: "Two\r\nlines", emails: [], attributes: {} });
    expect((await walk(key, "/api/contacts/search?q=two@example")).map(({ id }) => id)).toEqual([one!.id]);
  });

  test.each([
    [";", "semicolons"],
    ["\t", "tabs"],
  ])("accepts %j as the separator", async (separator) => {
    const report = await send(csv(`name${separator}emails\nA, B${separator}sep@example.com\n`));
    expect((await read(report.lines[0]!.contactId!)).name).toBe("A, B");
  });

  test.each([
    ["an unknown column", "name,Email\nAda,x", /Email/],
    ["a column twice", "name,name\nA,B", /twice/],
    ["nothing", "", /empty/],
    ["only blank lines", "\n \n", /empty/],
    ["quotes out of order in its first line", 'na"me\nA', /quotes/],
  ])("is refused completely with %s", async (_, content, sentence) => {
    const before = await count();
    expect((await key.post("/api/contacts/import", csv(content), 400)).body.error).toMatch(sentence);
    expect(await count()).toBe(before);
  });
});

/** More than the thousand that one statement writes. */
const GOOD = WHOLE ? 10_000 : 1_100;
test(`of ${GOOD} lines creates the valid contacts and reports each invalid line, and repeating it creates no duplicates`, async () => {
  await key.post("/api/contacts", { externalId: "was-there" }, 201);
  const bad: Record<number, [Buffer, RegExp]> = {};
  const kinds: [string | Buffer, RegExp][] = [
    ["x-1,Ada,not an email,,,", /email/],
    ["x-2,Ada,,030 901820,,", /country code/],
    ["x-3,Ada,,,english,", /language/],
    ["x-4,Ada", /2 fields/],
    ["x-5,Ada,,,,,,,", /9 fields/],
    ['x-6,"Ada,,,,', /quotes/],
    ['x-7,A"da,,,,', /quotes/],
    ['x-8,"A"da,,,,', /quotes/],
    [Buffer.from("782d392cff2c2c2c2c", "hex"), /UTF-8/],
    ["x-10,A\0da,,,,", /NUL/],
    [",,,,,", /nothing/],
    ["was-there,Ada,,,,", /exists already/],
    ["good-1,Again,,,,", /externalId of line 2/],
    [`x-11,${"a".repeat(201)},,,,`, /name/],
    ["x-12,Ada,a@example.com|A@example.com,,,", /emails/],
    [`${"x".repeat(256)},Ada,,,,`, /externalId/],
    [`x-13,Ada,,,,${Array.from({ length: 51 }, (_, n) => n).join("|")}`, /labels/],
  ];
  const lines: Buffer[] = [Buffer.from("externalId,name,emails,phones,language,labels")];
  for (let n = 1; n <= GOOD; n++) {
    lines.push(Buffer.from(`good-${n},Contact ${n},c${n}@import.example.com,+4930${String(1_000_000 + n)},de,bulk`));
    if (n % (GOOD / 20) === 0) {
      const [line, error] = kinds[(n / (GOOD / 20) - 1) % kinds.length]!;
      lines.push(Buffer.from(line));
      bad[lines.length] = [lines.at(-1)!, error];
    }
  }
  const body = csv(new Uint8Array(Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")]))));
  const before = await count();
  const report = await send(body);
  const wrong = Object.entries(bad).flatMap(([line, [content, sentence]]) => {
    const said = report.lines.find((one) => one.line === Number(line));
    return said?.contactId === null && sentence.test(said.error!)
      ? []
      : [`${line} ${content.toString().slice(0, 40)}: ${JSON.stringify(said)}`];
  });
  expect(wrong).toEqual([]);
  expect(report).toMatchObject({ imported: GOOD, failed: Object.keys(bad).length });
  expect(report.lines.map(({ line }) => line)).toEqual(Array.from({ length: lines.length - 1 }, (_, n) => n + 2));
  expect(await count()).toBe(before + GOOD);
  expect(await read(report.lines.at(-2)!.contactId!)).toMatchObject({
    externalId: `good-${GOOD}`,
    emails: [{ value: `c${GOOD}@import.example.com` }],
    phones: [{ value: `+4930${1_000_000 + GOOD}` }],
  });
  expect((await key.get(`/api/contacts/search?q=c${GOOD}@import`, 200)).body.data).toHaveLength(1);

  const again = await send(body);
  expect(again).toMatchObject({ imported: 0, failed: GOOD + Object.keys(bad).length });
  expect(await count()).toBe(before + GOOD);
});

describe("an NDJSON import", () => {
  test("reads a new contact's body from each line, reports invalid lines and continues", async () => {
    const report = await send(
      ndjson([
        {
          externalId: "n-1",
          name: "Ada",
          emails: [{ value: "n1@example.com", verifiedAt: null }],
          attributes: { nested: [{ a: null }] },
        },
        "",
        '{"name": ',
        "[]",
        '"text"',
        { nmae: "Ada" },
        { name: 7 },
        { emails: "no list" },
        '{"__proto__": {"a": 1}}',
        '{"name": "a\\u0000b"}',
        '{"name": "\\ud800"}',
        {},
        { name: null },
        { externalId: "n-1" },
        { externalId: "n-2", phones: ["+49 30 901821"] },
        "   ",
      ]),
    );
    const said = Object.fromEntries(errors(report));
    expect(report).toMatchObject({ imported: 3, failed: 11 });
    for (const [line, sentence] of Object.entries({
      1: null,
      3: /JSON/,
      4: /object/,
      5: /object/,
      6: /nmae/,
      7: /name/,
      8: /emails/,
      9: /proto/,
      10: /NUL/,
      11: /surrogate/,
      12: /nothing/,
      13: null,
      14: /line 1/,
      15: null,
    })) {
      if (sentence) expect(said[line], line).toMatch(sentence);
      else expect(said[line], line).toBeNull();
    }
    expect(await read(report.lines[0]!.contactId!)).toMatchObject({ attributes: { nested: [{ a: null }] } });
  });

  test(`of ${GOOD} lines creates the valid contacts and reports each invalid line`, async () => {
    const kinds: [unknown, RegExp][] = [
      ['{"name": "cut', /JSON/],
      ["[1]", /object/],
      [{ nmae: "Ada" }, /nmae/],
      [{ emails: ["nobody"] }, /email/],
      [{ externalId: "nd-1" }, /line 1$/],
      [{}, /nothing/],
    ];
    const lines: unknown[] = [];
    const bad = new Map<number, RegExp>();
    for (let n = 1; n <= GOOD; n++) {
      lines.push({ externalId: `nd-${n}`, name: `Contact ${n}`, emails: [`nd${n}@import.example.com`] });
      if (n % (GOOD / 10) === 0) {
        const [line, error] = kinds[(n / (GOOD / 10)) % kinds.length]!;
        bad.set(lines.push(line), error);
      }
    }
    const before = await count();
    const report = await send(ndjson(lines));
    expect(report).toMatchObject({ imported: GOOD, failed: bad.size });
    expect(report.lines).toHaveLength(lines.length);
    for (const { line, contactId, error } of report.lines) {
      if (bad.has(line)) expect([contactId, error]).toEqual([null, expect.stringMatching(bad.get(line)!)]);
      else expect([line, error]).toEqual([line, null]);
    }
    expect(await count()).toBe(before + GOOD);
  });
});

test("an import with too many lines, too many bytes or another type is refused completely", async () => {
  const before = await count();
  expect((await key.post("/api/contacts/import", csv(`name\n${"A\n".repeat(20_001)}`), 400)).body.error).toMatch(
    /20000 lines/,
  );
  await key.post("/api/contacts/import", csv(`name\n${"A".repeat(10_485_760)}`), 413);
  await key.post("/api/contacts/import", { contacts: [] }, 415);
  expect(await count()).toBe(before);
});

test("an import is atomic: if the last batch fails, no contact is created", async () => {
  const before = await count();
  await app.db.query(
    `create function refuse() returns trigger language plpgsql as $$ begin if new.name = 'poison' then raise exception 'poison'; end if; return new; end $$`,
  );
  await app.db.query("create trigger refuse before insert on contact for each row execute function refuse()");
  try {
    await expect(key.post("/api/contacts/import", csv(`name\n${"Ada\n".repeat(1_000)}poison\n`))).rejects.toThrow(
      /500/,
    );
  } finally {
    await app.db.query("drop function refuse() cascade");
  }
  expect(await count()).toBe(before);
});

test("two concurrent imports of the same people create each of them once", async () => {
  const lines = Array.from({ length: 400 }, (_, n) => ({ externalId: `raced-${n}`, name: "Ada" }));
  const reports = await Promise.all([lines, lines.toReversed(), lines].map((one) => send(ndjson(one))));
  expect(reports.reduce((sum, { imported }) => sum + imported, 0)).toBe(400);
  expect((await app.db.query(`select 1 from contact where external_id like 'raced-%'`)).length).toBe(400);
});

test("an import repeated with its Idempotency-Key returns the same report, and another file returns 422", async () => {
  const options = { headers: { "idempotency-key": "import" } };
  const first = await key.post("/api/contacts/import", csv("name\nOnce\n"), 200, options);
  const again: Answer = await key.post("/api/contacts/import", csv("name\nOnce\n"), 200, options);
  expect(again.text).toBe(first.text);
  await key.post("/api/contacts/import", csv("name\nTwice\n"), 422, options);
});

test("a restricted key sees the contacts that it imported", async () => {
  const restricted = await keyFor(await tenant.owner(), {
    dataScope: { level: "workspace", workspaceId: tenant.defaults.workspaceId },
  });
  const { lines } = await send(csv("name\nMine\nMine too\n"), restricted);
  expect((await walk(restricted, "/api/contacts")).map(({ id }) => id).toSorted()).toEqual(
    lines.map(({ contactId }) => contactId).toSorted(),
  );
});
