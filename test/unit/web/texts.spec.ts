import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { WORDS as OF_FORMS } from "../../../src/channels/browser/form/words.js";
import { WORDS as OF_SEARCHES } from "../../../src/channels/browser/search/words.js";
import { WORDS as OF_CHATS } from "../../../src/channels/browser/webchat/words.js";
import { OF_WIDGETS } from "../../../web/src/features/settings/widgets/languages.js";
import { conditionInWords } from "../../../web/src/features/knowledge/condition.js";
import { differences } from "../../../web/src/features/knowledge/diff.js";
import { listOf, readJson } from "../../../web/src/features/knowledge/form.js";
import { filterOf, inboxSearch } from "../../../web/src/features/inbox/search.js";
import { snoozes } from "../../../web/src/features/thread/snoozes.js";
import { addressesIn, areWhole } from "../../../web/src/ui/address.js";
import { excerptOf, hasWords } from "../../../web/src/ui/excerpt.js";
import { best } from "../../../web/src/ui/match.js";
import { begunName, isMeant, mentionsIn } from "../../../web/src/features/thread/named.js";
import { refusals } from "../../../web/src/i18n/de/catalog.js";
import { en } from "../../../web/src/i18n/en/catalog.js";
import { pages } from "../../../web/src/i18n/en/pages.js";
import { LANGUAGES, OTHERS, withAllForms } from "../../../web/src/i18n/languages.js";
import { translation } from "../../../web/src/i18n/refusals.js";
import { isQuiet } from "../../../web/src/notifications/quiet.js";
import { noticesFor } from "../../../web/src/notifications/notices.js";
import { manages, mayWrite } from "../../../web/src/session/roles.js";
import type { Member } from "../../../web/src/session/session.js";
import { shown } from "../../../web/src/shown.js";
import { daysBetween, lengthOf } from "../../../web/src/ui/lengths.js";

afterEach(() => void vi.useRealTimers());

