import fs from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { hashApiKey } from "../../dist/src/auth/api-keys/api-key.js";
import { get, httpLoad } from "../load.mjs";
import { id, idSql, KIND, rawKey } from "../seed.mjs";
import { random, shuffled } from "../random.mjs";

const DATA = process.env.BANKING77 ?? path.join(import.meta.dirname, "../.data/banking77-train.csv");
const FOLDS = 5;
/** Folds that the confidence was fitted on; the reliability is that of the others. */
const FITTED_ON = 2;
/** So many intents are left out for the questions that have no good answer. */
const LEFT_OUT = 15;
const ENTRIES = 100_000;
/** A quick run asks each so-many-th of the questions held out. */
const QUICK = 4;
const CONNECTIONS = 8;
const TENANT = 1;
const WORKSPACE = 1;

/** Knowledge base search through the API: how often it is right, how sure it is, and how fast among 100,000 entries. */
export default {
  name: "kb",
  what: "knowledge base search, hit@1 on BANKING77: 10 questions an intent / all of the other folds (%)",
  against: "-",
  floor: "67 / 86",
  goal: "75 / 91",
  async measure({ server, client, rounds, seconds, quick, log }) {
    const rows = read();
    await giveKey(client);
    const ask = async (workspace, q) => {
      const response = await fetch(
        `http://127.0.0.1:${server.port}/api/workspaces/${workspace}/kb-entries/search?limit=1&q=${encodeURIComponent(q)}`,
        { headers: { authorization: `Bearer ${rawKey("k", TENANT)}` } },
      );
      if (!response.ok) throw new Error(`search answered ${response.status} ${await response.text()}`);
      return (await response.json()).data[0];
    };
    const speed = await large(client, rows, server, { rounds, seconds, log });
    const { hits, reliability } = await quality(client, rows, ask, quick ? QUICK : 1, log);
    const percent = (per) => ((hits[per].right / hits[per].asked) * 100).toFixed(1);
    return {
      ratio: `${percent(10)} / ${percent(Infinity)}`,
      p50: speed.p50.toFixed(1),
      p99: speed.p99.toFixed(1),
      note: `${hits[10].asked} questions each; ${ENTRIES.toLocaleString("en")} entries at ${CONNECTIONS} connections: ${speed.rate.toFixed(0)}/s${speed.other ? `, ${speed.other} unexpected answers` : ""}`,
      details: reliability,
    };
  },
};

function read() {
  if (!fs.existsSync(DATA))
    throw new Error(
      `BANKING77 is missing: put banking77-train.csv (github.com/PolyAI-LDN/task-specific-datasets, CC BY 4.0) at ${DATA}, or name it in BANKING77`,
    );
  return parse(fs.readFileSync(DATA, "utf8"), { columns: true }).map(({ text, category }) => ({ text, category }));
}

async function giveKey(client) {
  const raw = rawKey("k", TENANT);
  await client.query(
    `insert into api_key (tenant_id, id, name, prefix, scopes) values ($1, $2, 'bench kb', $3, array['kb:read']) on conflict do nothing`,
    [id(KIND.tenant, TENANT), id(KIND.key, 900), raw.slice(0, 16)],
  );
  await client.query(
    `insert into api_key_lookup (hash, tenant_id, api_key_id) values (decode($1, 'hex'), $2, $3) on conflict do nothing`,
    [hashApiKey(raw), id(KIND.tenant, TENANT), id(KIND.key, 900)],
  );
}

async function quality(client, rows, ask, every, log) {
  const of = new Map();
  const folds = rows.map(() => 0);
  for (const i of shuffled(rows.keys(), 77)) {
    const count = of.get(rows[i].category) ?? 0;
    folds[i] = count % FOLDS;
    of.set(rows[i].category, count + 1);
  }
  const categories = [...of.keys()];
  const order = shuffled(rows.keys(), 78);
  const hits = {};
  const bins = {
    known: Array.from({ length: 10 }, () => [0, 0, 0]),
    unknown: Array.from({ length: 10 }, () => [0, 0, 0]),
  };
  for (const [per, leftOut] of [
    [10, 0],
    [Infinity, 0],
    [Infinity, LEFT_OUT],
  ]) {
    const total = { asked: 0, right: 0 };
    for (let fold = leftOut ? FITTED_ON : 0; fold < FOLDS; fold++) {
      const intents = new Map(categories.slice(leftOut).map((name) => [name, []]));
      for (const i of order)
        if (folds[i] !== fold && (intents.get(rows[i].category)?.length ?? per) < per)
          intents.get(rows[i].category).push(rows[i].text);
      const workspace = await fill(client, intents);
      const questions = rows
        .filter(({ category }, i) => folds[i] === fold && (!leftOut || !intents.has(category)))
        .filter((_, i) => i % every === 0);
      await inParallel(questions, async ({ text, category }) => {
        const hit = await ask(workspace, text);
        const right = hit?.entry.answer === category;
        total.asked++;
        if (right) total.right++;
        if (fold < FITTED_ON) return;
        const bin = bins[leftOut ? "unknown" : "known"][Math.min(9, Math.floor((hit?.confidence ?? 0) * 10))];
        bin[0]++;
        bin[1] += hit?.confidence ?? 0;
        if (right) bin[2]++;
      });
      log(`kb: ${leftOut ? "without an answer" : per} fold ${fold}: ${total.right} of ${total.asked} right so far`);
    }
    if (!leftOut) hits[per] = total;
  }
  const line = (name, [count, sure, right]) =>
    `| ${name} | ${count} | ${count ? (sure / count).toFixed(2) : ""} | ${count ? (right / count).toFixed(2) : ""} |`;
  const table = (of) =>
    [
      "| confidence | questions | mean | right |",
      "|---|---|---|---|",
      ...of.map((bin, i) => line(`${i / 10} to ${(i + 1) / 10}`, bin)),
    ].join("\n");
  return {
    hits,
    reliability: `Reliability of the best hit on folds that its confidence was not fitted on, both sizes together:\n\n${table(bins.known)}\n\nQuestions of ${LEFT_OUT} intents that were left out, so that no answer is right:\n\n${table(bins.unknown)}`,
  };
}

