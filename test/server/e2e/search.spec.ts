import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCOPES } from "../../../src/platform/caller/scope.js";
import { tablesWith } from "../../races/support.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { runs } from "../../support/seed.js";
import { newAgent, newWorkspace, NOT_FOUND, set, start, UNKNOWN_ID } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => app.close());

const search = async (query: string, filters: object = {}, client: Client = tenant.live) =>
  (await client.post("/api/conversations/search", { query, limit: 100, ...filters }, 200)).body.data;
const found = async (query: string, filters: object = {}, client?: Client): Promise<string[]> =>
  (await search(query, filters, client)).map(({ conversation }) => conversation.id);
/** A conversation whose contact writes this text. */
const saying = async (body: string, more: object = {}, client = tenant.live, of = workspaceId): Promise<string> =>
  (await start(client, of, { message: { body }, ...more })).id;
const textOf = ({ parts }: Schemas["Snippet"]): string => parts.map(({ text }) => text).join("");
const matchesOf = ({ parts }: Schemas["Snippet"]): string[] =>
  parts.filter(({ match }) => match).map(({ text }) => text);
/** A tenant without other searchable content. */
const alone = async (): Promise<{
  client: Client;
  say: (body: string, more?: object) => Promise<string>;
  own: TestTenant;
}> => {
  const own = await app.tenant();
  return { client: own.live, own, say: (body, more) => saying(body, more, own.live, own.defaults.workspaceId) };
};

describe("search finds a conversation", () => {
  test("by its words in any order, by word prefixes, and case-insensitively", async () => {
    const id = await saying("The blue Umbrella arrived with a broken handle");
    for (const query of [
      "umbrella",
      "UMBRELLA",
      "broken umbrella",
      "handle broken umbrella",
      "umbr",
      "brok umb",
      "umbrella arrived with the",
      "  umbrella,   broken!  ",
    ])
      expect([query, await found(query)]).toEqual([query, [id]]);
    for (const query of ["umbrella green", "brella", "handlebars umbrella"])
      expect([query, await found(query)]).toEqual([query, []]);
  });

  test("at once after a message, a reply and a note", async () => {
    const { id } = await start(tenant.live, workspaceId);
    for (const [path, body, status] of [
      ["messages", "quokka", 201],
      ["reply", "wombat", 200],
      ["notes", "numbat", 201],
    ] as const) {
      expect(await found(body)).toEqual([]);
      await tenant.live.post(`/api/conversations/${id}/${path}`, { body }, status);
      expect(await found(body)).toEqual([id]);
    }
  });

  test("by its subject, and by the name, email and phone of its contact", async () => {
    const id = (
      await start(tenant.live, workspaceId, {
        subject: "Leaking samovar",
        contact: { name: "Zdeněk Přibyl", emails: ["zp.office@bohemia.example"], phones: ["+420601700800"] },
      })
    ).id;
    const byContact = [
      "pribyl",
      "Zdenek Přib",
      "zp.office@bohemia.example",
      "bohemia",
      "+420601700800",
      "+420 601 700 800",
      "601 700 800",
      "0601700800",
      "700800",
    ];
    for (const query of ["samovar", "leaking samovar", ...byContact, "pribyl samovar"])
      expect([query, await found(query)]).toEqual([query, [id]]);
    const { snippets } = (await search("zp.office@bohemia.example"))[0]!;
    expect(snippets).toMatchObject([{ field: "contact", messageId: null }]);
    expect(textOf(snippets[0]!)).toBe("zp.office@bohemia.example");

    const withoutContacts = await keyFor(await tenant.owner(), {
      scopes: SCOPES.filter((scope) => scope !== "contacts:read"),
    });
    expect(await found("samovar", {}, withoutContacts)).toEqual([id]);
    for (const query of [...byContact, "pribyl samovar", "Pribil"])
      expect([query, await found(query, {}, withoutContacts)]).toEqual([query, []]);
  });

  test("by words spread over the subject, the contact and several messages", async () => {
    const { client, say } = await alone();
    const id = await say("My invoice is wrong", { contact: { name: "Marguerite" }, subject: "Accounting" });
    await client.post(`/api/conversations/${id}/messages`, { body: "It says Thursday" }, 201);
    await say("My invoice is wrong, since Thursday", { contact: { name: "Someone" } });
    for (const query of ["marguerite invoice", "thursday marguerite invoice", "accounting thursday"])
      expect([query, await found(query, {}, client)]).toEqual([query, [id]]);
    expect(await found("marguerite friday", {}, client)).toEqual([]);
  });

  test("only by the current name of its contact", async () => {
    const { id, contactId } = await start(tenant.live, workspaceId, { contact: { name: "Oldname" } });
    await app.db.query("update contact set name = $2 where id = $1", [contactId, "Newname"]);
    expect([await found("oldname"), await found("newname")]).toEqual([[], [id]]);
  });
});

