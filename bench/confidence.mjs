// npm run bench:confidence -- [--every N]: see README.md. Fits the confidence of the knowledge base search and measures it.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { parse } from "csv-parse/sync";
import pg from "pg";
import "reflect-metadata";
import { load } from "@parley/sentence-vectors";
import { startEmbeddedPostgres } from "../dist/src/platform/database/embedded/embedded.js";
import { meanCosine, UNRELATED } from "../dist/src/knowledge/review/meaning.js";
import {
  amongOf,
  ANSWER_FROM,
  ASK_BACK_FROM,
  ASK_BACK_WITHIN,
  cautionOf,
  evidenceOf,
  leadsOf,
  rank,
  sureOf,
} from "../dist/src/knowledge/review/ranking.js";
import { fit, probabilities } from "./conditional-logit.mjs";
import { embedded } from "./embeddings.mjs";
import { shuffled } from "./random.mjs";

const here = import.meta.dirname;
const BANKING = process.env.BANKING77 ?? path.join(here, ".data/banking77-train.csv");
const CLINC = process.env.CLINC ?? path.join(here, ".data/clinc-train.json");
const FOLDS = 5;
const SETS = ["banking", "clinc"];
/** How many questions an entry has: one and three as in a new workspace, ten, and all of the other folds. */
const SIZES = [1, 3, 10, Infinity];
/** What the figures of caution are fitted to: of what is answered at each size, so much is right. */
const RIGHT = { 1: 0.98, 3: 0.98, 10: 0.98, Infinity: 0.985 };
const OUT_OF_SCOPE = 0.007;
/** Fewer answers say nothing about a share. */
const ENOUGH = 20;
const LEADS = [0, 4, 8, 12, 16];
/** So many times a question that belongs nowhere counts in the fit: there are only 200, and a wrong answer is worse than none. */
const NOWHERE_COUNTS = 9;
/** What search.queries.ts has. */
const LIMITS = { postings: 64, ofQuestion: 256, entries: 24, questions: 128 };
/** What entry-search.service.ts has. */
const NEAREST = 96;

const { values } = parseArgs({
  options: { every: { type: "string", default: "1" }, way: { type: "string" }, entries: { type: "string" } },
});
const every = Number(values.every);

/** The questions of each set with their intent, their fold and their terms. */
async function read() {
  const clinc = JSON.parse(fs.readFileSync(CLINC, "utf8"));
  const sets = {
    banking: parse(fs.readFileSync(BANKING, "utf8"), { columns: true }).map(({ text, category }) => [text, category]),
    clinc: [...clinc.train, ...clinc.val],
    nowhere: [...clinc.oos_train, ...clinc.oos_val],
  };
  const result = {};
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-terms-"));
  const postgres = await startEmbeddedPostgres({ dataDir: folder, mode: "own", durable: false });
  const client = new pg.Client(postgres.url("postgres"));
  await client.connect();
  await client.query(fs.readFileSync(path.join(here, "../src/knowledge/review/search-terms.sql"), "utf8"));
  for (const [name, pairs] of Object.entries(sets)) {
    const { rows } = await client.query(
      `select (kb_terms(kb_config('en'), said))[:100] as terms from unnest($1::text[]) with ordinality u (said, n) order by n`,
      [pairs.map(([said]) => said)],
    );
    result[name] = pairs.map(([said, intent], i) => ({ said, intent, terms: rows[i].terms }));
    const seen = new Map();
    for (const i of shuffled(result[name].keys(), 77)) {
      const one = result[name][i];
      one.fold = (seen.get(one.intent) ?? 0) % FOLDS;
      seen.set(one.intent, (seen.get(one.intent) ?? 0) + 1);
    }
  }
  await client.end();
  await postgres.stop();
  fs.rmSync(folder, { recursive: true, force: true });
  return result;
}

/** The entries of a workspace, in the order of their ids, and the index over them. */
function workspaceOf(questions, size, fold) {
  const intents = new Map(questions.map(({ intent }) => [intent, []]));
  for (const question of shuffled(questions, 78)) {
    const own = intents.get(question.intent);
    if (question.fold !== fold && own.length < size && !own.some(({ said }) => said === question.said))
      own.push(question);
  }
  const entries = shuffled([...intents], 31 * fold + 7).map(([intent, own]) => ({ intent, own }));
  const postings = new Map();
  entries.forEach(({ own }, id) =>
    own.forEach(({ terms }, n) => {
      for (const term of terms) {
        const list = postings.get(term) ?? [];
        postings.set(term, list);
        if (list.at(-1)?.id === id) list.at(-1).ns.push(n);
        else list.push({ id, ns: [n] });
      }
    }),
  );
  const all = entries.flatMap(({ own }, id) => own.map(({ vector }, n) => ({ key: id * 1_000 + n, vector })));
  return { entries, postings, all };
}

