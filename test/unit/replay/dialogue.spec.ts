import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { conversationRequest, messageKeys, parseDialogue, turnRequest } from "../../../src/replay/dialogue.js";
import { readLines } from "../../../src/replay/lines.js";
import { dialogueLine } from "../../server/replay/fake-parley.js";

const collect = async (lines: AsyncIterable<string>) => {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
};

describe("the requests of a dialogue", () => {
  it("give the conversation and its contact external ids from the dialogue's id", () => {
    const dialogue = parseDialogue(
      '{"id":5,"domains":["trip","weather"],"happy":false,"tasks":["trip_directions","weather"],"turns":[]}',
    );
    expect(conversationRequest(dialogue, "w")).toEqual({
      workspaceId: "w",
      externalId: "star-5",
      subject: "Trip directions, weather",
      contact: { externalId: "star-customer-5", name: "Customer 5" },
      metadata: { source: "STAR", domains: ["trip", "weather"], tasks: ["trip_directions", "weather"], happy: false },
    });
  });

  it.each([
    ['{"FullName":"\\"Jane Doe\\""}', "Jane Doe"],
    ['{"City":"\\"Chicago\\""},{"PatientName":"\\"mark\\""}', "Mark"],
    ['{"CustomerName":"api.is_not_equal_to(\\"Ben\\")"}', "Customer 5"],
  ])("name the contact as the customer did in a query: %s", (constraints, name) => {
    const query = `{"i":1,"from":"system","action":"query","api":"x","constraints":[${constraints}],"item":null,"at":null}`;
    const dialogue = parseDialogue(`{"id":5,"domains":["bank"],"happy":true,"tasks":[],"turns":[${query}]}`);
    expect(conversationRequest(dialogue, "w").contact.name).toBe(name);
  });

  it("leave out labels that are null in STAR, and use a default subject", () => {
    const dialogue = parseDialogue('{"id":49,"domains":[null],"happy":true,"tasks":[],"turns":[]}');
    expect(conversationRequest(dialogue, "w")).toMatchObject({
      subject: "Dialogue 49",
      metadata: { domains: [], tasks: [] },
    });
  });

  it("send customers' messages, operators' replies and the system's notes, each with its number as a string", () => {
    expect(turnRequest({ i: 1, from: "customer", text: " Hi ", at: 1_589_376_446 })).toEqual({
      kind: "customer",
      path: "messages",
      key: "externalId 1",
      body: { body: " Hi ", externalId: "1", occurredAt: "2020-05-13T13:27:26.000Z" },
    });
    expect(turnRequest({ i: 4, from: "operator", text: "Hello", at: 1_589_376_471 })).toEqual({
      kind: "operator",
      path: "reply",
      key: "clientMessageId 4",
      body: { body: "Hello", clientMessageId: "4" },
    });
    expect(
      turnRequest({
        i: 18,
        from: "system",
        action: "query",
        api: "weather",
        constraints: [{ City: "X" }],
        item: null,
        at: null,
      }),
    ).toEqual({
      kind: "system",
      path: "notes",
      key: "externalId 18",
      body: { body: '{"action":"query","api":"weather","constraints":[{"City":"X"}],"item":null}', externalId: "18" },
    });
  });

  it("send no time for a turn without one", () => {
    const { turns } = parseDialogue(
      '{"id":1,"domains":[],"happy":true,"tasks":[],"turns":[{"i":1,"from":"customer","text":"Hi"}]}',
    );
    expect(turnRequest(turns[0]!).body).toEqual({ body: "Hi", externalId: "1" });
  });

  it("match an existing message only by the id of its own kind", () => {
    const { key } = turnRequest({ i: 4, from: "operator", text: "Hello", at: null });
    expect(messageKeys({ externalId: null, clientMessageId: "4" })).toContain(key);
    expect(messageKeys({ externalId: "4", clientMessageId: null })).not.toContain(key);
  });
});

