import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import pg from "pg";
import { get } from "../load.mjs";
import { assertComplete, LEFT_OUT, READS } from "../reads/routes.mjs";
import { credentials, fill, signed } from "../reads/rows.mjs";
import { tenantId } from "../reads/sizes.mjs";

/** Rows of each tenant in each table that grows; `--requests` sets another number, for a try. */
const ROWS = 100_000;
const PASSES = { full: 300, quick: 60 };
const WARM_UP = 10;
/** Equal questions within this time may share an answer. */
const SHARED_MS = 210;
/** What a request costs however little it shows. */
const REQUEST_MS = 0.3;
const OPENAPI = path.join(import.meta.dirname, "../../openapi.json");

/** One request at a time over one connection, in turn with the plain rows. */
export default {
  name: "reads",
  what: `lists and reads that take longer than twice what their plain rows cost plus ${REQUEST_MS} ms`,
  against: "-",
  floor: "-",
  goal: 0,
  async measure({ openDatabase, startServer, quick, requests: size = ROWS, log }) {
    assertComplete(JSON.parse(fs.readFileSync(OPENAPI, "utf8")));
    const { client, url } = await openDatabase(
      `bench_reads${size === ROWS ? "" : `_${size}`}`,
      { conversations: 0, events: 0 },
      (fresh) => fill(fresh, size, log),
    );
    const server = await startServer(url);
    const plain = new pg.Client({ connectionString: url, options: "-c role=parley_app" });
    await plain.connect();
    const http = await connect(server.port);
    try {
      const reads = READS.map((read) => ({ ...read, ours: [], plainly: [] }));
      const ask = await asker(http, size);
      for (const read of reads) await assertSameRows(read, ask, plain, size);
      const passes = quick ? PASSES.quick : PASSES.full;
      for (let pass = -WARM_UP; pass < passes; pass++) {
        const next = performance.now() + SHARED_MS;
        // Each pass begins with another, so that none always follows the same one.
        for (let i = 0; i < reads.length; i++) {
          const read = reads[(i + pass + WARM_UP) % reads.length];
          const n = 1 + (((pass + WARM_UP) * 7_919) % size);
          const { ms, status } = await ask(read, n);
          if (status !== 200) throw new Error(`${nameOf(read)} answered ${status}`);
          const { ms: plainMs } = await plainly(plain, read, n, size);
          if (pass < 0) continue;
          read.ours.push(ms);
          read.plainly.push(plainMs);
        }
        if (pass % 50 === 0) log(`reads: pass ${pass} of ${passes}`);
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
      }
      return report(reads, size, passes);
    } finally {
      http.end();
      server.process.kill();
      await plain.end();
      await client.end();
    }
  },
};

const nameOf = ({ route, query, as }) =>
  `${route}${query ? `?${query}` : ""}${as === "workspaceKey" ? " (one workspace)" : ""}`;

/** One keep-alive connection. A full client would add its own time to each request. */
function connect(port) {
  const socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
  let parts = [];
  let answered;
  socket.on("data", (chunk) => {
    parts.push(chunk);
    const bytes = parts.length === 1 ? chunk : Buffer.concat(parts);
    const head = bytes.indexOf("\r\n\r\n");
    if (head < 0) return;
    const text = bytes.latin1Slice(0, head);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)[1]);
    if (bytes.length < head + 4 + length) return;
    parts = [];
    answered({ status: Number(text.slice(9, 12)), body: bytes.subarray(head + 4) });
  });
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("connect", () =>
      resolve({
        send: (request) =>
          new Promise((done) => {
            answered = done;
            socket.write(request);
          }),
        end: () => socket.end(),
      }),
    );
  });
}

async function asker(http, size) {
  let known = await credentials();
  let until = Date.now() + 600_000;
  return async (read, n) => {
    if (Date.now() > until) {
      known = await credentials();
      until = Date.now() + 600_000;
    }
    const question = { key: read.key?.(n, size), signed };
    const place = read.path?.(question) ?? read.route.replace(/\{\w+\}/, question.key);
    const target = `${place}${read.query ? `?${read.query.replaceAll("{key}", question.key)}` : ""}`;
    const credential = typeof read.as === "function" ? read.as(question) : known[read.as ?? "key"];
    const request = get(target, credential ?? "");
    const started = performance.now();
    const answer = await http.send(read.as === "nobody" ? request.replace(/Authorization: .*\r\n/, "") : request);
    return { ...answer, ms: performance.now() - started };
  };
}

