import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { LIST_IDENTITY_EVENTS } from "../../dist/src/identity/events/identity-events.service.js";
import { pgbench, script } from "../pgbench.mjs";
import { idSql, KIND, tenantOf, WORKSPACES } from "../seed.mjs";

const CONVERSATIONS = 500_000;
const EVENTS = 20 * CONVERSATIONS;
/** The oldest tenth, as when a workspace's retention was shortened by a few months. */
const DUE = CONVERSATIONS / 10;
/** Readers as fast as they can, which the ratio is of; and readers that leave most of two cores free. `seconds`: enough for the slower of both before it. */
const FULL = { name: "as many as they can", clients: 8, rounds: 3, seconds: 45 };
const LIGHT = { name: "1,000 a second", clients: 4, rate: 1_000, rounds: 1, seconds: 25 };
/** Of readers alone, before the work begins; after it ended they are alone again. */
const BEFORE = 8;

/**
 * `parley sweep` and one plain DELETE, each on a copy of the same rows, a tenth of them due, with readers beside. For comparison
 * a process that only computes: what any busy core does to readers, whatever it is busy with.
 */
export default {
  name: "sweep",
  what: "retention sweep (rows/s), readers beside it",
  against: "one plain DELETE",
  floor: "1.2; readers’ p99 ≤ 1.2",
  goal: "1.5; 1.0",
  async measure({ postgres, openDatabase, admin, log }) {
    const { client } = await openDatabase(
      "bench_sweep_source",
      { conversations: CONVERSATIONS, events: EVENTS },
      async (fresh) => {
        log("the oldest events become three years older");
        await fresh.query(
          `update identity_event e set occurred_at = occurred_at - interval '3 years' from conversation c where c.tenant_id = e.tenant_id and c.id = e.conversation_id and c.id <= ${idSql(KIND.conversation, DUE)}`,
        );
        await fresh.query("vacuum (full, analyze) identity_event");
      },
    );
    await client.end();
    const works = {
      "`parley sweep`": (url) => this.sweep(url),
      "one plain DELETE": (_url, one) => this.delete(one),
      "a process that only computes": () => this.compute(),
    };
    const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
    const measured = [];
    for (const load of [FULL, LIGHT]) {
      for (let round = 1; round <= load.rounds; round++) {
        for (const [work, run] of Object.entries(works)) {
          const { rate, p99, alone } = await this.run(postgres, admin, load, run);
          measured.push({ load, work, rate, p99, alone, times: p99 / alone });
          log(
            `sweep ${round}, ${load.name}: ${work} ${rate.toFixed(0)}/s, readers ${p99.toFixed(1)} ms, alone ${alone.toFixed(1)}`,
          );
        }
      }
    }
    const [sweep, plain] = Object.keys(works);
    const of = (load, work, what) =>
      median(measured.filter((one) => one.load === load && one.work === work).map((one) => one[what]));
    return {
      ours: Math.round(of(FULL, sweep, "rate")),
      baseline: Math.round(of(FULL, plain, "rate")),
      ratio: Number((of(FULL, sweep, "rate") / of(FULL, plain, "rate")).toFixed(2)),
      p99: Number(of(FULL, sweep, "p99").toFixed(1)),
      note: `readers’ p99 ${of(FULL, sweep, "times").toFixed(2)} times that without a sweep; beside the DELETE ${of(FULL, plain, "times").toFixed(2)} times`,
      details: [
        "| readers | beside them | rows/s | p99 alone, ms | meanwhile | times |",
        "|---|---|---|---|---|---|",
        ...[FULL, LIGHT].flatMap((load) =>
          Object.keys(works).map(
            (work) =>
              `| ${load.name} | ${work} | ${Math.round(of(load, work, "rate")) || ""} | ${of(load, work, "alone").toFixed(1)} | ${of(load, work, "p99").toFixed(1)} | ${of(load, work, "times").toFixed(2)} |`,
          ),
        ),
      ].join("\n"),
    };
  },
  /** On a fresh copy: readers alone, then readers beside `work`. */
  async run(postgres, admin, load, work) {
    await admin.query("drop database if exists bench_sweep_copy");
    await admin.query("create database bench_sweep_copy template bench_sweep_source strategy file_copy");
    const url = postgres.url("bench_sweep_copy");
    const w = `((hashint4(:n::int) & 2147483647) % ${WORKSPACES} + 1)`;
    const reads = [
      script(
        LIST_IDENTITY_EVENTS,
        { tenant: idSql(KIND.tenant, tenantOf(w)), conversationId: idSql(KIND.conversation, ":n") },
        `\\set n random(1, ${CONVERSATIONS})`,
      ),
    ];
    const readers = (seconds) =>
      pgbench(url, reads, { clients: load.clients, rate: load.rate, seconds, samples: true });
    const p99 = (samples) => samples.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(samples.length * 0.99)];
    const one = await this.connect(url);
    try {
      await readers(5);
      await one.query("checkpoint");
      const reading = readers(load.seconds);
      await new Promise((resolve) => setTimeout(resolve, (BEFORE + 1) * 1_000));
      const { removed, seconds, from, to } = await work(url, one);
      // One run of the readers, whose first second is of their connections: while it worked, and before and after that.
      const { samples } = await reading;
      const meanwhile = samples.filter(({ at }) => at >= from && at <= to);
      const alone = samples.filter(({ at }) => (at < from - 200 ? at > from - BEFORE * 1_000 : at > to + 200));
      return { rate: removed / seconds, p99: p99(meanwhile), alone: p99(alone) };
    } finally {
      await one.end();
    }
  },
  /** For a few seconds. */
  async compute() {
    const from = Date.now();
    await promisify(execFile)(process.execPath, ["-e", "const until = Date.now() + 4000; while (Date.now() < until);"]);
    return { removed: 0, seconds: 4, from, to: Date.now() };
  },
  async connect(url) {
    const { default: pg } = await import("pg");
    const client = new pg.Client(url);
    await client.connect();
    return client;
  },
  async sweep(url) {
    const root = path.join(import.meta.dirname, "../..");
    await promisify(execFile)(process.execPath, ["dist/src/cli/main.js", "sweep"], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: url, SECRET_KEY: "a secret for benchmarks, 32 characters or more" },
    });
    const client = await this.connect(url);
    const {
      rows: [run],
    } = await client.query(
      `select extract(epoch from finished_at - started_at)::float8 as seconds, extract(epoch from started_at)::float8 * 1000 as from, extract(epoch from finished_at)::float8 * 1000 as to, (result->>'identityEvents')::int as removed from job_run where name = 'daily'`,
    );
    await client.end();
    return run;
  },
  async delete(client) {
    const [began, from] = [performance.now(), Date.now()];
    const { rowCount } = await client.query(
      `delete from identity_event e using workspace w where w.tenant_id = e.tenant_id and w.id = e.workspace_id and e.occurred_at + make_interval(months => w.identity_retention_months) <= now()`,
    );
    return { removed: rowCount, seconds: (performance.now() - began) / 1_000, from, to: Date.now() };
  },
};