/** A workspace's entries: an entry an intent, whose answer is its name. */
async function fill(client, intents) {
  const workspace = id(KIND.workspace, WORKSPACE);
  // What a run that was broken off has left.
  await client.query("delete from kb_entry where workspace_id = $1", [workspace]);
  await client.query(
    `insert into kb_entry (tenant_id, id, workspace_id, status, question, answer, alternate_questions, language)
    select $1, gen_random_uuid(), $2, 'approved', e.said ->> 0, e.name, array(select jsonb_array_elements_text(e.said - 0)), 'en' from jsonb_to_recordset($3) as e (name text, said jsonb)`,
    [id(KIND.tenant, TENANT), workspace, JSON.stringify([...intents].map(([name, said]) => ({ name, said })))],
  );
  await client.query("analyze kb_posting, kb_question, kb_entry");
  return workspace;
}

async function inParallel(items, work) {
  let next = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < items.length) await work(items[next++]);
    }),
  );
}

/** Each entry's question is the beginning of one question and the end of another, so that words are as frequent as in life. */
async function large(client, rows, server, { rounds, seconds, log }) {
  const workspace = id(KIND.workspace, WORKSPACE + 1);
  const {
    rows: [{ n }],
  } = await client.query("select count(*)::int as n from kb_entry where workspace_id = $1", [workspace]);
  const next = random(79);
  const half = (text, second) => {
    const words = text.split(/\s+/);
    const middle = Math.ceil(words.length / 2);
    return (second ? words.slice(middle) : words.slice(0, middle)).join(" ");
  };
  const made = () =>
    `${half(rows[Math.floor(next() * rows.length)].text, false)} ${half(rows[Math.floor(next() * rows.length)].text, true)}`;
  if (n < ENTRIES) {
    for (let from = 0; from < ENTRIES; from += 5_000) {
      if (from % 20_000 === 0) log(`kb: entries ${from} of ${ENTRIES}`);
      await client.query(
        `insert into kb_entry (tenant_id, id, workspace_id, status, question, answer, language)
        select $1, ${idSql(5, "(u.n + $4)")}, $2, 'approved', u.said, 'So.', 'en' from unnest($3::text[]) with ordinality u (said, n) on conflict do nothing`,
        [id(KIND.tenant, TENANT), workspace, Array.from({ length: 5_000 }, made), from],
      );
    }
    await client.query("vacuum analyze kb_posting, kb_question, kb_entry");
  }
  const requests = shuffled(rows, 80)
    .slice(0, 2_000)
    .map(({ text }) =>
      get(`/api/workspaces/${workspace}/kb-entries/search?q=${encodeURIComponent(text)}`, rawKey("k", TENANT)),
    );
  const load = (length) => httpLoad({ port: server.port, connections: CONNECTIONS, seconds: length, requests });
  // Until then, the process still compiles what it runs often.
  await load(8);
  const results = [];
  for (let round = 0; round < rounds; round++) results.push(await load(seconds));
  const median = (of) => results.map(of).sort((a, b) => a - b)[Math.floor(results.length / 2)];
  const result = {
    rate: median(({ rate }) => rate),
    p50: median(({ p50 }) => p50),
    p99: median(({ p99 }) => p99),
    other: results.reduce((sum, { other }) => sum + other, 0),
  };
  log(
    `kb: ${result.rate.toFixed(0)}/s, p50 ${result.p50.toFixed(1)}, p99 ${results.map(({ p99 }) => p99.toFixed(1)).join(", ")} ms`,
  );
  return result;
}
