import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Sealer } from "../../../src/platform/database/seal.js";
import { identitySettings } from "../../../src/identity/settings/identity-settings.js";
import { undisturbed } from "../../races/support.js";
import { SECRET_KEY, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { newWorkspace, NOT_FOUND, UNKNOWN_ID } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(() => app.close());

type Resource = "identity-settings" | "retention-settings" | "verification-sources";
const path = <What extends Resource>(workspaceId: string, what: What) =>
  `/api/workspaces/${workspaceId}/${what}` as const;
const workspace = async (): Promise<string> => (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
const get = async <What extends Resource>(workspaceId: string, what: What) =>
  (await owner.get(path(workspaceId, what), 200)).body;
const put = async <What extends Resource>(workspaceId: string, what: What, body: object) =>
  (await owner.put(path(workspaceId, what), body, 200)).body;
const refusal = async (workspaceId: string, what: Resource, body: object): Promise<string> =>
  (await owner.put(path(workspaceId, what), body, 400)).body.error;

const FACTORS = ["kba_static", "kba_dynamic", "otp_email", "otp_sms", "magic_link", "ani_match", "eid_verified"];
const DEFAULTS = {
  requiredCorrectAnswers: 2,
  maxWrongPerConversation: 3,
  maxWrongPerIdentity24h: 5,
  maxWrongPerCallerId24h: 10,
  magicLinkMinutes: 10,
  requireLinkCode: false,
  addressCoolOffHours: 72,
  factorLifetimeMinutes: 30,
  allowedFactors: FACTORS,
  promptVersion: null,
};
const OTHERS = {
  requiredCorrectAnswers: 3,
  maxWrongPerConversation: 2,
  maxWrongPerIdentity24h: 7,
  maxWrongPerCallerId24h: 20,
  magicLinkMinutes: 5,
  requireLinkCode: true,
  addressCoolOffHours: 24,
  factorLifetimeMinutes: 60,
  allowedFactors: ["magic_link", "kba_dynamic"],
  promptVersion: "2026-11",
};

describe("the identity settings", () => {
  test("are the defaults until they are set", async () => {
    expect(await get(await workspace(), "identity-settings")).toEqual(DEFAULTS);
  });

  test("are replaced as a whole: an omitted field gets its default", async () => {
    const id = await workspace();
    expect(await put(id, "identity-settings", OTHERS)).toEqual(OTHERS);
    expect(await get(id, "identity-settings")).toEqual(OTHERS);
    expect(await put(id, "identity-settings", { maxWrongPerConversation: 4 })).toEqual({
      ...DEFAULTS,
      maxWrongPerConversation: 4,
    });
    expect(await put(id, "identity-settings", {})).toEqual(DEFAULTS);
    expect(await get(id, "identity-settings")).toEqual(DEFAULTS);
  });

  test("apply to verification within the same transaction", async () => {
    const id = await workspace();
    const inForce = () => app.transaction(tenant.tenantId, (tx) => identitySettings(tx, id));
    expect(await inForce()).toEqual(DEFAULTS);
    await put(id, "identity-settings", OTHERS);
    expect(await inForce()).toEqual(OTHERS);
    await tenant.live.delete(`/api/workspaces/${id}`, 200);
    await expect(inForce()).rejects.toThrow("Not found");
  });

  test.each([
    ["requiredCorrectAnswers", 1, 10],
    ["maxWrongPerConversation", 1, 100],
    ["maxWrongPerIdentity24h", 1, 100],
    ["maxWrongPerCallerId24h", 1, 100],
    ["magicLinkMinutes", 1, 60],
    ["addressCoolOffHours", 0, 8_760],
    ["factorLifetimeMinutes", 1, 1_440],
  ])("accept %s from %d to %d, whole numbers only", async (field, least, most) => {
    const id = await workspace();
    for (const value of [least, most])
      expect(await put(id, "identity-settings", { [field]: value })).toEqual({ ...DEFAULTS, [field]: value });
    const before = await get(id, "identity-settings");
    for (const value of [least - 1, most + 1, 1.5, null, "2"])
      expect(await refusal(id, "identity-settings", { [field]: value })).toContain(field);
    expect(await get(id, "identity-settings")).toEqual(before);
  });

  test("accept true or false for requireLinkCode", async () => {
    const id = await workspace();
    for (const requireLinkCode of [true, false])
      expect(await put(id, "identity-settings", { requireLinkCode })).toEqual({ ...DEFAULTS, requireLinkCode });
    for (const requireLinkCode of ["true", 1, null])
      expect(await refusal(id, "identity-settings", { requireLinkCode })).toContain("requireLinkCode");
  });

  test("accept one or more known factors, each once", async () => {
    const id = await workspace();
    for (const allowedFactors of [[], ["magic_link", "magic_link"], ["password"], null, "magic_link"])
      expect(await refusal(id, "identity-settings", { allowedFactors })).toContain("allowedFactors");
    expect(await get(id, "identity-settings")).toEqual(DEFAULTS);
  });

  test("created by concurrent first requests come from one of them", async () => {
    const id = await workspace();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        put(id, "identity-settings", { ...OTHERS, maxWrongPerConversation: n + 1, maxWrongPerIdentity24h: n + 1 }),
      ),
    );
    expect(answers).toContainEqual(await get(id, "identity-settings"));
  });
});

