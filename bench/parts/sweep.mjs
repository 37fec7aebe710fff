import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { LIST_IDENTITY_EVENTS } from '../../dist/src/identity/identity-events.service.js';
import { pgbench, script } from '../pgbench.mjs';
import { idSql, KIND, tenantOf, WORKSPACES } from '../seed.mjs';

const CONVERSATIONS = 500_000;
const EVENTS = 20 * CONVERSATIONS;
/** The oldest tenth, as when a workspace's retention was shortened by a few months. */
const DUE = CONVERSATIONS / 10;
const READS_A_SECOND = 300;
const ROUNDS = 3;

/** `parley sweep` and one plain DELETE, each on a copy of the same rows, a tenth of them due, with readers beside. */
export default {
  name: 'sweep', what: 'retention sweep (rows/s), readers beside it', against: 'one plain DELETE', floor: '1.2; readers’ p99 ≤ 1.2', goal: '1.5; 1.0',
  async measure({ postgres, openDatabase, admin, log }) {
    const { client } = await openDatabase('bench_sweep_source', { conversations: CONVERSATIONS, events: EVENTS }, async (fresh) => {
      log('the oldest events become three years older');
      await fresh.query(`update identity_event e set occurred_at = occurred_at - interval '3 years' from conversation c where c.tenant_id = e.tenant_id and c.id = e.conversation_id and c.id <= ${idSql(KIND.conversation, DUE)}`);
      await fresh.query('vacuum (full, analyze) identity_event');
    });
    await client.end();
    const rounds = [];
    for (let round = 1; round <= ROUNDS; round++) {
      rounds.push({ ours: await this.run(postgres, admin, (url) => this.sweep(url)), plain: await this.run(postgres, admin, (url, one) => this.delete(one)) });
      const { ours, plain } = rounds.at(-1);
      log(`sweep ${round}: ${ours.rate.toFixed(0)}/s, readers ${ours.p99.toFixed(1)} ms; DELETE ${plain.rate.toFixed(0)}/s, readers ${plain.p99.toFixed(1)} ms; alone ${ours.alone.toFixed(1)} ms`);
    }
    const median = (of) => rounds.map(of).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
    return {
      ours: Math.round(median(({ ours }) => ours.rate)), baseline: Math.round(median(({ plain }) => plain.rate)), ratio: Number(median(({ ours, plain }) => ours.rate / plain.rate).toFixed(2)), p99: Number(median(({ ours }) => ours.p99).toFixed(1)),
      note: `readers’ p99 ${median(({ ours }) => ours.p99 / ours.alone).toFixed(2)} times that without a sweep; beside the DELETE ${median(({ plain }) => plain.p99 / plain.alone).toFixed(2)} times`,
    };
  },
  /** On a fresh copy: readers alone, then readers beside `work`. */
  async run(postgres, admin, work) {
    await admin.query('drop database if exists bench_sweep_copy');
    await admin.query('create database bench_sweep_copy template bench_sweep_source strategy file_copy');
    const url = postgres.url('bench_sweep_copy');
    const w = `((hashint4(:n::int) & 2147483647) % ${WORKSPACES} + 1)`;
    const reads = [script(LIST_IDENTITY_EVENTS, { tenant: idSql(KIND.tenant, tenantOf(w)), conversationId: idSql(KIND.conversation, ':n') }, `\\set n random(1, ${CONVERSATIONS})`)];
    const readers = (seconds) => pgbench(url, reads, { clients: 4, seconds, rate: READS_A_SECOND });
    const p99 = (samples, from = 0, to = Infinity) => {
      const sorted = samples.filter(({ at }) => at >= from && at <= to).map(({ ms }) => ms).sort((a, b) => a - b);
      return sorted[Math.floor(sorted.length * 0.99)];
    };
    const one = await this.connect(url);
    try {
      await readers(3);
      const alone = p99((await readers(8)).samples);
      await one.query('checkpoint');
      const beside = readers(20);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const { removed, seconds, from, to } = await work(url, one);
      // Only while it ran.
      return { rate: removed / seconds, p99: p99((await beside).samples, from, to), alone };
    } finally {
      await one.end();
    }
  },
  async connect(url) {
    const { default: pg } = await import('pg');
    const client = new pg.Client(url);
    await client.connect();
    return client;
  },
  async sweep(url) {
    const root = path.join(import.meta.dirname, '../..');
    await promisify(execFile)(process.execPath, ['dist/src/cli/main.js', 'sweep'], { cwd: root, env: { ...process.env, DATABASE_URL: url, SECRET_KEY: 'a secret for benchmarks, 32 characters or more' } });
    const client = await this.connect(url);
    const { rows: [run] } = await client.query(`select extract(epoch from finished_at - started_at)::float8 as seconds, extract(epoch from started_at)::float8 * 1000 as from, extract(epoch from finished_at)::float8 * 1000 as to, (result->>'identityEvents')::int as removed from job_run where name = 'daily'`);
    await client.end();
    return run;
  },
  async delete(client) {
    const [began, from] = [performance.now(), Date.now()];
    const { rowCount } = await client.query(`delete from identity_event e using workspace w where w.tenant_id = e.tenant_id and w.id = e.workspace_id and e.occurred_at + make_interval(months => w.identity_retention_months) <= now()`);
    return { removed: rowCount, seconds: (performance.now() - began) / 1_000, from, to: Date.now() };
  },
};
