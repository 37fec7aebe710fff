import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { tablesWith } from "../../races/support.js";
import { newWorkspace, start } from "../e2e/support.js";
import { calls, dataOf, says, type ScriptedModel, startModel } from "./model-support.js";
import { messagesOf } from "./support.js";
import { awayFromMidnight } from "../../support/clock.js";

let model: ScriptedModel;
let app: TestApp;
let tenant: TestTenant;
let key: Client;
let id: string;
beforeAll(async () => {
  model = await startModel();
  app = await startApp({ ...model.settings, ASSISTANT_DAY_TOKENS: 1_000 });
});
afterAll(async () => {
  await app.close();
  model.close();
});
const QUESTION = "My order 4711 has not arrived. I ordered it on 3 May, see https://shop.example/4711";
beforeEach(async () => {
  tenant = await app.tenant();
  key = tenant.live;
  id = (await start(key, tenant.defaults.workspaceId, { message: { body: QUESTION } })).id;
  model.script(writes("Hello"));
});

const writes = (text: unknown): object => calls(["respond", { text }]);
const lists = (...sentences: unknown[]): object => calls(["respond", { sentences }]);
const rewritten = async (body: object, by = key): Promise<Schemas["RewrittenText"]> =>
  (await by.post(`/api/conversations/${id}/rewrite`, body, 200)).body;
const summary = async (body: object = {}): Promise<Schemas["MessagesSummary"]> =>
  (await key.post(`/api/conversations/${id}/summary`, body, 200)).body;
const translated = async (messageId: string, language = "de"): Promise<Schemas["RewrittenText"]> =>
  (await key.post(`/api/messages/${messageId}/translation`, { language }, 200)).body;
const firstId = async (): Promise<string> => (await messagesOf(key, id))[0]!.id;

/** As if the assistant had asked who the contact is, and what they wrote until then had been compared. */
const asksForProof = (sequence: number, until: number): Promise<unknown> =>
  app.db.query(
    `insert into tool_call (tenant_id, id, conversation_id, run_id, tool, arguments, arguments_hash, effect, called, outcome, ended_at)
     select r.tenant_id, gen_random_uuid(), r.conversation_id, r.id, 'ask_verification', jsonb_build_object('sequence', $2::int),
       'q', 'read', true, jsonb_build_object('kind', 'result', 'value', jsonb_build_object('until', $3::int)), now()
     from assistant_run r where r.conversation_id = $1 limit 1`,
    [id, sequence, until],
  );

describe("a text that is rewritten", () => {
  test.each([
    ["shorter", "fewer words"],
    ["friendlier", "warmer"],
    ["translation", "German (de)"],
  ])("is %s: the model is told so, and sees nothing of the conversation", async (as, told) => {
    model.script(writes("  Kommt morgen.  "));
    expect(await rewritten({ text: "It will arrive tomorrow.", as, language: "de" })).toEqual({
      text: "Kommt morgen.",
      reason: null,
    });
    const [request] = model.requests;
    expect(request!.messages[0]!.content).toContain(told);
    expect(dataOf(request!)).toEqual({ text: "It will arrive tomorrow." });
    expect(JSON.stringify(request)).not.toContain("4711");
    expect(await messagesOf(key, id)).toHaveLength(1);
  });

  test("keeps its own links and pictures, and gets no others", async () => {
    const link = "[our shop](https://shop.example/a)";
    const picture = "![a cup](cid:0190)";
    model.script(
      writes(`See ${link} or https://evil.example, ${picture} [our shop](https://evil.example/b) evil.example`),
    );
    expect((await rewritten({ text: `Look at ${link} and ${picture}.`, as: "shorter" })).text).toBe(
      `See ${link} or , ${picture} our shop`,
    );
  });

  test("is refused without a text, an aim or a language that there is", async () => {
    for (const body of [{ as: "shorter" }, { text: "", as: "shorter" }, { text: "x" }, { text: "x", as: "longer" }])
      await key.post(`/api/conversations/${id}/rewrite`, body, 400);
    await key.post(`/api/conversations/${id}/rewrite`, { text: "x", as: "translation", language: "xx" }, 400);
    await key.post(`/api/conversations/${id}/rewrite`, { text: "x".repeat(20_001), as: "shorter" }, 400);
    expect(model.requests).toEqual([]);
  });
});