describe("search in any language", () => {
  // The text, the query.
  const CASES: [string, string, string][] = [
    ["de", "Die Rückerstattung für die Straße fehlt", "ruckerstattung strasse"],
    ["de", "Grüße aus Köln", "GRÜSSE koln"],
    ["fr", "J’ai reçu un café très abîmé", "recu cafe abime"],
    ["fr", "C'était l'œuvre complète", "oeuvre complète"],
    ["es", "¿Dónde está mi habitación pequeña?", "donde habitacion pequena"],
    ["pl", "Zażółć gęślą jaźń, Łódź", "zazolc lodz"],
    ["tr", "Işık İstanbul şehri", "isik istanbul sehri"],
    ["cs", "Příliš žluťoučký kůň", "prilis kun"],
    ["da", "Rødgrød på øen", "rodgrod oen"],
    ["vi", "Tiếng Việt rất khó", "tieng viet"],
    ["ru", "Где мой заказ? Ещё не приехал", "ЗАКАЗ еще"],
    ["el", "Πού είναι η Παραγγελία μου", "παραγγελια"],
    ["he", "איפה ההזמנה שלי", "ההזמנה"],
    ["ar", "أين طلبي؟", "طلبي"],
    ["hi", "मेरा ऑर्डर कहाँ है", "ऑर्डर"],
    ["zh", "我的订单还没有到货", "订单"],
    ["zh", "我想退货并申请退款", "退款"],
    ["ja", "注文した商品が届きません", "商品"],
    ["ja", "配送状況はトラッキングで", "トラッキング"],
    ["ko", "주문한 상품을 환불하고 싶어요", "상품"],
    ["th", "สินค้าของฉันยังไม่มาถึง", "ของฉัน"],
  ];
  /** A workspace without other searchable content. */
  const apart = async (text: string): Promise<{ id: string; there: { workspaceId: string } }> => {
    const there = { workspaceId: (await newWorkspace(tenant.live, tenant.defaults.brandId)).id };
    return { id: await saying(text, {}, tenant.live, there.workspaceId), there };
  };

  test("a text is found by words of it, without regard to case and accents, and by parts where no spaces are between words", async () => {
    for (const [language, text, query] of CASES) {
      const { id, there } = await apart(text);
      const hits = await search(query, there);
      const what = `${language}: "${text}" by "${query}"`;
      expect(
        hits.map(({ conversation }) => conversation.id),
        what,
      ).toEqual([id]);
      expect(matchesOf(hits[0]!.snippets[0]!).length, what).toBeGreaterThan(0);
    }
  });

  test("accepts one character where it is a word, and finds nothing for absent text", async () => {
    const { id, there } = await apart("東京駅");
    for (const query of ["東", "京", "駅", "京駅", "東京駅"]) expect(await found(query, there)).toEqual([id]);
    for (const query of ["東駅", "大阪"]) expect(await found(query, there)).toEqual([]);
  });

  // The text, the query with a typing mistake.
  const SLIPS: [string, string, string[]][] = [
    [
      "en",
      "I want to return the accommodation receipt",
      ["retrun", "reurn", "returm", "acommodation", "accomodation", "reciept", "returns"],
    ],
    ["de", "Die Rechnung für die Bestellung", ["Rechnug", "Rehcnung", "Bestelung", "Besstellung", "Bestallung"]],
    ["fr", "La livraison de ma commande", ["livrasion", "livrraison", "comande", "commmande", "commende"]],
    ["es", "El envío de mi devolución", ["devolucin", "devolusion", "debolucion", "devoluciom", "devoulcion"]],
    ["it", "La spedizione del prodotto", ["spedizone", "spedizoine", "prodoto", "produtto", "prodottto"]],
    ["nl", "De bestelling wordt morgen bezorgd", ["bestellign", "besteling", "bezorg", "bezrogd", "morgan"]],
  ];
  test("a text is found despite a typing mistake", async () => {
    for (const [language, text, slips] of SLIPS) {
      const { id, there } = await apart(text);
      for (const slip of slips) expect([language, slip, await found(slip, there)]).toEqual([language, slip, [id]]);
      expect(await found("giraffe", there)).toEqual([]);
    }
  });
});

