// node bench/shop.mjs: see README.md. Asks for the entries of a shop and of a bicycle workshop in hard paraphrases, with and without what the
// answers mean.
import fs from "node:fs";
import path from "node:path";
import { load } from "@parley/sentence-vectors";
import { meanCosine, UNRELATED } from "../dist/src/knowledge/review/meaning.js";
import { ANSWER_FROM, rank } from "../dist/src/knowledge/review/ranking.js";

const SETS = ["shop", "workshop"];
const embed = await load();
const unrelated = meanCosine(UNRELATED.map((said) => embed(said)));

const read = (set) =>
  Object.entries(JSON.parse(fs.readFileSync(path.join(import.meta.dirname, `sets/${set}.json`), "utf8")));

console.log(
  "| set | language | answers | entries | first hit | among three | answered | of these right | in the very words, answered |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
for (const [set, language, entries] of SETS.flatMap((set) => read(set).map(([...one]) => [set, ...one])))
  for (const told of [false, true]) {
    const candidates = entries.map(([said], i) => {
      return { id: String(i), n: 1, said, terms: [], weight: 0, vector: embed(said) };
    });
    const answers = new Map(told ? entries.map(([, , answer], i) => [String(i), embed(answer)]) : []);
    const ask = (said) =>
      rank(
        { said, terms: [] },
        candidates,
        { vector: embed(said), unrelated, answers },
        { questions: entries.length, entries: entries.length },
      );
    const ranked = entries.map(([, paraphrase]) => ask(paraphrase));
    const among = (most) => ranked.filter((hits, i) => hits.slice(0, most).some(({ id }) => id === String(i))).length;
    const sure = ranked.map(([first], i) => ({ ...first, ok: first.id === String(i) }));
    const given = sure.filter(({ confidence }) => confidence >= ANSWER_FROM);
    const same = entries.filter(([said], i) => {
      const [first] = ask(said);
      return first.id === String(i) && first.confidence >= ANSWER_FROM;
    });
    console.log(
      `| ${[set, language, told ? "with" : "without", entries.length, among(1), among(3), given.length, given.filter(({ ok }) => ok).length, same.length].join(" | ")} |`,
    );
  }