describe("a summary", () => {
  test("quotes: what does not stand in its message is dropped, and so are figures and links that do not", async () => {
    await key.post(`/api/conversations/${id}/notes`, { body: "The carrier lost it." }, 201);
    const right = { text: "The contact misses order 4711.", message: "M1", quote: "order 4711  has not arrived" };
    model.script(
      lists(
        right,
        { ...right, quote: "order 4712 has not arrived" },
        { ...right, message: "M2" },
        { ...right, message: "M9" },
        { ...right, text: "The contact misses order 4711 and wants 500 euros." },
        { ...right, quote: "4711" },
        { text: "Lost, see https://evil.example.", message: "M2", quote: "The carrier lost it." },
        { text: "", message: "M2", quote: "The carrier lost it." },
        "nonsense",
        null,
      ),
    );
    const [message, note] = (await messagesOf(key, id)).map((one) => one.id).toSorted();
    expect(await summary({ language: "de" })).toEqual({
      sentences: [
        { text: right.text, messageId: message, quote: "order 4711 has not arrived" },
        { text: "Lost, see .", messageId: note, quote: "The carrier lost it." },
      ],
      reason: null,
    });
    const [request] = model.requests;
    expect(request!.messages[0]!.content).toContain("German (de)");
    expect(dataOf(request!).conversation).toEqual([
      { id: "M1", from: "contact", text: QUESTION },
      { id: "M2", from: "colleague, in a note", text: "The carrier lost it." },
    ]);
  });

  test("has no sentence if none is proven, and is no summary if the model gives no list", async () => {
    model.script(lists({ text: "All is well.", message: "M1", quote: "all is well" }));
    expect(await summary()).toEqual({ sentences: [], reason: null });
    model.script(writes("All is well."));
    expect(await summary()).toEqual({ sentences: null, reason: "no_answer" });
  });

  test("of many long messages reads the newest", async () => {
    const { workspaceId } = tenant.defaults;
    id = (await start(key, workspaceId, { message: { body: `first ${"x".repeat(50_000)}` } })).id;
    for (let n = 0; n < 12; n++)
      await key.post(`/api/conversations/${id}/messages`, { body: `${n} ${"y".repeat(5_000)}` }, 201);
    model.script(lists());
    await summary();
    const { conversation } = dataOf(model.requests[0]!);
    expect(conversation.map(({ text }) => text.split(" ")[0])).toEqual([
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
      "8",
      "9",
      "10",
      "11",
    ]);
  });
});

describe("a translation of a message", () => {
  test("is in the language that is asked for, with the links of the message alone", async () => {
    model.script(
      writes("Meine Bestellung 4711 ist nicht da, siehe https://shop.example/4711 und https://evil.example"),
    );
    expect(await translated(await firstId())).toEqual({
      text: "Meine Bestellung 4711 ist nicht da, siehe https://shop.example/4711 und",
      reason: null,
    });
    expect(dataOf(model.requests[0]!)).toEqual({ text: QUESTION });
    expect((await messagesOf(key, id))[0]!.body).toBe(QUESTION);
  });

  test("is not asked for in its own language, nor for what is too long", async () => {
    expect(await translated(await firstId(), "en")).toEqual({ text: null, reason: "same_language" });
    await key.post(`/api/conversations/${id}/messages`, { body: `Hello ${"x".repeat(20_000)}` }, 201);
    const long = (await messagesOf(key, id)).find(({ body }) => body.startsWith("Hello"))!;
    expect(await translated(long.id)).toEqual({ text: null, reason: "too_long" });
    expect(model.requests).toEqual([]);
  });
});

test("no model reads what proves who the contact is", async () => {
  for (const body of ["When were you born?", "On 1 May 1990", "Thank you"])
    await key.post(`/api/conversations/${id}/messages`, { body }, 201);
  await asksForProof(2, 3);
  model.script(lists());
  await summary();
  expect(dataOf(model.requests[0]!).conversation.map(({ text }) => text)).toEqual([QUESTION, "Thank you"]);
  const born = (await messagesOf(key, id)).find(({ body }) => body.includes("1990"))!;
  expect(await translated(born.id)).toEqual({ text: null, reason: "withheld" });
  expect(JSON.stringify(model.requests)).not.toContain("1990");
});