describe("a search result", () => {
  test("has extracts, as parts of plain text", async () => {
    const { client, say } = await alone();
    const body = `${"So much happened before. ".repeat(20)}<b>Return</b> & the RÉTURNED parcel 😀.${" And much came after.".repeat(20)}`;
    const id = await say(body, { subject: "Returning soon" });
    const { conversation, snippets } = (await search("return", {}, client))[0]!;
    expect(conversation).toEqual((await client.get(`/api/conversations/${id}`, 200)).body);
    expect(snippets.map(({ field }) => field)).toEqual(["subject", "message"]);
    expect(snippets[0]).toEqual({
      field: "subject",
      messageId: null,
      parts: [
        { text: "Returning", match: true },
        { text: " soon", match: false },
      ],
    });
    expect(snippets[1]!.messageId).toBe((await client.get(`/api/conversations/${id}/messages`, 200)).body.data[0]!.id);
    expect(matchesOf(snippets[1]!)).toEqual(["Return", "RÉTURNED"]);
    const text = textOf(snippets[1]!).replaceAll("…", "");
    expect(body).toContain(text);
    expect(text.length).toBeLessThan(260);
    expect(matchesOf((await search("retrun", {}, client))[0]!.snippets[0]!)).toEqual(["Return"]);
  });

  test("of a long message shows the matching passage", async () => {
    const { client, say } = await alone();
    await say(`${"word ".repeat(15_000)} needle ${"word ".repeat(1_000)}`);
    expect(matchesOf((await search("needle", {}, client))[0]!.snippets[0]!)).toEqual(["needle"]);
  });

  test("is ranked: subject or contact first, then messages, then similar words, each by latest activity", async () => {
    const { client, say } = await alone();
    const [similar, message, subject, contact, later] = [
      await say("A marten"),
      await say("A martin"),
      await say("Hello", { subject: "Martin" }),
      await say("Hello", { contact: { name: "Martin" } }),
      await say("Another martin"),
    ];
    expect(await found("martin", {}, client)).toEqual([contact, subject, later, message, similar]);
    await client.post(`/api/conversations/${message}/notes`, { body: "moves nothing" }, 201);
    await client.post(`/api/conversations/${subject}/messages`, { body: "Hello again" }, 201);
    expect(await found("martin", {}, client)).toEqual([subject, contact, later, message, similar]);
  });

  test("matches the filters as well as the words", async () => {
    const there = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    const [open, pending, elsewhere] = [
      await saying("A pangolin"),
      await saying("A pangolin"),
      await saying("A pangolin", {}, tenant.live, there),
    ];
    await set(app, "conversation", pending, { status: "pending" });
    expect(await found("pangolin")).toEqual([elsewhere, pending, open]);
    expect(await found("pangolin", { status: "pending" })).toEqual([pending]);
    expect(await found("pangolin", { workspaceId: there })).toEqual([elsewhere]);
    expect(await found("pangolin", { workspaceId, status: "open" })).toEqual([open]);
    expect(
      (await tenant.live.post("/api/conversations/search", { query: "pangolin", workspaceId: UNKNOWN_ID }, 404)).body,
    ).toEqual(NOT_FOUND);
  });
});

