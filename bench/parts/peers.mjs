import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { clusterOf, cpuOf } from "../cpu.mjs";
import { get, httpLoad } from "../load.mjs";
import { fill } from "../peers/parse/rows.mjs";
import { install, login, startParse, startTextbook } from "../peers/start.mjs";
import { pgbench } from "../pgbench.mjs";
import { BRANDS, id, KIND, rawKey, TENANTS, WORKSPACES } from "../seed.mjs";
import list, { keysInTurn } from "./list.mjs";

const CONNECTIONS = 32;
const LIST = "/api/conversations?limit=25";
const PARSE_LIST = "/parse/classes/Conversation?limit=25&order=-lastActivityAt,-objectId";
const parseHeaders = (token) => ({ "X-Parse-Application-Id": "bench", "X-Parse-Session-Token": token });

/** The list of `list` by Parley, and on the same rows by what people would use instead. */
export default {
  name: "peers",
  what: "uncached list, 25 conversations, three kinds of key",
  against: "Parse Server",
  floor: 4,
  goal: 6,
  async measure(context) {
    const { client, url, server, rounds, seconds, log } = context;
    const databaseTime = await clusterOf(client);
    install(log);
    const database = await login(client, url);
    const keys = seededKeys();
    const started = [];
    try {
      const textbook = await startTextbook(database);
      started.push(textbook);
      const parse = await startParse(database);
      started.push(parse);
      await fill(client, keys, log);
      const size = await compare(keys, { parley: server, textbook, parse });
      log("all three answer with the same conversations");

      list.prepare(context);
      const contenders = [
        served("Parley", server, (key) => get(LIST, key), size.parley),
        served("NestJS + TypeORM, textbook", textbook, (key) => get(LIST, key), size.textbook),
        served("Parse Server", parse, (key) => get(PARSE_LIST, key, parseHeaders(key)), size.parse),
        { name: "pgbench, plain rows", load: (forSeconds) => plainRows(url, list.scripts, forSeconds) },
      ];
      for (const { load } of contenders) await warmUp(load);
      for (let round = 0; round < rounds; round++) {
        for (let turn = 0; turn < contenders.length; turn++) {
          // Not always in the same order, because each finds the caches as the one before left them.
          const contender = contenders[(round + turn) % contenders.length];
          const result = await measureRound(contender, seconds, databaseTime);
          (contender.rounds ??= []).push(result);
          log(`peers ${round + 1}: ${contender.name} ${result.rate.toFixed(0)}/s`);
        }
      }
      return { ...summary(contenders), note: await readShare(contenders[0], client, seconds) };
    } finally {
      for (const { process } of started) process.kill();
    }
  },
};

/** The keys of the bench, each with what it may see. */
function seededKeys() {
  const keys = (level, count, ids) =>
    Array.from({ length: count }, (_, i) => ({ token: rawKey(level, i + 1), ...ids(i + 1) }));
  return [
    ...keys("w", WORKSPACES, (n) => ({
      tenantId: id(KIND.tenant, Math.ceil(n / 6)),
      workspaceId: id(KIND.workspace, n),
    })),
    ...keys("b", BRANDS, (n) => ({ tenantId: id(KIND.tenant, Math.ceil(n / 2)), brandId: id(KIND.brand, n) })),
    ...keys("t", TENANTS, (n) => ({ tenantId: id(KIND.tenant, n) })),
  ];
}

/**
 * Asks all three with every key. The textbook build has to answer with the very same objects, Parse Server, whose objects have
 * another form, with those of the same ids.
 * @returns {Promise<Record<"parley" | "textbook" | "parse", number>>} bytes of an answer
 */