function cosine(one, other) {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
  return sum;
}

/** What the candidates' statement finds, and the questions that mean something close. */
function candidatesOf({ entries, postings, all }, { terms, vector: asked }) {
  const rarest = terms
    .map((term) => ({ term, list: (postings.get(term) ?? []).slice(0, LIMITS.postings) }))
    .sort((a, b) => a.list.length - b.list.length || a.term - b.term);
  let read = 0;
  const found = rarest.flatMap(({ list }) => {
    if (read >= LIMITS.ofQuestion) return [];
    read += list.length;
    const weight = list.length === LIMITS.postings ? 1 : Math.log(1 + 10_000 / list.length);
    return list.map((posting) => ({ ...posting, weight }));
  });
  const weights = new Map();
  for (const { id, ns, weight } of found) weights.set(id, (weights.get(id) ?? 0) + weight * (1 + Math.log(ns.length)));
  const best = new Map([...weights].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, LIMITS.entries));
  const shared = new Map();
  for (const { id, ns, weight } of found)
    if (best.has(id)) for (const n of ns) shared.set(id * 1_000 + n, (shared.get(id * 1_000 + n) ?? 0) + weight);
  const byWords = [...shared]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, LIMITS.questions)
    .map(([key]) => key);
  const near = asked
    ? all
        .map(({ key, vector }) => ({ key, close: cosine(asked, vector) }))
        .sort((a, b) => b.close - a.close)
        .slice(0, NEAREST)
        .map(({ key }) => key)
    : [];
  return [...new Set([...byWords, ...near])].map((key) => {
    const [id, n] = [Math.floor(key / 1_000), key % 1_000];
    const { said, terms: own, vector } = entries[id].own[n];
    return { id: String(id), n, said, terms: own, weight: best.get(id) ?? 0, vector };
  });
}

const BY_WORDS = ["share", "likeness", "closest", "indexed", "covered", "known"];
const BY_MEANING = [...BY_WORDS, "meant", "central", "voted"];
/** Two ways to search, each with figures of its own. */
const WAYS = { words: BY_WORDS, meaning: BY_MEANING };
const LONG = ["share", "likeness", "indexed", "covered"];
const NONE = ["constant", "unknown", "length", "questions", "few"];

function ask(workspace, question, way, unrelated) {
  const meaning = way === "meaning" ? { vector: question.vector, unrelated } : null;
  const among = { questions: workspace.all.length, entries: workspace.entries.length };
  const { entries, doubt } = evidenceOf(question, candidatesOf(workspace, question), meaning, among);
  const names = WAYS[way];
  const leads = leadsOf(entries);
  return {
    questions: doubt.questions,
    workspace: doubt.entries,
    leads: entries.map(({ likeness }, i) => ({ likeness, lead: leads[i] })),
    right: entries.findIndex(({ id }) => workspace.entries[id].intent === question.intent),
    entries: entries.map((one) => [...names.map((name) => one[name]), ...LONG.map((name) => one[name] * doubt.length)]),
    none: NONE.map((name) => (name === "constant" ? 1 : doubt[name])),
  };
}

const logOdds = (chance) => Math.log(chance / (1 - chance));

/** What the caution of ten entries is of that of a hundred. */
const FEW = 0.44;
/** Which part of the caution of a hundred entries counts among so many. */
const ofHundred = (entries) => FEW + (1 - FEW) * amongOf(entries);

/**
 * The figures of caution: at each size the least with which enough is right from ANSWER_FROM on in each set, and little is answered of what
 * belongs nowhere. Of the leads, the one with which the most is answered.
 */
function fitCaution(answers) {
  const least = logOdds(ANSWER_FROM);
  let best = { covered: -1 };
  for (const lead of LEADS) {
    let covered = 0;
    const each = SIZES.map((size) => {
      const sets = SETS.map((set) =>
        answers
          .filter((one) => one.set === set && one.size === size && one.first)
          .map(({ chance, first, ok, scope, workspace }) => {
            const by = chance * Math.min(1, 2 * (1 - first.likeness));
            return {
              most: ((logOdds(chance) - least) / by + lead * first.lead) / (size === 1 ? ofHundred(workspace) : 1),
              ok,
              scope,
            };
          })
          .sort((a, b) => b.most - a.most),
      ).filter(({ length }) => length);
      const caution = Math.max(...sets.map((own) => leastOf(own, RIGHT[size])));
      for (const own of sets)
        covered += own.filter(({ scope, most }) => scope && most >= caution).length / own.length / sets.length;
      return caution;
    });
    if (covered > best.covered) best = { covered, each, lead };
  }
  return { each: best.each, few: FEW * best.each[0], lead: best.lead };
}

