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

/** How long a rehearsal of a month's conversations takes, what it costs meanwhile, and whether what it says comes true. */
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
    const of = { api, client, tenant, log };
    await teach({ ...of, session: await session(), intents });
    const talks = await converse({ ...of, intents, count: quick ? QUICK : CONVERSATIONS });
    const [left] = intents;
    const entries = [{ question: left[1][0], alternateQuestions: left[1].slice(1, SIZE), answer: left[0] }];
    const settings = { answerConfidence: 0.7, margin: 0.3, clarifyConfidence: 0.1 };
    const drafts = {
      thresholds: { settings },
      "a new entry": { entries },
      both: { entries, settings },
      "a new entry, a second time": { entries },
    };
    const rows = [];
    for (const [name, draft] of Object.entries(drafts)) {
      const row = { name, ...(await rehearse({ ...of, server, token: await session(), draft })) };
      log(`rehearsal: ${name}: ${row.seconds.toFixed(1)} s, ${row.played} of ${row.found}`);
      rows.push(row);
    }
    const worst = rows.toSorted((a, b) => a.played - b.played || b.seconds - a.seconds)[0];
    const changes = {
      thresholds: (token) => set(of, token, settings),
      "a new entry": async (token) => {
        await set(of, token, {});
        await addEntries(of, entries);
      },
      both: (token) => set(of, token, settings),
    };
    const counts = [];
    for (const [name, change] of Object.entries(changes)) {
      const { said } = rows.find((row) => row.name === name);
      await change(await session());
      const count = { name, ...(await comesTrue({ ...of, talks, said })) };
      log(
        `rehearsal: ${name}: ${count.same} of ${count.said} changed as it was said, ${count.wrong.length} are otherwise`,
      );
      counts.push(count);
    }
    const wrong = counts.flatMap(({ name, wrong: all }) => all.map((one) => `- ${name}: ${one}`));
    return {
      ratio: worst.seconds.toFixed(1),
      p50: "",
      p99: "",
      note: `${worst.played} of ${worst.found} played, ${talks.reduce((sum, { says }) => sum + says.length, 0)} messages; ${wrong.length} are otherwise than it was said`,
      details: [
        "| draft | found | played | change | s | ms each | server's processor, s | transactions each | memory before, most, MB |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        ...rows.map(
          (row) =>
            `| ${row.name} | ${row.found} | ${row.played} | ${row.changed} | ${row.seconds.toFixed(1)} | ${((row.seconds / row.played) * 1_000).toFixed(0)} | ${row.cpu.toFixed(1)} | ${(row.transactions / row.played).toFixed(1)} | ${row.before.toFixed(0)}, ${row.most.toFixed(0)} |`,
        ),
        "\nThe change is made, and contacts write the same again:\n",
        "| change | compared | said to change | changed | just as it was said | otherwise |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        ...counts.map(
          (one) => `| ${one.name} | ${one.played} | ${one.said} | ${one.changed} | ${one.same} | ${one.wrong.length} |`,
        ),
        ...(wrong.length ? ["\nOtherwise than it was said:\n", ...wrong] : []),
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
async function teach({ session, intents, ...of }) {
  const { workspaceId } = of.tenant;
  const agent = { name: "Assistant", instructions: "Help", role: "assistant", workspaceIds: [workspaceId] };
  await of.api("POST", "/api/agents", session, agent);
  const entries = intents
    .slice(LEFT_OUT)
    .map(([answer, [question, ...more]]) => ({ question, alternateQuestions: more.slice(0, SIZE - 1), answer }));
  await addEntries(of, entries);
}

async function addEntries({ api, client, tenant: { tenantId, workspaceId, key } }, entries) {
  for (const entry of entries)
    await api("POST", `/api/workspaces/${workspaceId}/kb-entries`, key, { ...entry, language: "en" });
  await until(() =>
    client.query("select 1 from kb_question where tenant_id = $1 and vector is null limit 1", [tenantId]),
  );
}

const set = ({ api, tenant: { workspaceId } }, token, settings) =>
  api("PUT", `/api/workspaces/${workspaceId}/assistant`, token, settings);

/**
 * Contacts ask the assistant what no entry has word for word, until people take over or they have asked enough.
 * @returns each conversation with what was said in it
 */
