// tau2-bench's 114 retail tasks as conversations, with the procedures of demo/procedures.json and a language model beside them:
// PARLEY_SHOPS=<folder> node bench/procedures-model.mjs [--tasks 114]
//
// The customer begins with the task's own words. What a phrase of theirs begins, a procedure does. For the rest the model, a script,
// makes the gold calls: it looks up, begins procedures, makes changes and hands over. Afterwards the shop's state is compared with the gold calls'.
import fs from "node:fs";
import { parseArgs } from "node:util";
import { isRead, tasksOf } from "./hostile/gold.mjs";
import { openInstallation } from "./hostile/installation.mjs";
import { db, rawTasks } from "./hostile/retail.mjs";
import { Shop, shopTools } from "./hostile/retail-shop.mjs";
import { IN_OTHER_WORDS, OPENINGS, QUESTIONS } from "./procedures/customer.mjs";
import { scriptedModel } from "./procedures/model.mjs";
import { openShop, same } from "./procedures/shop.mjs";
import { Wanting } from "./procedures/wanting.mjs";

const { values } = parseArgs({ options: { tasks: { type: "string", default: "1000" } } });
const AT_ONCE = 12;
const MAX_MESSAGES = 40;
const MORE = [
  ["get_item_details", ["options", "price", "available"]],
  ["calculate", ["result"]],
].map(([name, publicFields]) => {
  const { description, effect, parameters } = shopTools().find((tool) => tool.name === name);
  return { name, description, effect, parameters, publicFields };
});

/** Three tasks have no gold calls but a transfer: what their customers want all the same. */
const WITHOUT_CALLS = {
  24: { userId: customer("Sofia", "Hernandez", "98193"), regrets: "Grill", reads: ["get_user_details"] },
  50: { userId: customer("Chen", "Smith", "32278") },
  57: { userId: "ivan_hernandez_6923", reads: ["#W4284542"] },
};
function customer(first, last, zip) {
  return Object.values(db.users).find(
    ({ name, address }) => name.first_name === first && name.last_name === last && address.zip === zip,
  ).user_id;
}

/** What the customer of a task wants, in its order: `kind` is change, regret, look or transfer. */
function wishesOf(task) {
  const { id, evaluation_criteria: criteria, user_scenario: scenario } = task;
  const [known] = tasksOf(db, [task]);
  const { reason_for_call: reason, known_info: info } = scenario.instructions;
  const says = known?.says ?? [reason, info].filter(Boolean).join("\n");
  const besides = known ? {} : WITHOUT_CALLS[id];
  const userId = known?.userId ?? besides.userId;
  const wishes = [];
  let reads = (besides.reads ?? []).map((what) =>
    what.startsWith("#") ? { name: "get_order_details", args: { order_id: what } } : { name: what, args: {} },
  );
  if (besides.regrets) {
    const order = db.users[userId].orders.find((one) =>
      db.orders[one].items.some(({ name }) => name === besides.regrets),
    );
    const args = { order_id: order, reason: "no longer needed" };
    wishes.push({ kind: "regret", call: { name: "cancel_pending_order", args }, reads: [] });
  }
  for (const { name, arguments: given } of criteria.actions ?? []) {
    const { user_id: _, ...args } = given;
    if (name.startsWith("find_")) continue;
    if (name === "transfer_to_human_agents") wishes.push({ kind: "transfer", reads });
    else if (isRead({ name })) {
      reads.push({ name, args });
      continue;
    } else wishes.push({ kind: "change", call: { name, args }, reads });
    reads = [];
  }
  if (reads.length) wishes.push({ kind: "look", reads });
  return { id, userId, says, wishes, facts: criteria.communicate_info ?? [] };
}

const cases = [];
const meanings = new Map();
const { model, counts: asked } = scriptedModel((n) => cases[n], meanings);
const byConversation = new Map();
const installation = await openInstallation({
  name: "bench_procedures_model",
  key: "a key of the model",
  // A busy machine is no failure of the model.
  chatSeconds: 60,
  model,
  tools: ({ body }) => byConversation.get(body.conversation.id).answer(body),
});
const { must } = installation;
const ours = await installation.tenant("Shop");
const talkOf = await openShop(installation, ours, MORE);

/** What waits for a colleague is approved. */
async function approve(id) {
  const { data } = await must("GET", `/api/conversations/${id}/pending-actions`, ours.owner);
  const waiting = data.filter(({ status }) => status === "pending");
  for (const { id: action, argumentsHash } of waiting)
    await must("POST", `/api/pending-actions/${action}/approve`, ours.owner, { argumentsHash });
  approvals += waiting.length;
  return waiting.length > 0;
}
let approvals = 0;

/** What has come of the current wish of a conversation, for the model and for the customer. */
class Case {
  shop = new Shop(db, {});
  calls = [];
  reads = [];
  refusedReads = [];

