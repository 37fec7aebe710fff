import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EmbeddingsService } from "../../../src/knowledge/kb-entries/embeddings.service.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { EmbeddingServer } from "../../../src/knowledge/review/embedding-server.js";
import { eventually } from "../../support/eventually.js";
import type { Config } from "../../../src/platform/config/config.js";
import { newWorkspace, withSettings } from "./support.js";

// A server for the embeddings protocol that knows two meanings.

const LOST = /lost|vanished/;
const STUCK = /stuck|swallowed/;
const vectorOf = (text: string): number[] => [LOST.test(text) ? 3 : 0, STUCK.test(text) ? 3 : 0, 0.01];

type Answer = (input: string[]) => { status?: number; body: unknown } | undefined;
const meaning: Answer = (input) => ({
  body: {
    object: "list",
    data: input.map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) })).reverse(),
  },
});
let answer: Answer = meaning;
const seen: { url?: string; authorization?: string; body: unknown }[] = [];
const server = http.createServer((request, response) => {
  let body = "";
  request
    .on("data", (chunk: Buffer) => {
      body += chunk.toString();
    })
    .on("end", () => {
      seen.push({ url: request.url, authorization: request.headers.authorization, body: JSON.parse(body) });
      const said = answer((JSON.parse(body) as { input: string[] }).input);
      if (said)
        response.writeHead(said.status ?? 200, { "content-type": "application/json" }).end(JSON.stringify(said.body));
    });
});

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  app = await startApp({
    EMBEDDINGS_URL: `http://${host}/v1`,
    EMBEDDINGS_MODEL: "two-meanings",
    EMBEDDINGS_KEY: "a key",
    OUTBOUND_ALLOW: [host],
  });
  tenant = await app.tenant();
});
afterAll(async () => {
  await app.close();
  server.closeAllConnections();
  server.close();
});

const QUESTIONS = ["My card is lost", "My card is stuck"];
const create = async (question: string, of: string, more: object = {}): Promise<string> =>
  (await tenant.live.post(`/api/workspaces/${of}/kb-entries`, { question, answer: "So.", ...more }, 201)).body.id;
async function filled(): Promise<string> {
  const of = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
  for (const question of QUESTIONS) await create(question, of);
  return of;
}
const hits = async (of: string, q: string): Promise<[question: string, confidence: number][]> =>
  (await tenant.live.get(`/api/workspaces/${of}/kb-entries/search?q=${encodeURIComponent(q)}`, 200)).body.data.map(
    ({ entry, confidence }) => [entry.question, confidence],
  );
const found = async (of: string, q: string): Promise<string[]> => (await hits(of, q)).map(([question]) => question);
/** Works as a process does that has other settings and has asked the server nothing yet. */
const afresh = <T>(settings: Partial<Config>, work: () => Promise<T>): Promise<T> =>
  withSettings(app, settings, work, () =>
    Object.assign(app.app.get(EmbeddingServer), { mark: undefined, measured: undefined, failures: 0 }),
  );
/** A search waits 0.3 s for the server, which a busy machine misses, and then leaves it alone for a while. */
const byMeaning = (holds: () => Promise<void>): Promise<void> =>
  eventually(() => {
    Object.assign(app.app.get(EmbeddingServer), { failures: 0 });
    return holds();
  });
const embed = (): Promise<void> => app.app.get(EmbeddingsService).run();
const kept = (of: string): Promise<{ said: string; model: string; length: number | null }[]> =>
  app.db.query(
    `select said, model, length(vector) as length from kb_question where workspace_id = $1 and n > 0 order by said`,
    [of],
  );

test("search uses meaning where words do not decide, and also finds entries without a vector", async () => {
  const of = await filled();
  await embed();
  expect(seen.at(-1)).toMatchObject({
    url: "/v1/embeddings",
    authorization: "Bearer a key",
    body: { model: "two-meanings" },
  });
  await byMeaning(async () => {
    expect((await found(of, "card swallowed"))[0]).toBe("My card is stuck");
    expect((await found(of, "card vanished"))[0]).toBe("My card is lost");
  });
  await create("My card is blue", of);
  expect((await found(of, "card swallowed")).sort()).toEqual(["My card is blue", ...QUESTIONS]);
});