describe("the retention settings", () => {
  test("default to 24 months, belong to one workspace, and accept 3 to 84", async () => {
    const id = await workspace();
    expect(await get(id, "retention-settings")).toEqual({ identityRetentionMonths: 24 });
    for (const identityRetentionMonths of [3, 84]) {
      expect(await put(id, "retention-settings", { identityRetentionMonths })).toEqual({ identityRetentionMonths });
      expect((await owner.get(`/api/workspaces/${id}`, 200)).body.identityRetentionMonths).toBe(
        identityRetentionMonths,
      );
    }
    for (const identityRetentionMonths of [2, 85, 3.5, null, "24"])
      expect(await refusal(id, "retention-settings", { identityRetentionMonths })).toContain("identityRetentionMonths");
    expect(await get(id, "retention-settings")).toEqual({ identityRetentionMonths: 84 });
    expect(await put(id, "retention-settings", {})).toEqual({ identityRetentionMonths: 24 });
  });
});

const CONTACT = {
  name: "contact",
  type: "contact_attributes",
  questions: [
    { key: "postcode", prompt: "Your postcode?", attribute: "postcode" },
    { key: "email", prompt: "Your email?", attribute: "email" },
  ],
};
const HTTP = {
  name: "crm",
  type: "http",
  url: "https://crm.example.com/lookup?by=phone",
  credentials: { authorization: "Bearer a-secret" },
  questions: [{ key: "city", prompt: "Your city?", path: "$.account.addresses[0].city" }],
};
const shown = (
  { credentials, ...source }: { credentials?: object | null; questions: object[] },
  hasCredentials = Boolean(credentials),
) => ({
  url: null,
  ...source,
  hasCredentials,
  questions: source.questions.map((question) => ({ attribute: null, path: null, ...question })),
});
const sources = (workspaceId: string, ...list: object[]) => put(workspaceId, "verification-sources", { sources: list });
const without = ({ credentials: _, ...source }: typeof HTTP) => source;

describe("the verification sources", () => {
  test("are empty at first, and then the stored list, in order", async () => {
    const id = await workspace();
    expect(await get(id, "verification-sources")).toEqual({ sources: [] });
    for (const list of [[HTTP, CONTACT], [CONTACT, HTTP], [CONTACT], []]) {
      expect(await sources(id, ...list)).toEqual({ sources: list.map((source) => shown(source)) });
      expect(await get(id, "verification-sources")).toEqual({ sources: list.map((source) => shown(source)) });
    }
  });

  test("can be sent back as a request, without hasCredentials", async () => {
    const id = await workspace();
    const before = await sources(id, HTTP, CONTACT);
    expect(await sources(id, ...before.sources.map(({ hasCredentials: _, ...source }) => source))).toEqual(before);
  });

  test("keep one of two concurrently stored lists, as a whole", async () => {
    const id = await workspace();
    const list = (n: number) => Array.from({ length: 5 }, (_, i) => ({ ...CONTACT, name: `list_${n}_${i}` }));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => sources(id, ...list(n), { ...CONTACT, name: "common" })),
    );
    expect(answers).toContainEqual(await get(id, "verification-sources"));
  });
});