describe("search outside the caller's reach", () => {
  test("finds and quotes nothing: of another tenant, the other side or another workspace", async () => {
    const owner = await tenant.owner();
    const brand = (await owner.post("/api/brands", { name: "Other" }, 201)).body.id;
    const there = (await newWorkspace(tenant.live, brand)).id;
    const more = {
      subject: "Axolotl",
      contact: { name: "Axolotl", emails: ["axolotl@example.com"], phones: ["+4930123456789"] },
    };
    const [here, inside] = [await saying("My axolotl", more), await saying("My axolotl", more, tenant.live, there)];
    const queries = ["axolotl", "axolotl my", "axolotll", "axolotl@example.com", "030 123 456 789"];
    const callers: Client[] = [
      await keyFor(owner, { dataScope: { level: "workspace", workspaceId: there } }),
      await keyFor(owner, { dataScope: { level: "brand", brandId: brand } }),
      await newAgent(owner, [there]),
    ];
    for (const client of callers) {
      for (const query of queries) expect([query, await found(query, {}, client)]).toEqual([query, [inside]]);
      expect((await client.post("/api/conversations/search", { query: "axolotl", workspaceId }, 404)).body).toEqual(
        NOT_FOUND,
      );
    }
    const other = await app.tenant();
    for (const client of [await newAgent(owner, []), tenant.test, other.live])
      for (const query of queries) expect(await search(query, {}, client)).toEqual([]);
    expect(new Set(await found("axolotl"))).toEqual(new Set([here, inside]));
  });

  test("many workspaces are searched together", async () => {
    const owner = await tenant.owner();
    const places: string[] = [];
    for (let n = 0; n < 10; n++) places.push((await newWorkspace(tenant.live, tenant.defaults.brandId)).id);
    const ids: string[] = [];
    for (const place of places) ids.unshift(await saying("A capybara", {}, tenant.live, place));
    await saying("A capybara");
    expect(await found("capybara", {}, await newAgent(owner, places))).toEqual(ids);
    expect(await found("capybara", {}, await newAgent(owner, places.slice(0, 3)))).toEqual(ids.slice(7));
  });
});

describe("search stops finding at once", () => {
  test("a deleted workspace's conversations", async () => {
    const place = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    const id = await saying("A dugong", {}, tenant.live, place);
    expect(await found("dugong")).toEqual([id]);
    await tenant.live.delete(`/api/workspaces/${place}`, 200);
    for (const query of ["dugong", "dugnog"]) expect(await search(query)).toEqual([]);
  });

  test("a message whose text was deleted", async () => {
    const id = await saying("A zebrafinch");
    await app.db.query(`update message set body = '', redacted_at = now() where conversation_id = $1`, [id]);
    for (const query of ["zebrafinch", "zebrafnich"]) expect(await search(query)).toEqual([]);
    // The conversation's preview is not part of the search.
    expect(await tablesWith(app.db, "zebrafinch")).toEqual({ conversation: 1 });
  });

  test("an erased person, whose words are in no table", async () => {
    const contact = {
      name: "Xanthippe Quillfeather",
      emails: ["xanthippe@quillfeather.example"],
      phones: ["+4989777666555"],
    };
    const { id, contactId } = await start(tenant.live, workspaceId, {
      subject: "Quillfeathers",
      contact,
      message: { body: "I am Quillfeatherly yours" },
    });
    await tenant.live.post(`/api/conversations/${id}/notes`, { body: "Nobody else says flumadiddle" }, 201);
    const queries = ["xanthippe", "quillfeather", "quilfeather", "flumadiddle", "777666555", "flumadidle"];
    for (const query of queries) expect([query, await found(query)]).toEqual([query, [id]]);
    await (await tenant.owner()).post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    for (const query of queries) expect([query, await search(query)]).toEqual([query, []]);
    // Six digits alone are in some random id or hash sooner or later.
    for (const word of ["xanthippe", "quillfeather", "flumadiddle", "777666555"])
      expect([word, await tablesWith(app.db, word)]).toEqual([word, {}]);
  });
});