test("while an entry waits for its vector, or for that of another model, it does not lose to entries that have theirs", async () => {
  const of = await filled();
  await embed();
  const waiting = "A card swallowed by the machine";
  const id = await create(waiting, of);
  const q = "the machine has swallowed a card";
  const byWords = await afresh({ EMBEDDINGS_URL: undefined }, () => hits(of, q));
  expect(byWords[0]![0]).toBe(waiting);
  expect(await hits(of, q)).toEqual(byWords);
  await embed();
  await byMeaning(async () => expect(await hits(of, q)).not.toEqual(byWords));
  // As the job leaves it: a vector of another model has another number, too.
  await app.db.query("update kb_question set model = 'an older one 3', embedded = 1 where entry_id = $1", [id]);
  expect(await hits(of, q)).toEqual(byWords);
  await embed();
  await byMeaning(async () => expect(await hits(of, q)).not.toEqual(byWords));
});

test("vectors are created after the write returns, from the current text, with length 1, and are deleted with their entry", async () => {
  const of = await filled();
  answer = () => undefined;
  const before = seen.length;
  const id = await create("My card is stuck in the wall", of, { status: "pending" });
  expect(seen.length).toBe(before);
  answer = meaning;
  await embed();
  await tenant.live.patch(`/api/kb-entries/${id}`, { question: "My card is lost in the wall" }, 200);
  expect((await kept(of)).map(({ length }) => length)).toEqual([12, null, 12]);
  await embed();
  expect(await kept(of)).toEqual(
    ["My card is lost", "My card is lost in the wall", "My card is stuck"].map((said) => ({
      said,
      model: "two-meanings 3",
      length: 12,
    })),
  );
  const [{ vector }] = (await app.db.query<{ vector: Buffer }>(
    `select vector from kb_question where entry_id = $1 and n > 0`,
    [id],
  )) as [{ vector: Buffer }];
  expect(Math.hypot(...[0, 4, 8].map((at) => vector.readFloatLE(at)))).toBeCloseTo(1, 5);
  await tenant.live.delete(`/api/kb-entries/${id}`, 200);
  expect((await kept(of)).map(({ said }) => said)).toEqual(QUESTIONS);
});

test("another model or other dimensions invalidate the old vectors: they are not compared, and are created again", async () => {
  const of = await filled();
  await embed();
  answer = (input) => ({ body: { data: input.map((text) => ({ embedding: [...vectorOf(text).reverse(), 1] })) } });
  try {
    await byMeaning(async () => {
      expect((await found(of, "card swallowed")).sort()).toEqual(QUESTIONS);
      expect(app.app.get(EmbeddingServer).mark).toBe("two-meanings 4");
    });
    await embed();
    expect(await kept(of)).toEqual(QUESTIONS.map((said) => ({ said, model: "two-meanings 4", length: 16 })));
    await afresh({ EMBEDDINGS_MODEL: "another" }, embed);
    expect((await kept(of)).map(({ model }) => model)).toEqual(["another 4", "another 4"]);
  } finally {
    answer = meaning;
  }
});