/** Texts as they come: turning them into dates and numbers would count as time of the plain rows. */
const AS_TEXT = { getTypeParser: () => (text) => text };

async function plainly(client, read, n, size) {
  read.statement ??= {
    name: nameOf(read).slice(0, 63),
    text: withTenant(read.plain),
    rowMode: "array",
    types: AS_TEXT,
  };
  const values = [read.tenant ?? tenantId, ...(read.key ? [read.key(n, size)] : [])];
  const started = performance.now();
  const { rows } = await client.query({ ...read.statement, values });
  return { rows, ms: performance.now() - started };
}

/** Otherwise the comparison would be between different things. */
async function assertSameRows(read, ask, client, size) {
  const n = 1 + (7_919 % size);
  const { status, body } = await ask(read, n);
  const { rows } = await plainly(client, read, n, size);
  if (status !== 200) throw new Error(`${nameOf(read)} answered ${status} ${body}`);
  if (!rows.length) throw new Error(`there are no plain rows for ${nameOf(read)}`);
  if (read.ids === false) return;
  const answer = JSON.parse(body);
  const items = Array.isArray(answer) ? answer : (answer.data ?? [answer]);
  const shown = items.map((item) => String(item.id ?? item.version));
  const expected = [...new Set(rows.map(([first]) => first))].slice(0, shown.length);
  const place = shown.findIndex((one, i) => one !== expected[i]);
  if (!shown.length || place >= 0 || expected.length < shown.length)
    throw new Error(
      `${nameOf(read)} shows ${shown.length} rows; in place ${place} it has ${shown[place]} and the plain rows have ${expected[place]}`,
    );
}

/**
 * With the tenant set for row-level security in the same statement, as every request of a pool's connection needs it. `offset 0` and
 * the condition make sure that this comes first.
 */
const withTenant = (select) => `
  with ctx as materialized (select set_config('app.tenant_id', $1::uuid::text, true) as tenant)
  select r.* from ctx cross join lateral (select s.* from (${select}) s where ctx.tenant is not null offset 0) r`;

const at = (times, share) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)];

function report(reads, size, passes) {
  const lines = reads
    .map((read) => {
      const [ours, plain] = [at(read.ours, 0.5), at(read.plainly, 0.5)];
      return {
        name: nameOf(read),
        p10: at(read.ours, 0.1),
        ours,
        p90: at(read.ours, 0.9),
        plain,
        limit: 2 * plain + REQUEST_MS,
      };
    })
    .sort((a, b) => b.ours - b.limit - (a.ours - a.limit));
  const missed = lines.filter(({ ours, limit }) => ours > limit);
  return {
    ratio: missed.length,
    p50: Number(
      at(
        lines.map(({ ours }) => ours),
        0.5,
      ).toFixed(2),
    ),
    note: `of ${lines.length} questions to ${new Set(reads.map(({ route }) => route)).size} routes, ${passes} times each; ${size.toLocaleString("en")} rows in each large table, beside another tenant with as many`,
    details: [
      "| question | ours p10 ms | p50 ms | p90 ms | plain p50 ms | limit ms | |",
      "|---|---|---|---|---|---|---|",
      ...lines.map(
        ({ name, p10, ours, p90, plain, limit }) =>
          `| ${name} | ${p10.toFixed(2)} | ${ours.toFixed(2)} | ${p90.toFixed(2)} | ${plain.toFixed(2)} | ${limit.toFixed(2)} | ${ours > limit ? `${(ours - limit).toFixed(2)} over` : "met"} |`,
      ),
      "",
      `Left out: ${Object.entries(LEFT_OUT)
        .map(([route, why]) => `${route} (${why})`)
        .join(", ")}.`,
    ].join("\n"),
  };
}