describe("the credentials of a source", () => {
  const stored = async (workspaceId: string, name = "crm"): Promise<Buffer | null | undefined> =>
    (
      await app.db.query<{ sealed: Buffer | null }>(
        "select sealed from verification_source where workspace_id = $1 and name = $2",
        [workspaceId, name],
      )
    )[0]?.sealed;
  const sealer = new Sealer([SECRET_KEY], "verification sources");
  const opened = async (workspaceId: string, name = "crm"): Promise<unknown> =>
    sealer.open((await stored(workspaceId, name))!, tenant.tenantId + workspaceId + name);

  test("are sealed for their row, and are in clear in no response and no table", async () => {
    const id = await workspace();
    const answer = await owner.put(path(id, "verification-sources"), { sources: [HTTP] }, 200);
    expect(answer.text).not.toContain("a-secret");
    expect((await owner.get(path(id, "verification-sources"), 200)).text).not.toContain("a-secret");
    const rows = await app.db.query<{ row: string }>(
      "select t::text as row from verification_source t where workspace_id = $1",
      [id],
    );
    for (const encoded of [
      "a-secret",
      Buffer.from("a-secret").toString("hex"),
      Buffer.from("a-secret").toString("base64"),
    ])
      expect(rows[0]!.row).not.toContain(encoded);
    expect(await opened(id)).toEqual(HTTP.credentials);
    const sealed = (await stored(id))!;
    for (const elsewhere of [tenant.tenantId + id + "other", tenant.testTenantId + id + "crm"])
      expect(() => sealer.open(sealed, elsewhere)).toThrow();
  });

  test("are kept if omitted, replaced if given, and removed by null", async () => {
    const id = await workspace();
    await sources(id, HTTP);
    const changed = { ...without(HTTP), url: "https://crm.example.com/other" };
    expect(await sources(id, CONTACT, changed)).toEqual({ sources: [shown(CONTACT), shown(changed, true)] });
    expect(await opened(id)).toEqual({ authorization: "Bearer a-secret" });
    expect(await sources(id, { ...HTTP, credentials: { authorization: "Bearer another" } })).toEqual({
      sources: [shown(HTTP)],
    });
    expect(await opened(id)).toEqual({ authorization: "Bearer another" });
    expect(await sources(id, { ...HTTP, credentials: null })).toEqual({ sources: [shown(HTTP, false)] });
    expect(await sources(id, without(HTTP))).toEqual({ sources: [shown(HTTP, false)] });
    expect(await stored(id)).toBeNull();
  });

  test("are removed with their source, its name or its type", async () => {
    const id = await workspace();
    for (const between of [[], [{ ...HTTP, name: "renamed", credentials: undefined }], [{ ...CONTACT, name: "crm" }]]) {
      await sources(id, HTTP);
      expect((await sources(id, ...between)).sources.map(({ hasCredentials }) => hasCredentials)).toEqual(
        between.map(() => false),
      );
      expect(await sources(id, without(HTTP))).toEqual({ sources: [shown(HTTP, false)] });
    }
  });

  test("do not apply to a source with the same name in another workspace", async () => {
    await sources(await workspace(), HTTP);
    expect(await sources(await workspace(), without(HTTP))).toEqual({ sources: [shown(HTTP, false)] });
  });
});

