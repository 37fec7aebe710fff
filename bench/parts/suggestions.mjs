import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import { shuffled } from "../random.mjs";
import { apiOf, makeTenant } from "../tenant.mjs";

const DATA = process.env.BANKING77 ?? path.join(import.meta.dirname, "../.data/banking77-train.csv");
/** How many questions an entry has: as in a new workspace, and after some weeks. */
const SIZES = [1, 3, 10];
/** So many questions of each intent are asked that no entry has. */
const ASKED = 10;
const QUICK = 3;
/** So many intents have no entry, and are asked for too. */
const LEFT_OUT = 15;
const CONNECTIONS = 8;
const VECTORS_MS = 600_000;
const RUNS_MS = 600_000;

/** What people are suggested for the questions that the assistant hands over to them. */
export default {
  name: "suggestions",
  what: "one of three suggestions is the right entry, of BANKING77's questions that were handed over (%, the worst set)",
  against: "-",
  floor: "60",
  goal: "75",
  async measure({ server, client, url, quick, log }) {
    const intents = read();
    const api = apiOf(server.port);
    const rows = [];
    for (const byMeaning of [false, true])
      for (const size of SIZES) {
        const set = {
          name: `${size === 1 ? "one question" : `${size} questions`} an entry, ${byMeaning ? "words and meaning" : "words"}`,
        };
        await measureSet({ api, client, url, intents, size, byMeaning, asked: quick ? QUICK : ASKED }, set);
        log(`suggestions: ${set.name}: ${percent(set.right, set.handed)} % of ${set.handed}`);
        rows.push(set);
      }
    rows.sort((a, b) => a.right / a.handed - b.right / b.handed);
    return {
      ratio: percent(rows[0].right, rows[0].handed),
      p50: "",
      p99: "",
      note: `${rows[0].handed} questions in the worst set`,
      details: [
        "| set | asked | handed over | one of three is right (%) | the first is right (%) | suggestions each | no entry answers | of these without a suggestion (%) | suggestions each |",
        "|---|---|---|---|---|---|---|---|---|",
        ...rows.map(
          (set) =>
            `| ${set.name} | ${set.asked} | ${set.handed} | ${percent(set.right, set.handed)} | ${percent(set.first, set.handed)} | ${(set.shown / set.handed).toFixed(1)} | ${set.foreign} | ${percent(set.foreignNone, set.foreign)} | ${(set.foreignShown / set.foreign).toFixed(1)} |`,
        ),
      ].join("\n"),
    };
  },
};

const percent = (some, all) => ((some / all) * 100).toFixed(1);

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

async function measureSet({ api, client, url, intents, size, byMeaning, asked }, set) {
  const tenant = makeTenant(url, `Suggestions ${size}`);
  if (byMeaning) {
    const { email, password } = tenant;
    const { body } = await api("POST", "/api/auth/login", undefined, { email, password });
    await api("POST", "/api/agents", body.accessToken, {
      name: "Assistant",
      instructions: "Help",
      role: "assistant",
      workspaceIds: [tenant.workspaceId],
    });
  }
  for (const [name, said] of intents.slice(LEFT_OUT)) {
    const [question, ...alternateQuestions] = said.slice(0, size);
    const entry = { question, alternateQuestions, answer: name, language: "en" };
    await api("POST", `/api/workspaces/${tenant.workspaceId}/kb-entries`, tenant.key, entry);
  }
  if (byMeaning)
    await until(VECTORS_MS, () =>
      client.query("select 1 from kb_question where tenant_id = $1 and vector is null limit 1", [tenant.tenantId]),
    );
  const questions = intents.flatMap(([name, said]) => said.slice(-asked).map((body) => ({ name, body })));
  await inParallel(questions, async (question) => {
    const { workspaceId, key } = tenant;
    const body = { workspaceId, contact: { name: "Ada" }, message: { body: question.body } };
    question.id = (await api("POST", "/api/conversations", key, body)).body.id;
  });
  await until(RUNS_MS, () =>
    client.query("select 1 from assistant_run where tenant_id = $1 and outcome is null limit 1", [tenant.tenantId]),
  );
  const { rows } = await client.query(
    "select conversation_id from assistant_run where tenant_id = $1 and outcome = 'handed_off'",
    [tenant.tenantId],
  );
  const handed = new Set(rows.map((row) => row.conversation_id));
  const known = new Set(intents.slice(LEFT_OUT).map(([name]) => name));
  Object.assign(set, {
    asked: 0,
    handed: 0,
    right: 0,
    first: 0,
    shown: 0,
    foreign: 0,
    foreignNone: 0,
    foreignShown: 0,
  });
  await inParallel(questions, async ({ id, name }) => {
    if (known.has(name)) set.asked++;
    if (!handed.has(id)) return;
    const { suggestions } = (await api("GET", `/api/conversations/${id}/suggestions`, tenant.key)).body;
    if (!known.has(name)) {
      set.foreign++;
      set.foreignShown += suggestions.length;
      if (!suggestions.length) set.foreignNone++;
      return;
    }
    set.handed++;
    set.shown += suggestions.length;
    if (suggestions[0]?.answer === name) set.first++;
    if (suggestions.some(({ answer }) => answer === name)) set.right++;
  });
}

/** Until there is no such row any more. */
async function until(ms, find) {
  const end = Date.now() + ms;
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