describe("an invalid dialogue is refused with the reason", () => {
  const valid = {
    id: 1,
    domains: ["bank"],
    happy: true,
    tasks: ["bank_balance"],
    turns: [{ i: 1, from: "customer", text: "Hi", at: null }],
  };
  const turn = (change: object) => ({ ...valid, turns: [{ ...valid.turns[0], ...change }] });

  it.each([
    ['{"id":1', "not JSON"],
    ["[]", "must be a JSON object"],
    [{ ...valid, id: 1.5 }, "id must be an integer or a string"],
    [{ ...valid, id: "" }, "id must be an integer or a string"],
    [{ ...valid, happy: "yes" }, "happy must be true or false"],
    [{ ...valid, domains: "bank" }, "domains must be an array of strings"],
    [{ ...valid, tasks: [1] }, "tasks must be an array of strings"],
    [{ ...valid, turns: {} }, "turns must be an array"],
    [{ ...valid, turns: [null] }, "turns[0] must be an object"],
    [{ ...valid, turns: [valid.turns[0], valid.turns[0]] }, "two turns have i = 1"],
    [turn({ i: "1" }), "turns[0].i must be an integer"],
    [turn({ i: -1 }), "turns[0].i must be an integer"],
    [turn({ from: "robot" }), "turns[0].from must be customer, operator or system"],
    [turn({ text: " " }), "turns[0].text must be a text"],
    [turn({ text: undefined }), "turns[0].text must be a text"],
    [turn({ at: "2020" }), "turns[0].at must be Unix seconds or null"],
    [turn({ at: 1e300 }), "turns[0].at must be Unix seconds or null"],
  ])("%j", (line, reason) => {
    expect(() => parseDialogue(typeof line === "string" ? line : JSON.stringify(line))).toThrow(reason);
  });

  it("the same line without the error is accepted", () => {
    expect(parseDialogue(JSON.stringify(valid)).turns).toHaveLength(1);
  });
});

describe("the lines of a file", () => {
  it("end at line feeds only, in any chunks, with or without a final one", async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "replay-lines-"));
    try {
      const lines = ['{"a":"\u2028"}', "ü".repeat(100_000), "", "last"];
      for (const end of ["", "\n"]) {
        await writeFile(path.join(folder, "file"), lines.join("\n") + end);
        expect(await collect(await readLines(path.join(folder, "file")))).toEqual(lines);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("a missing file is reported before the first line is read", async () => {
    await expect(readLines("no-such-file")).rejects.toThrow("ENOENT");
  });
});

describe("demo/", () => {
  it("the excerpt has 24 different, playable dialogues, at least five of them with the bank", async () => {
    const dialogues = (await collect(await readLines("demo/star-excerpt.ndjson"))).map(parseDialogue);
    expect(new Set(dialogues.map(({ id }) => id)).size).toBe(24);
    expect(dialogues.filter(({ domains }) => domains.includes("bank")).length).toBeGreaterThanOrEqual(5);
    expect(new Set(dialogues.flatMap(({ domains }) => domains)).size).toBeGreaterThanOrEqual(10);
  });

  it("the knowledge base has pending entries on both sides of 0.9, and only those have a confidence", async () => {
    const entries = JSON.parse(await readFile("demo/kb.json", "utf8")) as {
      question: string;
      answer: string;
      status: string;
      confidence?: number;
    }[];
    const pending = entries.filter(({ status }) => status === "pending");
    expect(pending).toHaveLength(6);
    expect(
      pending.some(({ confidence = 0 }) => confidence >= 0.9) && pending.some(({ confidence = 1 }) => confidence < 0.9),
    ).toBe(true);
    expect(entries.every(({ status, confidence }) => (status === "pending") === (confidence !== undefined))).toBe(true);
    expect(entries.every(({ question, answer }) => question !== "" && answer !== "")).toBe(true);
  });
});

it("the tests' own dialogues are valid", () => {
  expect(parseDialogue(dialogueLine(7)).turns.map(({ from }) => from)).toEqual([
    "customer",
    "operator",
    "system",
    "customer",
    "operator",
    "system",
  ]);
});