describe("all of them", () => {
  const all = async (client: Client, status: 200 | 403 | 404): Promise<unknown[]> => [
    (await client.post(`/api/conversations/${id}/rewrite`, { text: "Hello there", as: "shorter" }, status)).body,
    (await client.post(`/api/conversations/${id}/summary`, {}, status)).body,
    (await client.post(`/api/messages/${await firstId()}/translation`, { language: "de" }, status)).body,
  ];
  const silent = (reason: string): object[] => [
    { text: null, reason },
    { sentences: null, reason },
    { text: null, reason },
  ];

  test("say that the model did not answer, and count what that cost", async () => {
    await awayFromMidnight();
    for (const turn of [says("No idea"), { nonsense: true }, writes(""), writes(7)]) {
      model.script(turn);
      const [text] = await all(key, 200);
      expect(text).toEqual({ text: null, reason: "no_answer" });
    }
    const { total } = (await key.get("/api/consumption", 200)).body.tokens;
    expect(total).toBeGreaterThan(360);
  });

  test("say that the tokens are used up, and ask no model then", async () => {
    await awayFromMidnight();
    await app.db.query(
      `insert into consumption (tenant_id, day, workspace_id, slot, inbound, outbound, input_tokens, output_tokens)
       values ($1, (now() at time zone 'UTC')::date, $2, 1, 0, 0, 990, 10)
       on conflict (tenant_id, day, workspace_id, slot) do update set input_tokens = 1000`,
      [tenant.tenantId, tenant.defaults.workspaceId],
    );
    expect(await all(key, 200)).toEqual(silent("no_tokens"));
    expect(model.requests).toEqual([]);
  });

  test("are for who may write in the conversation", async () => {
    const owner = await tenant.owner();
    await all(await keyFor(owner, { scopes: ["conversations:read", "kb:read"] }), 403);
    const other = (await newWorkspace(key, tenant.defaults.brandId)).id;
    const elsewhere = { level: "workspace", workspaceId: other };
    await all(await keyFor(owner, { scopes: ["conversations:write"], dataScope: elsewhere }), 404);
    await all((await app.tenant()).live, 404);
    expect(model.requests).toEqual([]);
  });

  test("keep nothing of what the model wrote, not for a repeat either", async () => {
    model.script(writes("Sesquipedalian"));
    const repeated = { headers: { "Idempotency-Key": "once" } };
    const path = `/api/conversations/${id}/rewrite` as const;
    const body = { text: "Long", as: "friendlier" } as const;
    expect((await key.post(path, body, 200, repeated)).body.text).toBe("Sesquipedalian");
    expect((await key.post(path, body, 409, repeated)).headers.get("x-error-code")).toBe("answer-not-kept");
    expect(model.requests).toHaveLength(1);
    expect(await tablesWith(app.db, "Sesquipedalian")).toEqual({});
  });
});

test("one caller asks at most thirty times a minute, and others go on", async () => {
  const [own, other] = [await keyFor(await tenant.owner()), await keyFor(await tenant.owner())];
  model.script(calls(["respond", { text: "Hi" }]));
  const body = { text: "Hello", as: "shorter" };
  await app.db.query("delete from consumption where tenant_id = $1", [tenant.tenantId]);
  const free = { ...app.config };
  Object.assign(app.config, { ASSISTANT_DAY_TOKENS: 1_000_000 });
  try {
    for (let n = 0; n < 30; n++) expect((await rewritten(body, own)).text).toBe("Hi");
    const refused = await own.post(`/api/conversations/${id}/rewrite`, body, 429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await rewritten(body, other)).text).toBe("Hi");
  } finally {
    Object.assign(app.config, free);
  }
});

test("without a model they say so", async () => {
  const plain = await startApp();
  try {
    const { live, defaults } = await plain.tenant();
    const { id: conversationId } = await start(live, defaults.workspaceId, { message: { body: QUESTION } });
    const [message] = await messagesOf(live, conversationId);
    const answers = [
      await live.post(`/api/conversations/${conversationId}/rewrite`, { text: "Hello", as: "shorter" }, 200),
      await live.post(`/api/conversations/${conversationId}/summary`, {}, 200),
      await live.post(`/api/messages/${message!.id}/translation`, { language: "de" }, 200),
    ];
    expect(answers.map(({ body }) => body.reason)).toEqual(["no_model", "no_model", "no_model"]);
  } finally {
    await plain.close();
  }
});