/** The kinds of the triggers, of entries that SQL writes by hand, and of those that services do. */
const KINDS_LOGGED = (() => {
  const root = path.join(import.meta.dirname, "../../../src");
  const found = fs
    .readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".sql") || name.endsWith(".ts"))
    .map((name) => fs.readFileSync(path.join(root, name), "utf8"))
    .flatMap((text) => [
      ...text.matchAll(/select audit_table\(\s*'\w+',\s*'(\w+)'/g),
      ...text.matchAll(/perform audit_note\(\s*'\w+',\s*'(\w+)'/g),
      ...text.matchAll(/recordAuditEntry\(tx, \{[^}]*?resourceType: "(\w+)"/g),
    ]);
  return [...new Set(found.map(([, kind]) => kind!))].sort();
})();

describe("the texts", () => {
  const flat = (texts: object, path = ""): [string, string][] =>
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === "string" ? [[path + key, value] as [string, string]] : flat(value as object, `${path}${key}.`),
    );
  const english = new Map(flat({ ...pages, ...en }));
  const valuesIn = (text: string): string[] => [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name!).sort();
  const others = Object.entries(OTHERS);

  test.each(others)("have the same values in English and in %s", async (_, load) => {
    const texts = new Map(flat((await load()).catalog));
    const other = [...english].filter(
      ([key, text]) =>
        // "One question" names no number, where another language may.
        !key.endsWith("_one") && valuesIn(texts.get(key) ?? "").join() !== valuesIn(text).join(),
    );
    expect(other.map(([key]) => key)).toEqual([]);
    expect(english.size).toBeGreaterThan(1_000);
  });

  test.each(others)("are all said in %s", async (_, load) => {
    const texts = new Map(flat((await load()).catalog));
    const words = (text: string): number => text.replace(/\{\{.*?\}\}/g, "").match(/\p{L}{2,}/gu)?.length ?? 0;
    const same = [...english].filter(([key, text]) => words(text) > 4 && texts.get(key) === text);
    expect(same).toEqual([]);
  });

  test.each(Object.keys(LANGUAGES))("that depend on a number have a form for each that %s has", async (language) => {
    const { catalog } = await (OTHERS[language as keyof typeof OTHERS]?.() ?? { catalog: { ...pages, ...en } });
    const texts = new Map(flat(withAllForms(catalog, language)));
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const counted = [...texts.keys()].filter((key) => /_(?:zero|one|two|few|many|other)$/.test(key));
    const missing = counted.flatMap((key) =>
      forms.map((form) => key.replace(/_[a-z]+$/, `_${form}`)).filter((name) => !texts.has(name)),
    );
    expect(missing).toEqual([]);
    expect(counted.length).toBeGreaterThan(20);
  });

  test.each(["fr", "pt"] as const)(
    "of one thing name the number in %s, where none has the same form",
    async (language) => {
      const texts = new Map(flat((await OTHERS[language]()).catalog));
      const numberless = [...english.keys()].filter(
        (key) =>
          key.endsWith("_one") &&
          // How often something repeats is never 0.
          !key.startsWith("invitation.every.") &&
          valuesIn(english.get(key.replace(/_one$/, "_other"))!).includes("count") &&
          !valuesIn(texts.get(key)!).includes("count"),
      );
      expect(numberless).toEqual([]);
    },
  );

  test.each(Object.keys(LANGUAGES))("name each kind of thing that the audit log has, in %s", async (language) => {
    const { catalog } = await (OTHERS[language as keyof typeof OTHERS]?.() ?? { catalog: { ...pages, ...en } });
    const named = new Set(flat(catalog).map(([key]) => key));
    const missing = KINDS_LOGGED.filter((kind) => !named.has(`logs.kind.${kind}`));
    expect(missing).toEqual([]);
    expect(KINDS_LOGGED).toEqual(expect.arrayContaining(["kbEntry", "securityEvent", "webhookDelivery"]));
  });

  test("of the server are said in German: a sentence, what is wrong with a field, and nothing that nobody has translated", () => {
    expect(translation("name must be shorter than or equal to 200 characters", refusals)).toBe(
      "name: Gib höchstens 200 Zeichen ein",
    );
    expect(translation("each value in settings.allowedOrigins must be a URL address", refusals)).toBe(
      "settings.allowedOrigins: Gib eine Web-Adresse an",
    );
    const [sentence, words] = Object.entries(refusals.sentences)[0]!;
    expect(translation(sentence, refusals)).toBe(words);
    expect(translation("Refunds: at once: It always applies", refusals)).toBe("Refunds: at once: gilt immer");
    expect(translation("The moon is in the way", refusals)).toBeUndefined();
    expect(translation("name must be an email")).toBeUndefined();
  });
});