  constructor(makesCalls) {
    this.makesCalls = makesCalls;
  }
  /** Names the case for the model. */
  numbered(text) {
    return `${text}\n(case ${this.number})`;
  }
  want({ kind, call, reads }) {
    Object.assign(this, { kind, call, wasRefused: false });
    this.reads.push(...reads);
  }
  answer(body) {
    const answered = this.shop.answer(body);
    this.calls.push({ name: body.tool, arguments: body.arguments, done: answered.status === 200 });
    return answered;
  }
  toRead() {
    return this.reads.filter((read) => !this.refusedReads.includes(read) && !this.calls.some((one) => same(one, read)));
  }
  refused() {
    if (this.asked === this.call) this.wasRefused = true;
    else this.refusedReads.push(this.asked);
  }
  isMade(call) {
    return this.calls.some((one) => one.done && same(one, call));
  }
  isDone() {
    return this.isMade(this.call);
  }
}

let words = 0;
/** No pattern reads this. */
function inOwnWords(value) {
  const said = `The kind my ${String(words++).replace(/\d/g, (digit) => "bcdfghjklm"[digit])} aunt would take`;
  meanings.set(said, { means: "value", value });
  return said;
}

const counts = {};
const notes = [];
const FIELDS = ["played", "reached", "rightly refused", "wrongly refused", "wrongly done"];
function add(kind, field, by = 1) {
  counts[kind] ??= Object.fromEntries(FIELDS.map((name) => [name, 0]));
  counts[kind][field] += by;
}
const sums = {
  tasks: 0,
  "gold state": 0,
  "wrong state": 0,
  "told, not done": 0,
  "done, not told": 0,
  facts: 0,
  told: 0,
};
Object.assign(sums, { turned: 0, corrected: 0, "handed over": 0 });

/** @param makesCalls whether the model makes changes itself that no phrase began */
async function play(task, n, makesCalls) {
  const known = wishesOf(task);
  const { userId, says, wishes } = known;
  const one = new Case(makesCalls);
  one.number = cases.push(one) - 1;
  const talk = await talkOf(userId, (id) => byConversation.set(id, one), approve);
  const outcomes = [];
  let isOver = false;
  for (const [at, wish] of wishes.entries()) {
    one.want(wish);
    if (isOver) break;
    const opening = one.numbered(at === 0 ? says : openingOf(wish, at + n));
    const customer = customerOf(wish, one, userId, opening);
    isOver = await converse(talk, customer, wish, one, opening);
    outcomes.push({ wish, customer });
    // What was not looked up for it is asked for.
    if (!isOver && wish.kind !== "look" && one.toRead().length) isOver = await look(talk, one);
  }
  const handlingMode = await talk.handlingMode();
  const { data: runs } = await must("GET", `/api/conversations/${talk.id}/agent-activity`, ours.key);
  const reasons = runs.flatMap(({ reason }) => reason ?? []);
  return { task: known, one, talk, outcomes, handlingMode, reasons };
}

const openingOf = ({ kind, call }, n) =>
  kind === "transfer"
    ? "Please let me talk to a person."
    : kind === "look"
      ? "There is something that I would like you to look at."
      : (n % 2 ? OPENINGS : IN_OTHER_WORDS)[call.name];

function customerOf({ kind, call }, one, userId, opening) {
  if (!call) return undefined;
  const habit = kind === "regret" ? "refuses" : "plain";
  return new Wanting(db, one.shop, {
    userId,
    call,
    habit,
    first: opening,
    words: one.numbered(OPENINGS[call.name]),
    inOwnWords,
  });
}

const OVER = /passing this on to a colleague|told my colleagues/;
/** @returns whether people have taken over */
async function converse(talk, customer, wish, one, opening) {
  if (!customer) return look(talk, one, opening, wish.kind);
  let next = opening;
  for (let count = 0; next !== undefined && count < MAX_MESSAGES; count++) {
    const told = await talk.say(next);
    // The model has looked something up first.
    next = next === opening && isOnlyTold(told) ? customer.open() : customer.answer(told);
  }
  return customer.handedOver || customer.gaveUp || OVER.test(talk.said.at(-1)[1]);
}
const isOnlyTold = (text) => !/\?/.test(text) && !OVER.test(text) && !/[Oo]nly|has been done/.test(text);

async function look(
  talk,
  one,
  opening = one.numbered("There is something else that I would like you to look at."),
  kind = "look",
) {
  one.kind = kind;
  let next = opening;
  for (let count = 0; count < 8; count++) {
    const told = await talk.say(next);
    if (OVER.test(told)) return true;
    if (/What is your zip code\?/.test(told)) next = db.users[talk.userId].address.zip;
    else if (kind === "transfer") next = "Please let me talk to a person.";
    // A procedure has begun that they do not want.
    else if (QUESTIONS.some(({ asks }) => asks.test(told))) next = "Never mind.";
    else if (one.toRead().length) next = one.numbered("There is more that I would like you to look at.");
    else return false;
  }
  return false;
}

const stateOf = (shop, ids) =>
  JSON.stringify([ids.map((id) => sorted(shop.orders[id] ?? db.orders[id])), sorted(shop.users)]);
const sorted = (value) =>
  Array.isArray(value)
    ? value.map(sorted)
    : value && typeof value === "object"
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .map((key) => [key, sorted(value[key])]),
        )
      : value;