function leastOf(sorted, enough) {
  const outside = sorted.filter(({ scope }) => !scope).length || 1;
  let [answered, right, astray, least] = [0, 0, 0, Infinity];
  for (const [i, { ok, scope }] of sorted.entries()) {
    if (!scope) astray++;
    else {
      answered++;
      if (ok) right++;
    }
    if (astray / outside <= OUT_OF_SCOPE && (answered < ENOUGH || right / answered >= enough))
      least = sorted[i + 1]?.most ?? -Infinity;
  }
  return least + 1e-6;
}

/** With its confidence, and that of the next. */
const rated = (answer, wary) => {
  const caution = cautionOf(wary, { questions: answer.questions, entries: answer.workspace });
  const of = (chance, at) => (at ? sureOf(chance, { wary }, caution, at) : 0);
  return { ...answer, confidence: of(answer.chance, answer.first), second: of(answer.nextChance, answer.next) };
};

const measured = (answers, threshold) => {
  const scope = answers.filter((one) => one.scope);
  const given = scope.filter(({ confidence }) => confidence >= threshold);
  const outside = answers.filter((one) => !one.scope);
  return {
    first: scope.filter(({ ok }) => ok).length / scope.length,
    coverage: given.length / scope.length,
    right: given.filter(({ ok }) => ok).length / (given.length || 1),
    outside: outside.filter(({ confidence }) => confidence >= threshold).length / outside.length,
  };
};

const percent = (values) => {
  const shown = values.map((value) => (value * 100).toFixed(1));
  const mean = ((values.reduce((sum, value) => sum + value, 0) / values.length) * 100).toFixed(1);
  return `${mean} (${[...shown].sort((a, b) => a - b)[0]} to ${[...shown].sort((a, b) => a - b).at(-1)})`;
};

function measure(way, data, unrelated) {
  const names = WAYS[way];
  const asked = [];
  for (const set of SETS)
    for (const size of SIZES)
      for (let fold = 0; fold < FOLDS; fold++) {
        const workspace = workspaceOf(data[set], size, fold);
        const held = data[set].filter((one, i) => one.fold === fold && i % every === 0);
        for (const question of held)
          asked.push({ set, size, fold, scope: true, ...ask(workspace, question, way, unrelated) });
        for (const question of data.nowhere)
          asked.push({
            set,
            size,
            fold,
            scope: false,
            weight: NOWHERE_COUNTS / every,
            ...ask(workspace, question, way, unrelated),
            right: -1,
          });
      }

  /** What the figures that are fitted on some answer to others, in the order of their chances. */
  const answered = (learnt, held) => {
    const weights = fit(learnt);
    const chosen = (one) => {
      const { chances } = probabilities(one, weights);
      const [first, next] = [...chances.keys()].sort((a, b) => chances[b] - chances[a]);
      const { entries: _, none: __, leads, ...rest } = one;
      return {
        ...rest,
        ok: one.right >= 0 && first === one.right,
        amongTwo: one.right >= 0 && (first === one.right || next === one.right),
        chance: chances[first] ?? 0,
        first: leads[first],
        nextChance: chances[next] ?? 0,
        next: leads[next],
      };
    };
    const wary = fitCaution(learnt.map(chosen));
    return { wary, weights, answers: held.map((one) => rated(chosen(one), wary)) };
  };
  const parts = (of) => (part) => [asked.filter((one) => of(one) !== part), asked.filter((one) => of(one) === part)];
  const folds = Array.from({ length: FOLDS }, (_, fold) => answered(...parts((one) => one.fold)(fold)));
  const others = SETS.map((set) => answered(...parts((one) => one.set)(set)));
  const answers = folds.flatMap((one) => one.answers);
  function table(title, answers) {
    console.log(
      `\n${title}\n\n| set | questions an entry | first hit | answered | of these right | out of scope answered |\n|---|---|---|---|---|---|`,
    );
    for (const size of SIZES)
      for (const [name, sets] of SETS.map((set) => [set, [set]])) {
        const folds = Array.from({ length: FOLDS }, (_, fold) => {
          const each = sets.map((set) =>
            measured(
              answers.filter((one) => one.set === set && one.size === size && one.fold === fold),
              ANSWER_FROM,
            ),
          );
          return Object.fromEntries(
            Object.keys(each[0]).map((key) => [key, each.reduce((sum, one) => sum + one[key] / each.length, 0)]),
          );
        });
        const cells = ["first", "coverage", "right", "outside"].map((key) => percent(folds.map((one) => one[key])));
        console.log(`| ${name} | ${size === Infinity ? "all" : size} | ${cells.join(" | ")} |`);
      }
  }
  const inScope = answers.filter(({ size, scope }) => scope && size === 10).length;
  console.log(`\n# By ${way}\n\n${inScope} questions; mean of the folds (lowest to highest), %`);
  table(`Each fold with what was fitted on the other folds, at ${ANSWER_FROM}:`, answers);
  table(
    "Each set with what was fitted on the other set:",
    others.flatMap((one) => one.answers),
  );
  const asksBack = ({ confidence, second }) =>
    confidence < ANSWER_FROM && second >= ASK_BACK_FROM && confidence - second < ASK_BACK_WITHIN;
  const share = (part, all) => `${((part.length / all.length) * 100).toFixed(1)} %`;
  for (const size of SIZES) {
    const own = answers.filter((one) => one.size === size && one.scope);
    const nowhere = answers.filter((one) => one.size === size && !one.scope);
    const back = own.filter(asksBack);
    const named = back.filter(({ amongTwo }) => amongTwo);
    console.log(
      `\nasks back at ${size} questions an entry: ${share(back, own)}, one of the two is right in ${share(named, back)}; of what belongs nowhere ${share(nowhere.filter(asksBack), nowhere)}`,
    );
  }
  console.log(
    "\ncaution of the folds, and of the sets:",
    [...folds, ...others].map(({ wary }) => JSON.stringify(wary)),
  );
  const { weights: final, wary } = answered(asked, []);
  const named = (names, from) => Object.fromEntries(names.map((name, i) => [name, Number(final[from + i].toFixed(2))]));
  console.log("fitted on all folds:", {
    entry: named(names, 0),
    long: named(LONG, names.length),
    none: named(NONE, names.length + LONG.length),
    wary,
  });
}