async function converse({ intents, count, ...of }) {
  const questions = shuffled(
    intents.flatMap(([, said]) => said.slice(-20)),
    83,
  );
  let messages = 0;
  const talks = Array.from({ length: count }, () => ({ says: [] }));
  for (let turn = 0; turn < TURNS; turn++) {
    const open = await stillOpen(of, talks);
    for (const talk of open) talk.says.push(questions[messages++ % questions.length]);
    await say(of, open, turn);
  }
  return talks;
}

/** Each contact writes what they say in this turn, and the assistant has done what it does about it. */
async function say({ api, client, tenant: { tenantId, workspaceId, key }, log }, talks, turn) {
  await inParallel(talks, async (talk) => {
    const message = { body: talk.says[turn] };
    if (talk.id) await api("POST", `/api/conversations/${talk.id}/messages`, key, message);
    else
      ({ id: talk.id } = (
        await api("POST", "/api/conversations", key, { workspaceId, contact: { name: "Ada" }, message })
      ).body);
  });
  await until(() =>
    client.query("select 1 from assistant_run where tenant_id = $1 and outcome is null limit 1", [tenantId]),
  );
  log(`rehearsal: ${talks.length} have asked`);
}

/** Those that have not begun, and those that people did not take over. */
async function stillOpen({ client, tenant: { tenantId } }, talks) {
  const { rows } = await client.query("select id from conversation where tenant_id = $1 and handling_mode <> 'human'", [
    tenantId,
  ]);
  const open = new Set(rows.map(({ id }) => id));
  return talks.filter(({ id }) => !id || open.has(id));
}

/** What the assistant did in each conversation, turn by turn. */
async function doneIn({ client, tenant: { tenantId } }) {
  const { rows } = await client.query(
    `select r.conversation_id as id, json_agg(json_build_object('outcome', r.outcome, 'says', (
        select m.body from message m
        where m.tenant_id = $1 and m.conversation_id = r.conversation_id and m.direction = 'outbound'
          and m.sequence > r.sequence
        order by m.sequence limit 1
      )) order by r.sequence) as turns
    from assistant_run r where r.tenant_id = $1 group by r.conversation_id`,
    [tenantId],
  );
  return new Map(rows.map(({ id, turns }) => [id, turns]));
}

/**
 * Other contacts write what was written before the change. The first turn in which something else is done has to be the one that
 * the rehearsal named, and the assistant does and says what it said.
 */
async function comesTrue({ talks, said, ...of }) {
  const again = talks.map(({ says }) => ({ says }));
  for (let turn = 0; turn < TURNS; turn++)
    await say(
      of,
      (await stillOpen(of, again)).filter(({ says }) => turn < says.length),
      turn,
    );
  const done = await doneIn(of);
  const count = { played: said.size, said: 0, changed: 0, same: 0, wrong: [] };
  for (const [n, { id, says }] of talks.entries()) {
    if (!said.has(id)) continue;
    const [before, after] = [done.get(id), done.get(again[n].id)];
    const at = before.findIndex((turn, k) => textOf(turn) !== textOf(after[k]));
    const was = said.get(id);
    if (was) count.said++;
    if (at >= 0) count.changed++;
    if (at < 0 && !was) continue;
    const real = at < 0 ? "nothing changed" : changeIn(at + 1, before[at], after[at]);
    const rehearsed = was ? changeIn(was.turn, was.before, was.after) : "nothing would change";
    if (real === rehearsed) count.same++;
    else count.wrong.push(`${JSON.stringify(says)}: ${rehearsed}; ${real}`);
  }
  return count;
}
const textOf = (turn) => (turn ? `${turn.outcome} ${JSON.stringify(turn.says)}` : "nothing");
const changeIn = (turn, before, after) => `turn ${turn}, from ${textOf(before)} to ${textOf(after)}`;

async function rehearse({ api, client, server, tenant: { tenantId, workspaceId, key }, token, draft }) {
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
  const seconds = (performance.now() - began) / 1_000;
  // What a minute does not allow is left out, the oldest first.
  const { rows: newest } = await client.query(
    "select id from conversation where tenant_id = $1 order by last_activity_at desc, id desc limit $2",
    [tenantId, run.conversations.played],
  );
  const said = new Map(newest.map((one) => [one.id, undefined]));
  for (let cursor = ""; cursor !== undefined;) {
    const page = await api("GET", `/api/assistant-tests/runs/${id}/conversations?limit=100${cursor}`, key);
    for (const one of page.body.data) said.set(one.conversationId, one);
    cursor = page.body.nextCursor && `&cursor=${encodeURIComponent(page.body.nextCursor)}`;
  }
  return {
    ...run.conversations,
    said,
    seconds,
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