describe("a source", () => {
  const question = CONTACT.questions[0]!;
  const REFUSED: [string, object[]][] = [
    ["where two have one name", [CONTACT, CONTACT]],
    ["where there are eleven", Array.from({ length: 11 }, (_, n) => ({ ...CONTACT, name: `s${n}` }))],
    ...["", "Crm", "c-r-m", "c r m", "crm:x", "é", "x".repeat(41)].map((name): [string, object[]] => [
      `with the name ${JSON.stringify(name)}`,
      [{ ...CONTACT, name }],
    ]),
    ["that is an array", [[], [CONTACT]]],
    ["whose question is an array", [{ ...CONTACT, questions: [[]] }]],
    ["of a type that there is not", [{ ...CONTACT, type: "ldap" }]],
    ["without a question", [{ ...CONTACT, questions: [] }]],
    [
      "with twenty-one questions",
      [{ ...CONTACT, questions: Array.from({ length: 21 }, (_, n) => ({ ...question, key: `q${n}` })) }],
    ],
    ["where two questions have one key", [{ ...CONTACT, questions: [question, { ...question, prompt: "Again?" }] }]],
    ["where a question has an empty prompt", [{ ...CONTACT, questions: [{ ...question, prompt: " " }] }]],
    [
      "of the contact's attributes where a question names none",
      [{ ...CONTACT, questions: [{ key: "q", prompt: "Q?" }] }],
    ],
    [
      "of the contact's attributes where a question has a path",
      [{ ...CONTACT, questions: [{ ...question, path: "$.a" }] }],
    ],
    ["of the contact's attributes with a url", [{ ...CONTACT, url: HTTP.url }]],
    ["of the contact's attributes with credentials", [{ ...CONTACT, credentials: HTTP.credentials }]],
    ["of http without a url", [{ ...HTTP, url: undefined }]],
    [
      "of http where a question names an attribute",
      [{ ...HTTP, questions: [{ ...HTTP.questions[0], attribute: "city" }] }],
    ],
    ["of http where a question has no path", [{ ...HTTP, questions: [{ key: "q", prompt: "Q?", path: null }] }]],
    ...[
      "$",
      "account",
      "$.",
      "$..a",
      "$.a[]",
      "$.a[*]",
      "$.a[-1]",
      "$.a[?(@.b)]",
      "$['a']",
      "$.a b",
      "$.a[0",
      "$.a.",
    ].map((bad): [string, object[]] => [
      `with the path ${bad}`,
      [{ ...HTTP, questions: [{ key: "q", prompt: "Q?", path: bad }] }],
    ]),
    ...[
      "http://crm.example.com",
      "/lookup",
      "crm.example.com",
      "//crm.example.com",
      "https:crm.example.com",
      "https://",
      "https://user:secret@crm.example.com",
      "https://crm.example.com/#x",
      " https://crm.example.com",
      "ftp://crm.example.com",
      "javascript:alert(1)",
      `https://crm.example.com/${"x".repeat(2_000)}`,
    ].map((url): [string, object[]] => [`with the url ${url.slice(0, 50)}`, [{ ...HTTP, url }]]),
    ...[
      {},
      { authorization: "" },
      { authorization: 1 },
      { authorization: "Bearer x\r\nX-Other: y" },
      { authorization: "x".repeat(4_001) },
      { authorization: "x", other: "y" },
      "Bearer x",
      [],
    ].map((credentials): [string, object[]] => [
      `with the credentials ${JSON.stringify(credentials).slice(0, 50)}`,
      [{ ...HTTP, credentials }],
    ]),
    ["with a field that nobody knows", [{ ...HTTP, hasCredentials: true }]],
  ];

  test("that has an invalid name, type, question, path, url or credentials is refused, and the stored sources stay unchanged", async () => {
    const id = tenant.defaults.workspaceId;
    const before = await sources(id, HTTP, CONTACT);
    for (const [what, list] of REFUSED) {
      const { status, body } = await owner.put(path(id, "verification-sources"), { sources: list });
      expect([what, status]).toEqual([what, 400]);
      expect(body.error?.length, what).toBeGreaterThan(10);
      expect(body.error, what).not.toContain("secret");
    }
    expect(await get(id, "verification-sources")).toEqual(before);
  });

  test("but ten sources of twenty questions each, with names and URLs at their limits, are accepted", async () => {
    const id = await workspace();
    const questions = Array.from({ length: 20 }, (_, n) => ({
      key: `${n}`.padStart(40, "k"),
      prompt: "p".repeat(500),
      path: "$.größe[0].a-b_c",
    }));
    const list = Array.from({ length: 10 }, (_, n) => ({
      ...HTTP,
      name: `${n}`.padStart(40, "n"),
      url: `https://crm.example.com:8443/${"x".repeat(1_900)}`,
      questions,
    }));
    expect(await sources(id, ...list)).toEqual({ sources: list.map((source) => shown(source)) });
  });
});

describe("the settings of a workspace", () => {
  const BODIES: Record<Resource, object> = {
    "identity-settings": OTHERS,
    "retention-settings": { identityRetentionMonths: 7 },
    "verification-sources": { sources: [HTTP] },
  };

  test.each(Object.entries(BODIES) as [Resource, object][])(
    "%s are separate for each workspace and side",
    async (what, body) => {
      const [one, other] = [await workspace(), await workspace()];
      const onTest = await tenant.owner("test");
      const before = [
        await get(other, what),
        (await onTest.get(path(tenant.testDefaults.workspaceId, what), 200)).body,
      ];
      expect(await put(one, what, body)).not.toEqual(before[0]);
      expect([
        await get(other, what),
        (await onTest.get(path(tenant.testDefaults.workspaceId, what), 200)).body,
      ]).toEqual(before);
      await onTest.get(path(one, what), 404);
    },
  );

  test.each(Object.entries(BODIES) as [Resource, object][])(
    "%s of a deleted or unknown workspace return 404",
    async (what, body) => {
      const gone = await workspace();
      await put(gone, what, body);
      await tenant.live.delete(`/api/workspaces/${gone}`, 200);
      for (const id of [gone, UNKNOWN_ID]) {
        expect((await owner.get(path(id, what), 404)).body).toEqual(NOT_FOUND);
        expect((await owner.put(path(id, what), body, 404)).body).toEqual(NOT_FOUND);
      }
    },
  );

  test.each(Object.entries(BODIES) as [Resource, object][])(
    "%s return 304 for a matching ETag until they change",
    async (what, body) => {
      await undisturbed([app], async () => {
        const id = await workspace();
        const etag = (await owner.get(path(id, what), 200)).headers.get("etag")!;
        const poll = () => owner.get(path(id, what), undefined, { headers: { "if-none-match": etag } });
        expect((await poll()).status).toBe(304);
        await put(id, what, body);
        expect((await poll()).status).toBe(200);
      });
    },
  );
});