/**
 * Parley as it is, in workspaces of so many intents with one question each. What the other intents of the set are asked with is near, and no
 * entry answers it.
 */
function measureFew(data, unrelated) {
  console.log(
    "| set | entries | questions | answered | of these right | of what is near, answered | of what belongs nowhere |",
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  for (const set of SETS)
    for (const most of values.entries.split(",").map(Number)) {
      const answers = [];
      for (let fold = 0; fold < FOLDS; fold++) {
        const intents = shuffled([...new Set(data[set].map(({ intent }) => intent))], 5 + fold);
        const held = data[set].filter((one, i) => one.fold === fold && i % every === 0);
        const nowhere = data.nowhere.filter((_, i) => i % every === 0);
        for (let at = 0; at + most <= intents.length; at += most) {
          const own = new Set(intents.slice(at, at + most));
          const workspace = workspaceOf(
            data[set].filter(({ intent }) => own.has(intent)),
            1,
            fold,
          );
          const among = { questions: workspace.all.length, entries: workspace.entries.length };
          for (const question of [...held, ...nowhere]) {
            const meaning = { vector: question.vector, unrelated };
            const [first] = rank(question, candidatesOf(workspace, question), meaning, among);
            const isSent = first !== undefined && first.confidence >= ANSWER_FROM;
            const ok = isSent && workspace.entries[first.id].intent === question.intent;
            answers.push({
              kind: own.has(question.intent) ? "own" : nowhere.includes(question) ? "nowhere" : "near",
              isSent,
              ok,
            });
          }
        }
      }
      const of = (kind) => answers.filter((one) => one.kind === kind);
      const sent = (kind) => of(kind).filter(({ isSent }) => isSent);
      const share = (part, all) => ((part.length / (all.length || 1)) * 100).toFixed(1);
      const cells = [set, most, of("own").length, share(sent("own"), of("own"))];
      cells.push(
        share(
          sent("own").filter(({ ok }) => ok),
          sent("own"),
        ),
      );
      console.log(
        `| ${[...cells, share(sent("near"), of("near")), share(sent("nowhere"), of("nowhere"))].join(" | ")} |`,
      );
    }
}

const data = await read();
if (values.entries) {
  const embed = await load();
  const vectors = new Map();
  const vectorOf = (said) => vectors.get(said) ?? vectors.set(said, embed(said)).get(said);
  for (const question of Object.values(data).flat())
    Object.defineProperty(question, "vector", { enumerable: true, get: () => vectorOf(question.said) });
  measureFew(data, meanCosine(UNRELATED.map(vectorOf)));
  process.exit();
}
if (values.way === undefined || values.way === "words") measure("words", data);
if (values.way === undefined || values.way === "meaning") {
  const texts = [...new Set([...SETS, "nowhere"].flatMap((set) => data[set].map(({ said }) => said)))];
  let vectors = await embedded([...texts, ...UNRELATED], process.env.VECTORS);
  if (!vectors) {
    const embed = await load();
    vectors = [...texts, ...UNRELATED].map((said) => embed(said));
  }
  const vectorOf = new Map([...texts, ...UNRELATED].map((said, i) => [said, vectors[i]]));
  for (const question of Object.values(data).flat()) question.vector = vectorOf.get(question.said);
  const unrelated = meanCosine(UNRELATED.map((said) => vectorOf.get(said)));
  console.log(`\ncosine of unrelated texts: ${unrelated.toFixed(3)}`);
  measure("meaning", data, unrelated);
}
