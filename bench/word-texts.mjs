// node bench/word-texts.mjs WORDS WORDNET [FILE…]: see README.md. Writes the texts from which bench/word-vectors.mjs learns, one a line:
// the examples and explanations of WordNet, the sentences of the files, and questions that it makes up.
import fs from "node:fs";
import path from "node:path";
import { parse } from "csv-parse/sync";
import { wordsOf } from "../dist/src/knowledge/review/similarity.js";
import { random } from "./random.mjs";

/** How many questions of each kind. Each has two words that are drawn by chance, frequent words more often. */
const MADE_UP = 160_000;
const MOST_WORDS = 40;
/** There are more explanations than all else, so only some of the short ones are taken. */
const MOST_WORDS_EXPLAINED = 14;
const EXPLAINED = 0.4;
/** At least as many of its words have to be in WORDS. */
const KNOWN = 0.8;
/** Of the most frequent words, those that are often a verb and so on are drawn. */
const FREQUENT = { verb: 9_000, noun: 12_000, adjective: 8_000 };

/** `{a}` is the noun with its article, `{s}` its plural. */
const QUESTIONS = {
  verb: [
    "how do i {verb} my {noun}",
    "how can i {verb} {a}",
    "can you {verb} the {noun}",
    "can i {verb} my {noun}",
    "i want to {verb} {a}",
    "i need to {verb} my {noun}",
    "i would like to {verb} my {noun}",
    "{verb} {noun}",
    "{verb} my {noun}",
    "please {verb} the {noun} for me",
    "is it possible to {verb} {s}",
    "why can't i {verb} my {noun}",
    "i can't {verb} the {noun}",
    "what happens if i {verb} the {noun}",
    "where can i {verb} {a}",
    "how long does it take to {verb} {a}",
    "how much does it cost to {verb} {a}",
    "do you {verb} {s}",
    "i don't want to {verb} my {noun}",
    "when can i {verb} the {noun}",
    "help me {verb} {a}",
    "what do i need to {verb} {a}",
    "should i {verb} the {noun}",
    "tell me how to {verb} {a}",
    "who can {verb} my {noun}",
    "i forgot to {verb} my {noun}",
  ],
  past: [
    "i {past} my {noun}",
    "my {noun} was {past}",
    "why was my {noun} {past}",
    "has my {noun} been {past}",
    "my {noun} has not been {past}",
    "when will my {noun} be {past}",
    "the {noun} got {past}",
    "what if my {noun} is {past}",
  ],
  ing: [
    "{ing} {a}",
    "{ing} my {noun}",
    "i have a problem with {ing} my {noun}",
    "what are the rules for {ing} {s}",
    "is {ing} {a} allowed",
    "my {noun} is not {ing}",
    "my {noun} keeps {ing}",
  ],
  noun: [
    "{other} {noun}",
    "my {other} {noun}",
    "what is the {noun} of my {other}",
    "tell me about {other} {noun}",
    "where is the {other} {noun}",
    "do you have {a} with {other}",
    "the {noun} on my {other} is wrong",
    "how much is the {other} {noun}",
    "i lost my {other} {noun}",
    "which {other} has the best {noun}",
    "where do i find the {noun} for my {other}",
    "what does the {other} {noun} mean",
    "do i need {a} for the {other}",
    "{other} and {noun}",
    "how many {s} are in {other}",
    "show me my {other} {s}",
    "can i use my {noun} for {other}",
  ],
  adjective: [
    "why is my {noun} {adjective}",
    "is the {noun} {adjective}",
    "the {noun} is not {adjective}",
    "i want {adjective} {s}",
    "{adjective} {noun}",
    "how {adjective} is the {noun}",
    "do you have {adjective} {s}",
    "what makes {a} {adjective}",
    "the {noun} seems {adjective}",
    "are there any {adjective} {s}",
  ],
};

const [wordList, wordNet, ...files] = process.argv.slice(2);
const lines = (file) => fs.readFileSync(file, "utf8").trimEnd().split("\n");
const ranks = new Map(lines(wordList).map((word, rank) => [wordsOf(word).join(" "), rank]));
const next = random(11);
const texts = new Map();

function add(said, most = MOST_WORDS) {
  const text = said.replace(/\s+/g, " ").trim();
  const words = wordsOf(text);
  const known = words.filter((word) => ranks.has(word)).length;
  if (words.length >= 2 && words.length <= most && known >= KNOWN * words.length) texts.set(words.join(" "), text);
}