describe("times", () => {
  const NOW = Date.parse("2026-05-04T10:00:00.000Z");
  test.each<[number, [number, string]]>([
    [-60, [0, "minute"]],
    [59, [0, "minute"]],
    [60, [1, "minute"]],
    [3_599, [59, "minute"]],
    [3_600, [1, "hour"]],
    [86_399, [23, "hour"]],
    [86_400, [1, "day"]],
    [6.9 * 86_400, [6, "day"]],
    [7 * 86_400, [1, "week"]],
    [30 * 86_400, [1, "month"]],
    [364 * 86_400, [12, "month"]],
    [365 * 86_400, [1, "year"]],
  ])("%d seconds ago are %j", (seconds, expected) => {
    expect(lengthOf(new Date(NOW - seconds * 1_000).toISOString(), NOW)).toEqual(expected);
  });

  test("yesterday ends at midnight, also where a day has 23 or 25 hours", () => {
    const at = (month: number, day: number, hour: number, minutes = 0): Date =>
      new Date(2026, month, day, hour, minutes);
    expect(daysBetween(at(4, 3, 23, 59), at(4, 4, 0))).toBe(1);
    expect(daysBetween(at(4, 4, 0), at(4, 4, 23, 59))).toBe(0);
    for (let day = 1; day <= 364; day++) expect(daysBetween(at(0, day, 23), at(0, day + 1, 1))).toBe(1);
  });

  test.each([
    ["Monday morning", new Date(2026, 4, 4, 8), { tomorrow: "Tue 5", monday: "Mon 11", week: "Mon 11" }],
    ["Wednesday", new Date(2026, 4, 6, 23, 59), { tomorrow: "Thu 7", monday: "Mon 11", week: "Wed 13" }],
    ["Friday", new Date(2026, 4, 8, 16), { workDay: "Mon 11", week: "Fri 15" }],
    ["Saturday", new Date(2026, 4, 9, 12), { workDay: "Mon 11", week: "Sat 16" }],
    ["Sunday", new Date(2026, 4, 10, 12), { tomorrow: "Mon 11", week: "Sun 17" }],
    ["the end of a year", new Date(2026, 11, 31, 12), { tomorrow: "Fri 1", monday: "Mon 4", week: "Thu 7" }],
  ])("on %s one snoozes for an hour, and until nine on the next days at work", (_, now, days) => {
    vi.useFakeTimers({ now });
    const [[first, hour], ...others] = snoozes().map(([name, until]) => [name, until()] as const) as [
      readonly [string, Date],
      ...(readonly [string, Date])[],
    ];
    expect([first, hour.getTime()]).toEqual(["hour", now.getTime() + 3_600_000]);
    expect(
      Object.fromEntries(others.map(([name, at]) => [name, `${at.toDateString().slice(0, 3)} ${at.getDate()}`])),
    ).toEqual(days);
    for (const [, at] of others) expect([at.getHours(), at.getMinutes()]).toEqual([9, 0]);
  });

  const hours = { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" };
  test.each([
    ["2026-05-04T19:59:00Z", false],
    ["2026-05-04T20:00:00Z", true],
    ["2026-05-05T04:59:00Z", true],
    ["2026-05-05T05:00:00Z", false],
    // An hour later in winter.
    ["2026-12-04T20:30:00Z", false],
    ["2026-12-04T21:00:00Z", true],
  ])("quiet hours over midnight, in the member's time zone, at %s: %s", (now, expected) => {
    expect(isQuiet(hours, new Date(now))).toBe(expected);
    expect(isQuiet({ ...hours, from: hours.to, to: hours.from }, new Date(now))).toBe(!expected);
    expect(isQuiet(null, new Date(now))).toBe(false);
  });
});

describe("what is worth telling", () => {
  const mine = { assigneeId: "m1", handlingMode: "human", priority: "normal" };
  const nobodys = { ...mine, assigneeId: null };
  const find = () => {
    const one = noticesFor("m1");
    return (type: string, data: object) =>
      one({ id: "1", type, data: { conversationId: "c1", ...data } }).map(({ reason }) => reason);
  };

  test.each<[object, string[]]>([
    [mine, ["mine"]],
    [nobodys, ["unassigned"]],
    [{ ...nobodys, priority: "urgent" }, ["urgent"]],
    [{ ...nobodys, handlingMode: "assistant" }, []],
    [{ ...mine, assigneeId: "m2" }, []],
  ])("of a message in %j: %j, whichever event comes first", (state, expected) => {
    const late = find();
    expect(late("message.created", { direction: "inbound" })).toEqual([]);
    expect(late("conversation.updated", state)).toEqual(expected);
    const early = find();
    early("conversation.updated", state);
    expect(early("message.created", { direction: "inbound" })).toEqual(expected);
    expect(early("message.created", { direction: "outbound" })).toEqual([]);
  });

  test("a note that names the member, an urgent item, and what becomes urgent once", () => {
    const hear = find();
    expect(hear("message.created", { direction: "internal", mentions: ["m1"] })).toEqual(["mentions"]);
    expect(hear("message.created", { direction: "internal", mentions: ["m2"] })).toEqual([]);
    expect(hear("attention_item.created", { severity: "urgent", conversationId: undefined })).toEqual(["urgent"]);
    expect(hear("attention_item.created", { severity: "normal" })).toEqual([]);
    hear("conversation.updated", { ...mine, assigneeId: "m2" });
    expect(hear("conversation.updated", { ...mine, assigneeId: "m2", priority: "urgent" })).toEqual(["urgent"]);
    expect(hear("conversation.updated", { ...mine, assigneeId: "m2", priority: "urgent" })).toEqual([]);
  });
});

describe("a note", () => {
  const member = (id: string, name: string, part: Partial<Member> = {}): Member =>
    ({ id, name, status: "active", role: "agent", workspaceIds: ["w1"], ...part }) as Member;
  const members = [
    member("ann", "Ann"),
    member("lee", "Ann Lee"),
    member("bo1", "Bo"),
    member("bo2", "Bo"),
    member("far", "Far", { workspaceIds: ["w2"] }),
    member("gone", "Gone", { status: "disabled" as never }),
    member("bill", "Bill", { role: "billing" }),
    member("boss", "Boss", { role: "admin", workspaceIds: [] }),
  ];
  test.each<[string, string[]]>([
    ["@Ann Lee, look", ["lee"]],
    ["@Ann and @Ann Lee", ["ann", "lee"]],
    ["@Annette, mail@Ann", []],
    ["(@Boss)", ["boss"]],
    ["@Far @Gone @Bill", []],
    ["@Bo", ["bo1", "bo2"]],
    ["@Ann @Ann", ["ann"]],
  ])("%j names %j", (text, expected) => {
    expect(mentionsIn(text, members, "w1", new Map())).toEqual(expected);
  });

  test("names the one of several with the same name who was chosen", () => {
    expect(mentionsIn("@Bo", members, "w1", new Map([["Bo", "bo2"]]))).toEqual(["bo2"]);
  });

  test.each([
    ["@an", "an"],
    ["Hello @Ann Le", "Ann Le"],
    ["(@", ""],
    ["mail@ann", undefined],
    ["@Ann Lee is", undefined],
    ["no", undefined],
  ])("with %j before the caret looks for %j", (before, expected) => {
    expect(begunName(before)).toBe(expected);
  });

  test("a name is meant by the beginning of each of its parts", () => {
    expect(["ann", "lee", "ann l"].map((wanted) => isMeant("Ann Lee", wanted))).toEqual([true, true, true]);
    expect(isMeant("Ann Lee", "ee")).toBe(false);
  });
});

describe("a search", () => {
  const marked = (text: string, query: string, length?: number): string =>
    excerptOf(text, query, length)
      .map((part) => (part.match ? `[${part.text}]` : part.text))
      .join("");
  test.each([
    ["Where is my refund?", "refund", "Where is my [refund]?"],
    ["Refunds take a day", "refund", "[Refunds] take a day"],
    ["Zürich über alles", "zurich uber", "[Zürich] [über] alles"],
    ["Die Straße", "strasse", "Die [Straße]"],
    ["Is it? It is.", "it", "Is [it]? [It] is."],
    ["an answer and another", "an x", "[an] answer and another"],
    ["返金はいつですか", "いつ", "返金は[いつ]ですか"],
    ["Nothing of it", "refund", "Nothing of it"],
  ])("in %j for %j marks %j", (text, query, expected) => {
    expect(marked(text, query)).toBe(expected);
    expect(hasWords(text, query)).toBe(expected.includes("["));
  });

  test("shows the place of a long text that has the words, and cuts neither a word nor a character", () => {
    const text = `${"lorem ".repeat(40)}refund ${"ipsum ".repeat(80)}`;
    const found = marked(text, "refund");
    expect(found).toMatch(/^… (?:lorem )+\[refund\](?: ipsum)+ …$/);
    expect(found.length).toBeLessThan(260);
    expect(marked("😀".repeat(200), "x", 7)).toBe(`${"😀".repeat(3)} …`);
  });

  test("of the palette takes all words in any order, without accents; the best fit comes first", () => {
    const names = ["Undo", "Take over", "Go to Contacts", "Übernehmen", "Overview", "Contact over there"];
    expect(best(names, "over", String)).toEqual(["Overview", "Take over", "Contact over there"]);
    expect(best(names, "uber", String)).toEqual(["Übernehmen"]);
    expect(best(names, "over take", String)).toEqual(["Take over"]);
    expect(best(names, " ", String)).toEqual(names);
  });
});

describe("addresses that are typed or pasted", () => {
  test.each([
    ["Hopper, Grace <G@example.com>", "g@example.com"],
    ["a@example.com, Hopper, Grace <g@example.com>; Babbage, Charles <c@example.com>", "a@ g@ c@"],
    ["Grace <g@example.com>, Charles <c@example.com>", "g@ c@"],
    ["g@example.com <g@example.com>, c@example.com ,", "g@ c@"],
    ["<g@example.com>", "g@"],
    ["nobody; g@example.com", "nobody g@"],
    ["Hopper, Grace <g@example.com", "g@"],
  ])("are found: %j", (text, found) => {
    const whole = found.split(" ").map((one) => (one.endsWith("@") ? `${one}example.com` : one));
    expect(addressesIn(text)).toEqual(whole);
  });

  test("are taken once they are whole, and a comma within a name ends none", () => {
    for (const text of ["g@example.com,", "Hopper, Grace <g@example.com>", "g@example.com;", "a@b.c, d@e.f"])
      expect(areWhole(text), text).toBe(true);
    for (const text of ["Hopper,", "Hopper, Grace <g@example.com", "g@example.com", ""])
      expect(areWhole(text), text).toBe(false);
  });
});

describe("what an address says", () => {
  test("of the inbox is a filter only if it names a status; numbers are texts, and what is unknown is left out", () => {
    expect(inboxSearch({ assignee: "m1" })).toEqual({});
    const search = inboxSearch({ status: "open,nonsense", label: 2024, unread: true, waiting: "yes", other: "x" });
    expect(search).toEqual({ status: "open,nonsense", label: "2024", unread: true });
    expect(filterOf(search)).toEqual({ status: ["open"], label: "2024", unread: true });
    expect(filterOf({ status: "any", assignee: "me", handler: "human", channel: "sms", waiting: true })).toEqual({
      assigneeId: "me",
      handlingMode: "human",
      channelType: "sms",
      sort: "waiting",
    });
  });

  test("of a list is what it shows, and nothing else", () => {
    expect(shown({ q: 4711, status: "open", other: "x", type: null })).toEqual({ q: "4711", status: "open" });
  });
});

test("the languages that are offered for a website are those that its widgets have words in", () => {
  for (const words of [OF_CHATS, OF_FORMS, OF_SEARCHES])
    expect(Object.keys(words).sort()).toEqual(OF_WIDGETS.split(" ").sort());
});

describe("what is written about knowledge", () => {
  test("is compared by words: what stays, what was added and what was removed", () => {
    const words = (before: string, after: string): string =>
      differences(before, after)
        .map(({ kind, text }) => (kind === "same" ? text : `${kind === "added" ? "+" : "-"}{${text}}`))
        .join("");
    expect(words("Within 14 days of delivery", "Within 30 days of the delivery")).toBe(
      "Within -{14 }+{30 }days of +{the }delivery",
    );
    expect(words("", "New")).toBe("+{New}");
    expect(words("Same text", "Same  text")).toBe("Same  text");
    const long = "word ".repeat(1_500);
    expect(differences(long, `${long}x`).map(({ kind }) => kind)).toEqual(["removed", "added"]);
  });

  test("a condition is a sentence", () => {
    const t = ((key: string) => key.replace("policy.", "").replace("op.", "")) as unknown as Parameters<
      typeof conditionInWords
    >[1];
    expect(
      conditionInWords(
        {
          all: [
            { field: "refund.amount", op: "lte", value: 20 },
            { not: { field: "tier", op: "in", value: ["a", "b"] } },
            { any: [{ field: "order", op: "exists", value: false }] },
          ],
        },
        t,
      ),
    ).toBe("all (refund.amount lte 20; not (tier in “a, b”); any (not (order exists)))");
    expect(conditionInWords({ field: "x", op: "matches" }, t)).toBe('{"field":"x","op":"matches"}');
  });

  test("a list has each value once, and only an object is one", () => {
    expect(listOf(" a, b,,a ,c", ",")).toEqual(["a", "b", "c"]);
    let faults = 0;
    const read = (text: string): unknown => readJson(text, () => faults++);
    expect(read('{"a":1}')).toEqual({ a: 1 });
    expect(read("")).toBeUndefined();
    expect(faults).toBe(0);
    for (const text of ["[1]", "null", "1", "{"]) expect(read(text)).toBeUndefined();
    expect(faults).toBe(4);
  });
});

test.each([
  ["owner", true, true],
  ["admin", true, true],
  ["agent", true, false],
  ["observer", false, false],
  ["billing", false, false],
])("as %s, a member may write: %s, and manages the organisation: %s", (role, writes, managing) => {
  const member = { role } as Member;
  expect([mayWrite(member), manages(member)]).toEqual([writes, managing]);
});