function judge(variant, held) {
  const { task, talk, outcomes, handlingMode, reasons } = held;
  const note = (field, call) => {
    notes.push({ variant, task: task.id, field, call, handlingMode, reasons, said: talk.said });
  };
  const come = (kind, field, call) => {
    add(`${variant}: ${kind}`, "played");
    add(`${variant}: ${kind}`, field);
    if (field === "wrongly refused") note(field, call);
  };
  judgeChanges(variant, held, come, note);
  judgeReads(held, come);
  const isWithPeople = handlingMode === "human";
  const transfers = task.wishes.filter(({ kind }) => kind === "transfer");
  for (const _ of transfers) come("transfers to a person", isWithPeople ? "reached" : "wrongly refused", "transfer");
  if (isWithPeople && !transfers.length) fault("handed over", note);
  const heard = talk.said.filter(([who]) => who === "shop").map(([, text]) => text.replaceAll(",", "").toLowerCase());
  sums.tasks++;
  sums.facts += task.facts.length;
  sums.told += task.facts.filter((fact) => heard.some((text) => text.includes(fact.toLowerCase()))).length;
  for (const { customer } of outcomes) {
    sums.turned += customer?.turned ?? 0;
    sums.corrected += customer?.corrected ?? 0;
  }
}

function fault(field, note, call) {
  sums[field]++;
  note(field, call);
}

/** The shop has to be as the gold calls leave it that were reached. */
function judgeChanges(variant, { task, one, outcomes }, come, note) {
  const contact = { externalId: task.userId };
  const carryOut = (shop, { name, args }) =>
    shop.answer({ tool: name, arguments: { ...args, user_id: task.userId }, contact }).status === 200;
  const [gold, replayed] = [new Shop(db, {}), new Shop(db, {})];
  const left = one.calls.filter((call) => call.done && !isRead(call));
  const made = new Map();
  for (const { call } of task.wishes.filter(({ kind }) => kind === "change")) {
    const isAllowed = carryOut(gold, call);
    const at = left.findIndex((change) => same(change, call));
    if (at >= 0) made.set(left.splice(at, 1)[0], call);
    come("changes", at >= 0 ? "reached" : isAllowed ? "wrongly refused" : "rightly refused", call);
    const isTold = outcomes.some(({ wish, customer }) => wish.call === call && customer.isToldDone);
    if (isTold !== at >= 0) fault(isTold ? "told, not done" : "done, not told", note, call);
  }
  for (const { call, kind } of task.wishes)
    if (kind === "regret") come("changes that are regretted", one.isMade(call) ? "wrongly done" : "rightly refused");
  for (const change of left) {
    add(`${variant}: changes`, "wrongly done");
    note("wrongly done", change);
  }
  // In the order in which they were made.
  for (const call of one.calls) if (made.has(call)) carryOut(replayed, made.get(call));
  const ids = [one.shop, gold, replayed].flatMap(({ orders }) => Object.keys(orders)).filter((id) => db.orders[id]);
  const [now, all, reached] = [one.shop, gold, replayed].map((shop) => stateOf(shop, [...new Set(ids)].sort()));
  if (now !== reached) fault("wrong state", note);
  if (now === all) sums["gold state"]++;
}

function judgeReads({ task, one }, come) {
  const reads = task.wishes.flatMap((wish) => wish.reads);
  for (const read of reads.filter((call, n) => reads.findIndex((other) => same(other, call)) === n)) {
    const made = one.calls.filter((call) => same(call, read));
    const isMistyped = read.args.order_id && !/^#W\d{7}$/.test(read.args.order_id);
    const isRefused = made.length > 0 || isMistyped;
    come(
      "look-ups",
      made.some(({ done }) => done) ? "reached" : isRefused ? "rightly refused" : "wrongly refused",
      read,
    );
  }
}

try {
  const tasks = rawTasks.slice(0, Number(values.tasks));
  for (let n = 0; n < tasks.length; n += AT_ONCE) {
    await ours.signIn();
    await Promise.all(
      tasks.slice(n, n + AT_ONCE).map(async (task, i) => {
        judge("the model begins procedures", await play(task, n + i, false));
        judge("the model makes changes", await play(task, n + i, true));
      }),
    );
    console.error(`${Math.min(n + AT_ONCE, tasks.length)} tasks`);
  }
  console.log(`| what | ${FIELDS.join(" | ")} |\n| --- |${" ---: |".repeat(FIELDS.length)}`);
  for (const [kind, count] of Object.entries(counts))
    console.log(`| ${kind} | ${FIELDS.map((field) => count[field]).join(" | ")} |`);
  console.log(`\nOf all conversations: ${JSON.stringify({ ...sums, approvals })}`);
  console.log(`The model: ${JSON.stringify(asked)}`);
  console.log(
    `\n${notes.map(({ variant, task, field, call }) => `- ${field}, ${variant}, task ${task}: ${JSON.stringify(call?.name ?? call)} ${JSON.stringify(call?.args ?? call?.arguments)}`).join("\n") || "Nothing was wrong."}`,
  );
  if (process.env.NOTES) fs.writeFileSync(process.env.NOTES, JSON.stringify(notes, null, 1));
} finally {
  await installation.close();
}