test("a model that gives all texts high cosines ranks and rates as one that does not", async () => {
  const of = await filled();
  const spread = (text: string): number[] => {
    const vector = [LOST.test(text) ? 3 : 0, STUCK.test(text) ? 3 : 0, ...Array<number>(29).fill(0)];
    vector[2 + ([...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 29)] = 1;
    return vector;
  };
  const narrow = (text: string): number[] => [...spread(text), 2 * Math.hypot(...spread(text))];
  const byWords = await afresh({ EMBEDDINGS_URL: undefined }, () => hits(of, "card swallowed"));
  const rated: [string, number][][] = [];
  try {
    for (const vectorise of [spread, narrow]) {
      answer = (input) => ({ body: { data: input.map((text) => ({ embedding: vectorise(text) })) } });
      await afresh({}, async () => {
        await embed();
        await byMeaning(async () => {
          const rating = await hits(of, "card swallowed");
          expect(rating).not.toEqual(byWords);
          rated.push(rating);
        });
      });
    }
  } finally {
    answer = meaning;
  }
  const [spreadOut, close] = rated as [[string, number][], [string, number][]];
  expect(close.map(([question]) => question)).toEqual(["My card is stuck", "My card is lost"]);
  expect(close.map(([question]) => question)).toEqual(spreadOut.map(([question]) => question));
  for (const [i, [, confidence]] of close.entries()) expect(confidence).toBeCloseTo(spreadOut[i]![1], 3);
});

const WRONG: [string, Answer][] = [
  ["is silent", () => undefined],
  ["is broken", () => ({ status: 500, body: {} })],
  ["answers nonsense", () => ({ body: "no" })],
  ["answers too few vectors", () => ({ body: { data: [] } })],
  ["answers no numbers", (input) => ({ body: { data: input.map(() => ({ embedding: ["1", null] })) } })],
  ["answers nothing but zeros", (input) => ({ body: { data: input.map(() => ({ embedding: [0, 0, 0] })) } })],
  [
    "puts vectors where there is no text",
    (input) => ({ body: { data: input.map((_, index) => ({ index: index + 1, embedding: [1, 0, 0] })) } }),
  ],
];
test.each(WRONG)(
  "if a server %s three times, search uses words only and then pauses its requests",
  async (_, wrong) => {
    const of = await filled();
    await embed();
    answer = wrong;
    try {
      // A busy machine reads a request only after the search has given up on it.
      await eventually(() =>
        afresh({}, async () => {
          for (let n = 0; n < 3; n++) {
            const asked = seen.length;
            expect((await found(of, "stuck card"))[0]).toBe("My card is stuck");
            expect(seen.length).toBeGreaterThan(asked);
          }
          const asked = seen.length;
          expect((await found(of, "lost card"))[0]).toBe("My card is lost");
          expect(seen.length).toBe(asked);
        }),
      );
    } finally {
      answer = meaning;
    }
  },
);

test("a slow answer, and several that are slow at the same moment, switch nothing off", async () => {
  const of = await filled();
  await embed();
  await byMeaning(async () => expect((await found(of, "card swallowed"))[0]).toBe("My card is stuck"));
  await eventually(() =>
    afresh({}, async () => {
      answer = () => undefined;
      try {
        await Promise.all([1, 2, 3, 4].map((n) => found(of, `stuck card ${n}`)));
      } finally {
        answer = meaning;
      }
      const asked = seen.length;
      await found(of, "card swallowed");
      expect(seen.length).toBeGreaterThan(asked);
    }),
  );
});

test("an entry that shares no word with the question is found by its meaning, until it is archived, expires or is reworded", async () => {
  const of = await filled();
  const id = await create("Swallowed", of);
  await embed();
  const q = "stuck in a machine";
  await byMeaning(async () => expect(await found(of, q)).toContain("Swallowed"));
  // As a rewording leaves it: the old vector is void, and the new one is not there yet.
  await app.db.query("update kb_question set model = '', vector = null, embedded = null where entry_id = $1", [id]);
  expect(await found(of, q)).not.toContain("Swallowed");
  await embed();
  await byMeaning(async () => expect(await found(of, q)).toContain("Swallowed"));
  await app.db.query("update kb_question set valid_until = now() - interval '1 s' where entry_id = $1", [id]);
  expect(await found(of, q)).not.toContain("Swallowed");
  await tenant.live.delete(`/api/kb-entries/${id}`, 200);
  expect(await found(of, q)).not.toContain("Swallowed");
});

test("a text that the server refuses gets no vector, and other texts still get theirs", async () => {
  const of = await filled();
  await create("My card is poison", of);
  answer = (input) => (input.some((text) => text.includes("poison")) ? { status: 400, body: {} } : meaning(input));
  try {
    await embed();
  } finally {
    answer = meaning;
  }
  expect((await kept(of)).map(({ said, length }) => [said, length])).toEqual([
    ["My card is lost", 12],
    ["My card is poison", null],
    ["My card is stuck", 12],
  ]);
  await byMeaning(async () => expect((await found(of, "card swallowed"))[0]).toBe("My card is stuck"));
  expect(await kept(of)).toEqual(
    expect.arrayContaining([{ said: "My card is poison", model: "two-meanings 3", length: null }]),
  );
});