describe("the search query", () => {
  const ask = (query: unknown, more: object = {}) => tenant.live.post("/api/conversations/search", { query, ...more });

  test("has 1 to 400 characters; a query without a word finds nothing", async () => {
    for (const query of ["", "   ", "x".repeat(401), 17, null, undefined, ["a"], "a\0b", "\ud800"])
      expect([query, (await ask(query)).status]).toEqual([query, 400]);
    for (const query of ["?!", "…", "😀", "%", "'", '"', "\\", "&|!()<->:*", "x".repeat(400)])
      expect([query, (await ask(query)).body]).toEqual([query, { data: [] }]);
    for (const more of [
      { limit: 0 },
      { limit: 101 },
      { status: "closed" },
      { workspaceId: "x" },
      { cursor: "x" },
      { other: 1 },
    ])
      expect((await ask("a", more)).status).toBe(400);
  });

  test("has no operators: every input gets a response", async () => {
    await saying('It\'s "here": <b>50%</b> (or not) & more\\ | !less :* 日本 😀 É');
    const piece = fc.oneof(
      fc.constantFrom(
        "'",
        '"',
        "\\",
        "&",
        "|",
        "!",
        "(",
        ")",
        ":*",
        "<->",
        "§",
        "§@",
        "@",
        "/",
        "%",
        "_",
        "$1",
        ":tenant",
        "--",
        ";",
        "😀",
        "日",
        "日本",
        "É",
        "ﬀ",
        "١",
        "\u0301",
        "\u200b",
        "here",
        "a",
        " ",
      ),
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "binary" }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
        const query = pieces.join("");
        const refused =
          query.trim().length === 0 || [...query.trim()].length > 400 || query.includes("\0") || !query.isWellFormed();
        expect((await ask(query)).status, JSON.stringify(query)).toBe(refused ? 400 : 200);
      }),
      { numRuns: runs(30, 300) },
    );
  });

  test("repeated with its Idempotency-Key returns the first response", async () => {
    await saying("A tapir");
    const [first, again] = [
      await tenant.live.post("/api/conversations/search", { query: "tapir" }, 200, {
        headers: { "idempotency-key": "tapir" },
      }),
      await tenant.live.post("/api/conversations/search", { query: "tapir" }, 200, {
        headers: { "idempotency-key": "tapir" },
      }),
    ];
    expect([again.text, again.body.data.length]).toEqual([first.text, 1]);
  });
});

describe("pages of search results", () => {
  const walk = async (
    client: Client,
    limit: number,
    between: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<string[]> => {
    const ids: string[] = [];
    for (let cursor: string | undefined; ;) {
      const { body } = await client.post("/api/conversations/search", { query: "ocelot", limit, cursor }, 200);
      ids.push(...body.data.map(({ conversation }) => conversation.id));
      if (!("nextCursor" in body)) return ids;
      expect(body.data).toHaveLength(limit);
      cursor = body.nextCursor;
      await between();
    }
  };

  test("of every size contain each result once, even while messages arrive", async () => {
    const { client, say } = await alone();
    const ids: string[] = [];
    for (let n = 0; n < 9; n++) ids.unshift(await say("An ocelot"));
    const subject = await say("Hello", { subject: "Ocelot" });
    const similar = await say("An ocelott");
    // "ocelott" begins with the query.
    const all = [subject, similar, ...ids];
    for (const limit of [1, 2, 5, 11, 100]) expect([limit, await walk(client, limit)]).toEqual([limit, all]);
    let next = 0;
    const seen = await walk(client, 2, async () => {
      await client.post(`/api/conversations/${all[next++]}/messages`, { body: "An ocelot again" }, 201);
      await say("A new ocelot");
    });
    expect(new Set(seen).size).toBe(seen.length);
    expect(all.filter((id) => !seen.includes(id))).toEqual([]);
  });

  test("belong to one query: a cursor with other words or filters, or from another list, returns 400", async () => {
    const { client, say, own } = await alone();
    for (let n = 0; n < 2; n++) await say("An ocelot");
    const { nextCursor: cursor } = (await client.post("/api/conversations/search", { query: "ocelot", limit: 1 }, 200))
      .body;
    for (const other of [
      { query: "ocelots" },
      { query: "ocelot", status: "open" },
      { query: "ocelot", workspaceId: own.defaults.workspaceId },
    ])
      await client.post("/api/conversations/search", { ...other, cursor }, 400);
    await client.get(`/api/conversations?cursor=${cursor}`, 400);
    await tenant.live.post("/api/conversations/search", { query: "ocelot", cursor }, 400);
  });
});