async function compare(keys, { parley, textbook, parse }) {
  const bytes = { parley: 0, textbook: 0, parse: 0 };
  for (const { token } of keys) {
    const ask = async (name, { port }, path, headers) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      const text = await response.text();
      assert.equal(response.status, 200, `${name} answers ${response.status}: ${text}`);
      bytes[name] += text.length / keys.length;
      return JSON.parse(text);
    };
    const bearer = { Authorization: `Bearer ${token}` };
    const { data } = await ask("parley", parley, LIST, bearer);
    assert.equal(data.length, 25);
    assert.deepEqual((await ask("textbook", textbook, LIST, bearer)).data, data);
    const { results } = await ask("parse", parse, PARSE_LIST, parseHeaders(token));
    assert.deepEqual(
      results.map(({ objectId }) => objectId),
      data.map(({ id }) => id),
    );
  }
  for (const [name, { port }, path] of [
    ["the textbook build", textbook, LIST],
    ["Parse Server", parse, PARSE_LIST],
  ]) {
    const headers = { "X-Parse-Application-Id": "bench", Authorization: "Bearer none" };
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    assert.ok(status >= 400 && status < 500, `${name} answers ${status} without a key`);
  }
  return bytes;
}

const served = (name, { port, process }, request, bytes) => {
  const requests = keysInTurn().map(request);
  return {
    name,
    pid: process.pid,
    bytes,
    load: (seconds) => httpLoad({ port, connections: CONNECTIONS, seconds, requests }),
  };
};

async function plainRows(url, scripts, seconds) {
  const { rate, samples } = await pgbench(url, scripts, { clients: CONNECTIONS, seconds, samples: true });
  const times = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)];
  return { rate, count: times.length, p50: at(0.5), p99: at(0.99), other: 0 };
}

/** Until node has compiled what is used often, and each key has been asked for twice. */
async function warmUp(load) {
  for (let count = 0; count < 2 * keysInTurn().length;) count += (await load(2)).count;
}

async function measureRound({ name, pid, load }, seconds, databaseTime) {
  const before = { server: pid && cpuOf(pid), database: databaseTime() };
  const result = await load(seconds);
  assert.equal(result.other, 0, `${name}: ${result.other} answers have another status than 200`);
  return {
    ...result,
    server: pid && (cpuOf(pid) - before.server) / result.count,
    database: (databaseTime() - before.database) / result.count,
  };
}

/**
 * Parley shares an answer among callers that ask the same within 50 ms. A faster server has the same key again sooner.
 * @returns {Promise<string>} how much of the load was read from the database all the same
 */
async function readShare({ load }, client, seconds) {
  const scans = async () => {
    // A connection that is idle for 10 s reports what it has read.
    await setTimeout(11_000);
    const { rows } = await client.query(
      "select idx_scan from pg_stat_user_tables where relid = 'conversation'::regclass",
    );
    return Number(rows[0].idx_scan);
  };
  const before = await scans();
  const { count } = await load(seconds);
  const share = ((await scans()) - before) / count;
  return `${Math.round(100 * share)} % of Parley's answers were read from the database, the others shared`;
}

function summary(contenders) {
  const median = ({ rounds }, of) => rounds.map(of).sort((a, b) => a - b)[Math.floor(rounds.length / 2)];
  const [parley, , parse] = contenders;
  const ratio = (other) =>
    median({ rounds: parley.rounds.map((r, i) => r.rate / other.rounds[i].rate) }, (r) => r).toFixed(2);
  const rate = (contender) => Math.round(median(contender, (r) => r.rate));
  const row = (contender) => [
    contender.name,
    rate(contender).toLocaleString("en"),
    contender === parley ? "1" : ratio(contender),
    contender.pid ? Math.round(median(contender, (r) => r.server)).toLocaleString("en") : "",
    Math.round(median(contender, (r) => r.database)).toLocaleString("en"),
    median(contender, (r) => r.p50).toFixed(1),
    median(contender, (r) => r.p99).toFixed(1),
    contender.bytes ? (contender.bytes / 1_000).toFixed(1) : "",
  ];
  return {
    ours: rate(parley),
    baseline: rate(parse),
    ratio: Number(ratio(parse)),
    p50: Number(median(parley, (r) => r.p50).toFixed(1)),
    p99: Number(median(parley, (r) => r.p99).toFixed(1)),
    details: [
      "| | requests/s | Parley ÷ this | server, µs a request | PostgreSQL, µs a request | p50 ms | p99 ms | kB an answer |",
      "|---|--:|--:|--:|--:|--:|--:|--:|",
      ...contenders.map((contender) => `| ${row(contender).join(" | ")} |`),
    ].join("\n"),
  };
}
