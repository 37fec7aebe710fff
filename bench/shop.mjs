// node bench/shop.mjs: see README.md. Asks for the 30 entries of a shop in hard paraphrases, with and without what the answers mean.
import fs from "node:fs";
import path from "node:path";
import { load } from "@parley/sentence-vectors";
import { meanCosine, UNRELATED } from "../dist/src/knowledge/review/meaning.js";
import { ANSWER_FROM, rank } from "../dist/src/knowledge/review/ranking.js";

const shop = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, "sets/shop.json"), "utf8"));
const embed = await load();
const unrelated = meanCosine(UNRELATED.map((said) => embed(said)));

console.log(
  "| language | answers | first hit of 30 | among three | answered | of these right | in the very words, answered |",
);
console.log("| --- | --- | --- | --- | --- | --- | --- |");
for (const [language, entries] of Object.entries(shop))
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
        { questions: 30, entries: 30 },
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
      `| ${[language, told ? "with" : "without", among(1), among(3), given.length, given.filter(({ ok }) => ok).length, same.length].join(" | ")} |`,
    );
  }
