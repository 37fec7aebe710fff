// What the learning loop leaves out of people's answers, on the human dialogues of STAR:
// npm run build && node bench/redaction.mjs --data <star-1000.ndjson> [--sample 40]
//
// Each dialogue's customer gets a name, an address, a telephone number and an order number, as their record would have them. The
// operator's real replies are looked at as they stand, and with these put into them in many ways. A leak is any of them in what is
// kept. A false removal is a gap in a reply that holds no number, no title and no name of the dialogue.
import fs from "node:fs";
import { parseArgs } from "node:util";
import { matterOf } from "../dist/src/learning/redaction/courtesy.js";
import { namesGiven } from "../dist/src/learning/redaction/names.js";
import { redactor } from "../dist/src/learning/redaction/redact.js";

const { values } = parseArgs({ options: { data: { type: "string" }, sample: { type: "string", default: "0" } } });
const dialogues = fs
  .readFileSync(values.data, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const FIRST = [
  "Ragnheiður",
  "Will",
  "Ada",
  "José",
  "Mary-Jane",
  "Grace",
  "Zoë",
  "Jürgen",
  "Mohammed",
  "Li",
  "Rose",
  "Mark",
];
const LAST = [
  "Lovelace",
  "Smith",
  "Müller",
  "O'Brien",
  "Jónsdóttir",
  "van der Berg",
  "García",
  "King",
  "Nguyễn",
  "Young",
  "Özdemir",
  "Price",
];
const STREETS = [
  "12 Baker Street",
  "4200 Fifth Ave",
  "Hauptstraße 12",
  "7b Mill Lane",
  "Lange Str. 4",
  "Am Markt 3",
  "221 West Oak Road, Apt 4",
];
/** Each puts something personal into a reply. */
const PLACED = [
  (reply, who) => `Hi ${who.first}, ${reply}`,
  (reply, who) => `Hello ${who.first} ${who.last},\n\n${reply}\n\nBest regards,\nSam`,
  (reply, who) => `${reply} I have noted it for ${who.first} ${who.last}.`,
  (reply, who) => `${reply} We write to ${who.email} about it.`,
  (reply, who) => `${reply} It is for order ${who.order}, ${who.first}.`,
  (reply, who) => `${reply} Your order number ${who.order} goes to ${who.street}.`,
  (reply, who) => `${reply} Can we call you on ${who.phone}? Otherwise we do it at once.`,
  (reply, who) =>
    `Sehr geehrte Frau ${who.last}, ${reply} Ihre Bestellnummer lautet ${who.order}. Mit freundlichen Grüßen, Sam`,
  (reply, who) => `${reply} That is ${who.first}'s account ${who.account}.`,
];
const STAYS = [
  "14.90 EUR",
  "$25",
  "5 to 7 days",
  "30 days",
  "24 hours",
  "Berlin",
  "Paris",
  "10 am",
  "1,000 points",
  "12.05.2026",
  "3 kg",
];

let random = 1;
const pick = (list) => list[(random = (random * 48_271) % 2_147_483_647) % list.length];
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const leaks = (kept, who) => {
  const names = [who.first, who.last]
    .flatMap((name) => name.match(/\p{L}{3,}/gu) ?? [])
    .filter((part) => !["van", "der"].includes(part));
  const found = names.filter((part) => new RegExp(`(?<!\\p{L})${part}(?!\\p{L})`, "u").test(kept));
  for (const [kind, text] of Object.entries({
    email: who.email,
    order: who.order,
    account: who.account,
    street: who.street.split(",")[0],
  }))
    if (kept.includes(text)) found.push(kind);
  if (kept.replace(/\D/g, "").includes(who.phone.replace(/\D/g, "").slice(2))) found.push("phone");
  return found;
};

const totals = {
  replies: 0,
  empty: 0,
  gaps: 0,
  falseRemovals: 0,
  placed: 0,
  leaks: 0,
  stays: 0,
  staysLost: 0,
  characters: 0,
};
const samples = { falseRemovals: [], leaks: [], kept: [] };
let ms = 0;
for (const { turns } of dialogues) {
  const said = turns.filter(({ from }) => from !== "system");
  const given = namesGiven(
    said.flatMap(({ from, text }, i) => (from === "customer" ? [{ asked: said[i - 1]?.text, said: text }] : [])),
  );
  const who = { first: pick(FIRST), last: pick(LAST), street: pick(STREETS) };
  who.email = `${folded(who.first).replace(/\W/g, "")}.${folded(who.last).replace(/\W/g, "")}@example.org`;
  who.order = pick(["4711-0815", "ORD-88123", "88123977", "A1B2C3D4", "7731"]);
  who.account = String(100_000 + ((random = (random * 48_271) % 2_147_483_647) % 899_999));
  who.phone = pick(["+49 170 1234567", "0800 555 0199", "(412) 555-0134", "+354 555 1234"]);
  const known = {
    contact: [`${who.first} ${who.last}`, ...given],
    members: ["Sam Operator"],
    identifiers: [who.email],
    ours: [],
  };
  const redact = redactor(known);
  for (const { from, text } of said) {
    if (from !== "operator") continue;
    totals.replies++;
    totals.characters += text.length;
    const began = performance.now();
    const redacted = redact(text);
    const kept = matterOf(redacted);
    ms += performance.now() - began;
    if (!kept) totals.empty++;
    else samples.kept.push(`${text} → ${kept}`);
    if (redacted.includes("[…]")) {
      totals.gaps++;
      const own = [...given.flatMap((name) => name.split(/\s+/)), who.first, who.last].map(folded);
      const plain =
        !/\d|\b(?:Dr|Mr|Mrs|Ms|Miss|name)\b/i.test(text) && !own.some((name) => folded(text).includes(name));
      if (plain) {
        totals.falseRemovals++;
        samples.falseRemovals.push(`${text} → ${redacted}`);
      }
    }
    const put = pick(PLACED)(text, who);
    totals.placed++;
    const left = leaks(matterOf(redact(put)), who);
    if (left.length && !leaks(text, who).length) {
      totals.leaks++;
      samples.leaks.push(`${left}: ${put} → ${matterOf(redact(put))}`);
    }
    const stays = pick(STAYS);
    totals.stays++;
    if (!redact(`${text} It takes or costs ${stays} there.`).includes(stays)) totals.staysLost++;
  }
}
console.log({ ...totals, microsecondsPerReply: Math.round((1_000 * ms) / totals.replies) });
const sample = Number(values.sample);
for (const [name, list] of Object.entries(samples))
  if (sample)
    console.log(
      `\n${name}`,
      ...Array.from({ length: Math.min(sample, list.length) }, () => `\n  ${pick(list).replace(/\s+/g, " ")}`),
    );
