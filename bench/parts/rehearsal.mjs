import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import { cpuOf } from "../cpu.mjs";
import { shuffled } from "../random.mjs";
import { apiOf, makeTenant } from "../tenant.mjs";

const DATA = process.env.BANKING77 ?? path.join(import.meta.dirname, "../.data/banking77-train.csv");
/** As many as a rehearsal plays. */
const CONVERSATIONS = 500;
const QUICK = 60;
/** A contact who was not handed over goes on asking, so often at most. */
const TURNS = 3;
/** How many questions an entry has, and how many intents have no entry. */
const SIZE = 3;
const LEFT_OUT = 15;
const CONNECTIONS = 8;
const WAIT_MS = 600_000;

/** How long a rehearsal of a month's conversations takes, and what it costs meanwhile. */
export default {
  name: "rehearsal",
  what: "a rehearsal of 500 conversations (s)",
  against: "-",
  floor: "≤ 60, all of them played",
  goal: "≤ 30",
  async measure({ server, client, url, quick, log }) {
    const api = apiOf(server.port);
    const tenant = makeTenant(url, "Rehearsal");
    const { email, password } = tenant;
    const session = async () => (await api("POST", "/api/auth/login", undefined, { email, password })).body.accessToken;
    const intents = read();
    await teach({ api, client, tenant, session: await session(), intents });
    const asked = await converse({ api, client, tenant, intents, count: quick ? QUICK : CONVERSATIONS, log });
    const [left] = intents;
    const entries = [{ question: left[1][0], alternateQuestions: left[1].slice(1, SIZE), answer: left[0] }];
    const drafts = {
      thresholds: { settings: { answerConfidence: 0.7, margin: 0.3, clarifyConfidence: 0.1 } },
      "a new entry": { entries },
      both: { entries, settings: { answerConfidence: 0.7, margin: 0.3, clarifyConfidence: 0.1 } },
      "a new entry, a second time": { entries },
    };
    const rows = [];
    for (const [name, draft] of Object.entries(drafts)) {
      const row = { name, ...(await rehearse({ api, client, server, tenant, token: await session(), draft })) };
      log(`rehearsal: ${name}: ${row.seconds.toFixed(1)} s, ${row.played} of ${row.found}`);
      rows.push(row);
    }
    const worst = rows.toSorted((a, b) => b.seconds - a.seconds)[0];
    return {
      ratio: worst.seconds.toFixed(1),
      p50: "",
      p99: "",
      note: `${worst.played} of ${worst.found} played, ${asked.messages} messages`,
      details: [
        "| draft | found | played | change | s | ms each | server's processor, s | transactions each | memory before, most, MB |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        ...rows.map(
          (row) =>
            `| ${row.name} | ${row.found} | ${row.played} | ${row.changed} | ${row.seconds.toFixed(1)} | ${((row.seconds / row.played) * 1_000).toFixed(0)} | ${row.cpu.toFixed(1)} | ${(row.transactions / row.played).toFixed(1)} | ${row.before.toFixed(0)}, ${row.most.toFixed(0)} |`,
        ),
      ].join("\n"),
    };
  },
};

function read() {
  if (!fs.existsSync(DATA)) throw new Error(`BANKING77 is missing: see bench/README.md, and name it in BANKING77`);
  const rows = parse(fs.readFileSync(DATA, "utf8"), { columns: true });
  const intents = new Map();
  for (const i of shuffled(rows.keys(), 77)) {
    const { text, category } = rows[i];
    if (!intents.has(category)) intents.set(category, []);
    intents.get(category).push(text);
  }
  return shuffled([...intents], 79);
}

/** Entries with vectors, and an agent of the tenant's own. */
async function teach({ api, client, tenant: { tenantId, workspaceId, key }, session, intents }) {
  const agent = { name: "Assistant", instructions: "Help", role: "assistant", workspaceIds: [workspaceId] };
  await api("POST", "/api/agents", session, agent);
  for (const [answer, [question, ...more]] of intents.slice(LEFT_OUT)) {
    const entry = { question, alternateQuestions: more.slice(0, SIZE - 1), answer, language: "en" };
    await api("POST", `/api/workspaces/${workspaceId}/kb-entries`, key, entry);
  }
  await until(() =>
    client.query("select 1 from kb_question where tenant_id = $1 and vector is null limit 1", [tenantId]),
  );
}

/** Contacts ask the assistant what no entry has word for word, until people take over or they have asked enough. */
async function converse({ api, client, tenant: { tenantId, workspaceId, key }, intents, count, log }) {
  const questions = shuffled(
    intents.flatMap(([, said]) => said.slice(-20)),
    83,
  );
  let messages = 0;
  for (let turn = 0; turn < TURNS; turn++) {
    const open = turn ? await stillOpen(client, tenantId) : Array.from({ length: count });
    await inParallel(open, async (id) => {
      const message = { body: questions[messages++ % questions.length] };
      if (id) await api("POST", `/api/conversations/${id}/messages`, key, message);
      else await api("POST", "/api/conversations", key, { workspaceId, contact: { name: "Ada" }, message });
    });
    await until(() =>
      client.query("select 1 from assistant_run where tenant_id = $1 and outcome is null limit 1", [tenantId]),
    );
    log(`rehearsal: ${open.length} have asked`);
  }
  return { messages };
}

async function stillOpen(client, tenantId) {
  const { rows } = await client.query("select id from conversation where tenant_id = $1 and handling_mode <> 'human'", [
    tenantId,
  ]);
  return rows.map(({ id }) => id);
}

async function rehearse({ api, client, server, tenant: { workspaceId }, token, draft }) {
  const { pid } = server.process;
  const memory = () => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1_024;
  const before = memory();
  const [cpu, transactions] = [cpuOf(pid), await committed(client)];
  const began = performance.now();
  const { id } = (await api("POST", `/api/workspaces/${workspaceId}/assistant-rehearsal`, token, { draft })).body;
  let run;
  let most = before;
  do {
    await sleep(250);
    most = Math.max(most, memory());
    run = (await api("GET", `/api/assistant-tests/runs/${id}`, token)).body;
  } while (run.status === "waiting" || run.status === "playing");
  if (run.status !== "done") throw new Error(run.error);
  return {
    ...run.conversations,
    seconds: (performance.now() - began) / 1_000,
    cpu: (cpuOf(pid) - cpu) / 1_000_000,
    transactions: (await committed(client)) - transactions,
    before,
    most,
  };
}

/** Jobs that look for work and the polls above are among them: some ten a second. PostgreSQL counts a second late. */
async function committed(client) {
  await sleep(1_500);
  const { rows } = await client.query("select xact_commit from pg_stat_database where datname = current_database()");
  return Number(rows[0].xact_commit);
}

/** Until there is no such row any more. */
async function until(find) {
  const end = Date.now() + WAIT_MS;
  while ((await find()).rows.length) {
    if (Date.now() > end) throw new Error("it takes too long");
    await sleep(500);
  }
}

async function inParallel(items, work) {
  let next = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < items.length) await work(items[next++]);
    }),
  );
}