/** How often a word is a noun, and so on, in the texts that WordNet counted. */
const KINDS = { 1: "noun", 2: "verb", 3: "adjective", 5: "adjective" };
function frequent() {
  const counts = new Map();
  for (const line of lines(path.join(wordNet, "index.sense"))) {
    const [key, , , count] = line.split(" ");
    const [word, kind] = key.split("%");
    const own = counts.get(word) ?? { all: 0 };
    counts.set(word, own);
    own.all += Number(count) + 0.5;
    const name = KINDS[kind[0]];
    own[name] = (own[name] ?? 0) + Number(count) + 0.5;
  }
  const result = {};
  for (const [kind, most] of Object.entries(FREQUENT))
    result[kind] = [...counts]
      .filter(
        ([word, own]) => /^[a-z]{3,}$/.test(word) && ranks.get(word) < most && own[kind] >= Math.max(1, own.all / 4),
      )
      .map(([word]) => word);
  return result;
}

/** Draws words, frequent ones more often. */
function drawing(words) {
  const ends = [];
  for (const word of words) ends.push((ends.at(-1) ?? 0) + (ranks.get(word) + 300) ** -0.7);
  return () => {
    const at = next() * ends.at(-1);
    let [low, high] = [0, ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle] > at) high = middle;
      else low = middle + 1;
    }
    return words[low];
  };
}

/** The first of the forms that is a word. */
const form = (...forms) => forms.find((one) => ranks.has(one));
const doubled = (word) => word + word.at(-1);

function makeUp() {
  const words = frequent();
  const draw = Object.fromEntries(Object.entries(words).map(([kind, own]) => [kind, drawing(own)]));
  for (let n = 0; n < MADE_UP; n++) {
    const verb = draw.verb();
    const noun = draw.noun();
    const parts = {
      verb,
      noun,
      past: form(`${verb}d`, `${verb}ed`, `${verb.slice(0, -1)}ied`, `${doubled(verb)}ed`),
      ing: form(`${verb.slice(0, -1)}ing`, `${verb}ing`, `${doubled(verb)}ing`),
      other: draw.noun(),
      adjective: draw.adjective(),
      a: `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`,
      s: form(`${noun}s`, `${noun}es`, `${noun.slice(0, -1)}ies`) ?? noun,
    };
    const chance = next();
    const kind =
      chance < 0.32 ? "verb" : chance < 0.42 ? "past" : chance < 0.52 ? "ing" : chance < 0.82 ? "noun" : "adjective";
    const question = QUESTIONS[kind][Math.floor(next() * QUESTIONS[kind].length)];
    if (parts[kind]) add(question.replace(/\{(\w+)\}/g, (_, name) => parts[name]));
  }
}

function readWordNet() {
  for (const kind of ["noun", "verb", "adj", "adv"])
    for (const line of lines(path.join(wordNet, `data.${kind}`))) {
      if (line.startsWith("  ")) continue;
      const [, said = ""] = line.split("|");
      for (const part of said.split(";").map((one) => one.trim()))
        if (part.startsWith('"')) add(part.replaceAll('"', ""));
        else if (next() < EXPLAINED) add(part, MOST_WORDS_EXPLAINED);
    }
}

/** All strings of JSON, and the sentences of other texts. */
function readFile(file) {
  const text = fs.readFileSync(file, "utf8");
  const sentences = (said) => said.split(/(?<=[.!?])\s+/).forEach((one) => add(one));
  const strings = (value) => {
    if (typeof value === "string") sentences(value);
    else if (value && typeof value === "object") Object.values(value).forEach(strings);
  };
  if (file.endsWith(".ndjson")) for (const line of text.trim().split("\n")) strings(JSON.parse(line));
  else if (file.endsWith(".json")) strings(JSON.parse(text));
  else sentences(text);
}

makeUp();
readWordNet();
files.forEach(readFile);
// The questions by which the search is measured are not learnt, not even those that come up by chance.
const data = path.join(import.meta.dirname, ".data");
const { BANKING77 = path.join(data, "banking77-train.csv"), CLINC = path.join(data, "clinc-train.json") } = process.env;
const measured = [
  ...parse(fs.readFileSync(BANKING77, "utf8"), { columns: true }).map(({ text }) => text),
  ...Object.values(JSON.parse(fs.readFileSync(CLINC, "utf8"))).flatMap((pairs) => pairs.map(([text]) => text)),
];
const before = texts.size;
for (const said of measured) texts.delete(wordsOf(said).join(" "));
console.error(`${texts.size} texts, without ${before - texts.size} that are in BANKING77 or CLINC`);
console.log([...texts.values()].join("\n"));
