// node bench/quoted-text.mjs [folder …]: how well and how fast quoted text is left out of mails, beside libraries that do the same.
//
// The mails of the tests are always read. A further folder holds mails as `*.txt` and an `expected.json`:
// `{ "<file>": { "kept": ["words that the person wrote"], "left": ["words that are quoted or a signature"] } }`.
// The libraries are compared if they are installed: npm install --no-save email-reply-parser@2.3.5 planer
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { withoutQuotedText } from "../dist/src/channels/email/quoted-text.js";

const root = path.resolve(import.meta.dirname, "..");
const TIME_LIMIT_MS = 30_000;
const optional = (name) => import(name).catch(() => undefined);

const [replyParser, planer] = await Promise.all(["email-reply-parser", "planer"].map(optional));
const ways = {
  Parley: (text, subject) => withoutQuotedText(text, subject).body,
  ...(replyParser && { "email-reply-parser": (text) => new replyParser.default().read(text).getVisibleText() }),
  ...(planer && { planer: (text) => planer.default.extractFrom(text, "text/plain") }),
};
const plain = (text) => text.replace(/\s+/g, " ").trim();

const SHAPES = {
  "line ends": (length) => `a${"\n".repeat(length)}b`,
  "quoted empty lines": (length) => `a${"\n> ".repeat(length / 3)}`,
  "quoted and written lines": (length) => "x\n> y\n".repeat(length / 6),
  "beginnings of attributions": (length) => `${"On 2025 ".repeat(length / 8)}wrote`,
  "attributions and quoted lines": (length) => "On 10:12 a wrote:\n> x\n".repeat(length / 22),
};
const LENGTHS = [54_000, 130_000, 1_000_000];

if (process.argv[2] === "--time") {
  const [, , , way, shape, length] = process.argv;
  const text = SHAPES[shape](Number(length));
  const began = performance.now();
  ways[way](text);
  console.log(performance.now() - began);
  process.exit();
}

function testMails(way) {
  const { shortened, whole } = JSON.parse(
    fs.readFileSync(path.join(root, "test/unit/channels/quoted-mails.json"), "utf8"),
  );
  const asExpected = (expected, { text, subject = "Re: My order" }) => plain(way(text, subject)) === plain(expected);
  return [
    `${shortened.filter((mail) => asExpected(mail.body, mail)).length}/${shortened.length} shortened as they should be`,
    `${whole.filter((mail) => asExpected(mail.text, mail)).length}/${whole.length} whole as they should be`,
  ];
}

function corpus(way, folder) {
  const counts = { kept: [0, 0], left: [0, 0] };
  const expected = JSON.parse(fs.readFileSync(path.join(folder, "expected.json"), "utf8"));
  for (const [file, words] of Object.entries(expected)) {
    const body = plain(way(fs.readFileSync(path.join(folder, file), "utf8"), ""));
    for (const kind of ["kept", "left"])
      for (const some of words[kind] ?? []) {
        counts[kind][1]++;
        if (body.includes(plain(some)) === (kind === "kept")) counts[kind][0]++;
      }
  }
  return [`${counts.kept.join("/")} words kept`, `${counts.left.join("/")} quotes left out`];
}

/** In a process of its own, which is ended when it takes too long. */
function time(way, shape, length) {
  const { stdout, status } = spawnSync(process.execPath, [import.meta.filename, "--time", way, shape, String(length)], {
    encoding: "utf8",
    timeout: TIME_LIMIT_MS,
  });
  return status === 0 ? `${Math.round(Number(stdout))} ms` : `over ${TIME_LIMIT_MS / 1_000} s`;
}

for (const [name, way] of Object.entries(ways)) {
  console.log(`${name}\n  mails of the tests: ${testMails(way).join(", ")}`);
  for (const folder of process.argv.slice(2)) console.log(`  ${folder}: ${corpus(way, folder).join(", ")}`);
  for (const shape of Object.keys(SHAPES))
    console.log(
      `  ${shape}: ${LENGTHS.map((length) => `${length / 1_000} kB ${time(name, shape, length)}`).join(", ")}`,
    );
}
