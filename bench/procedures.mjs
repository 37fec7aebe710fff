// tau2-bench's retail tasks played by a scripted customer against the procedures of demo/procedures.json, without a language model:
// PARLEY_SHOPS=<folder> node bench/procedures.mjs [--tasks 114] [--each 10] [--all]
//
// The folder has tau2-retail/tasks.json, db.json and policy.md. The customer answers what is asked, in words where people would.
// Without --all, each change is asked for plainly and in two of the other ways. --each: so many of each procedure.
import fs from "node:fs";
import { parseArgs } from "node:util";
import { isRead, tasksOf } from "./hostile/gold.mjs";
import { openInstallation } from "./hostile/installation.mjs";
import { db, rawTasks } from "./hostile/retail.mjs";
import { Shop, WANTED } from "./hostile/retail-shop.mjs";
import { Customer } from "./procedures/customer.mjs";
import { openShop, procedures, same } from "./procedures/shop.mjs";
import { othersOf, PROCEDURE } from "./procedures/requests.mjs";

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "1000" },
    each: { type: "string", default: "1000" },
    all: { type: "boolean", default: false },
  },
});
const tasks = tasksOf(db, rawTasks).slice(0, Number(values.tasks));
const AT_ONCE = 15;
/** More messages than that for one request, and the customer gives up. */
const MAX_MESSAGES = 30;

const shops = new Map();
const installation = await openInstallation({
  name: "bench_procedures",
  tools: ({ body }) => shops.get(body.conversation.id).answer(body),
});
const ours = await installation.tenant("Shop");
const talkOf = await openShop(installation, ours);

/** A conversation of a customer about one request after the other. @returns what the shop was asked to change, and whether they were told */
async function hold({ userId, requests, orders = {}, habit }) {
  const shop = new Shop(db, orders);
  const changes = [];
  const answer = shop.answer.bind(shop);
  shop.answer = (body) => {
    const answered = answer(body);
    const call = { name: body.tool, arguments: body.arguments };
    if (!isRead(call)) changes.push({ ...call, done: answered.status === 200 });
    return answered;
  };
  const talk = await talkOf(userId, (id) => shops.set(id, shop));
  const told = [];
  let besides = false;
  for (const call of requests) {
    const customer = new Customer(db, shop, { userId, call, habit });
    let next = customer.open();
    for (let count = 0; next !== undefined && count < MAX_MESSAGES; count++)
      next = customer.answer(await talk.say(next));
    if (customer.told) told.push(call);
    besides = customer.didBesides;
    if (customer.gaveUp || customer.handedOver) break;
  }
  return { changes, told, besides, said: talk.said, handlingMode: await talk.handlingMode() };
}

const counts = {};
const notes = [];
const FIELDS = ["played", "reached", "refused by the shop", "rightly refused", "wrongly refused", "wrongly done"];
const byProcedure = {};
function add(kind, call, field, by = 1) {
  const none = () => Object.fromEntries(FIELDS.map((name) => [name, 0]));
  (counts[kind] ??= none())[field] += by;
  ((byProcedure[PROCEDURE[call.name]] ??= {})[kind] ??= none())[field] += by;
}

/** What a customer does besides answering. */
const HABITS = ["plain", "at once", "corrects", "asks aside", "asks why", "unclear", "says no first"];
let serial = 0;

function judge(kind, requests, { changes, told, said, handlingMode }, expected = requests, orders = {}) {
  const left = [...changes];
  for (const call of requests) add(kind, call, "played");
  for (const call of expected) {
    const field = comeOf(call, left, told, orders);
    add(kind, call, field);
    if (field === "wrongly refused") notes.push({ kind, field, call, handlingMode, said });
  }
  for (const change of left.filter(({ done }) => done)) {
    add(kind, change, "wrongly done");
    notes.push({ kind, field: "wrongly done", call: change, said });
  }
}

/** @param left the changes that nobody has asked for yet: it takes out the one that this call is */
function comeOf(call, left, told, orders) {
  if (call.name.startsWith("tell_")) return told.includes(call) ? "reached" : "wrongly refused";
  const at = left.findIndex((change) => same(change, call));
  const change = at < 0 ? undefined : left.splice(at, 1)[0];
  if (change) return change.done ? "reached" : "refused by the shop";
  // What the order's state forbids is refused before the shop is asked.
  const status = call.args.order_id && (orders[call.args.order_id] ?? db.orders[call.args.order_id]).status;
  return WANTED[call.name] !== undefined && !status.startsWith(WANTED[call.name])
    ? "rightly refused"
    : "wrongly refused";
}

const played = {};
/** Whether one more of its procedure is played in all ways. */
function isWanted({ name }) {
  played[name] = (played[name] ?? 0) + 1;
  return played[name] <= Number(values.each);
}

async function oneTask({ userId, calls }, n) {
  const requests = calls.filter((call) => !isRead(call));
  if (!requests.length) return;
  judge("whole conversations", requests, await hold({ userId, requests, habit: "plain" }));
  // What came before, so that each change finds the order as it was.
  const before = new Shop(db, {});
  for (const call of requests) {
    if (isWanted(call)) await oneRequest({ userId, call, orders: before.orders }, n);
    before.answer({ tool: call.name, arguments: { ...call.args, user_id: userId }, contact: { externalId: userId } });
  }
}

/** A change or a look in several ways, each in a conversation of its own. */
async function oneRequest({ userId, call, orders = {} }, n) {
  const start = structuredClone(orders);
  const play = async (kind, given, expected = []) => {
    const held = await hold({ userId, requests: [call], orders: structuredClone(start), ...given });
    judge(held.besides ? kind : "one request, plain", [call], held, expected, start);
  };
  const isTold = call.name.startsWith("tell_");
  const habits = HABITS.filter(
    (_, i) => values.all || isTold || i === 0 || [serial % 6, (serial + 3) % 6].includes(i - 1),
  );
  serial++;
  const each = habits.map((habit) => play(`one request, ${habit}`, { habit }, [call]));
  for (const habit of isTold ? ["stops"] : ["stops", "refuses"]) each.push(play(`one request, ${habit}`, { habit }));
  const id = call.args.order_id;
  if (id && !isTold) {
    const other = { ...start, [id]: { ...(start[id] ?? db.orders[id]), status: "processed" } };
    each.push(play("an order in a forbidden state", { orders: structuredClone(other), habit: "plain" }));
    const users = Object.keys(db.users);
    const stranger = users[(users.indexOf(userId) + 1 + n) % users.length];
    each.push(play("another customer's order", { userId: stranger, habit: "plain" }));
  }
  await Promise.all(each);
}

/** What the tasks themselves say: which procedure would begin with it. */
async function starts() {
  const { startIn } = await import("../dist/src/assistant/procedures/starts.js");
  const list = procedures.map(({ name, startsWith }) => ({ procedureId: name, startsWith }));
  const wanted = new Map(
    procedures.flatMap(({ name, steps }) => steps.flatMap((step) => (step.type === "call" ? [[step.tool, name]] : []))),
  );
  let [right, none, wrong] = [0, 0, 0];
  for (const task of tasks) {
    const own = task.calls.filter((call) => !isRead(call)).map(({ name }) => wanted.get(name));
    if (!own.length) continue;
    const found = startIn(list, task.says)?.procedureId;
    if (!found) none++;
    else if (own.includes(found)) right++;
    else wrong++;
  }
  return { right, none, wrong };
}

try {
  for (let n = 0; n < tasks.length; n += AT_ONCE) {
    await ours.signIn();
    await Promise.all(tasks.slice(n, n + AT_ONCE).map((task, i) => oneTask(task, n + i)));
    console.error(`${Math.min(n + AT_ONCE, tasks.length)} tasks`);
  }
  const others = othersOf(db, tasks).filter(({ call }) => isWanted(call));
  for (let n = 0; n < others.length; n += AT_ONCE) {
    await ours.signIn();
    await Promise.all(others.slice(n, n + AT_ONCE).map((one, i) => oneRequest(one, n + i)));
    console.error(`${Math.min(n + AT_ONCE, others.length)} other requests`);
  }
  const table = (rows) => {
    console.log(`\n| requests | ${FIELDS.join(" | ")} |\n| --- |${" ---: |".repeat(FIELDS.length)}`);
    for (const [kind, count] of Object.entries(rows))
      console.log(`| ${kind} | ${FIELDS.map((field) => count[field]).join(" | ")} |`);
  };
  table(counts);
  for (const [name, rows] of Object.entries(byProcedure)) {
    console.log(`\n**${name}**`);
    table(rows);
  }
  const { right, none, wrong } = await starts();
  console.log(
    `\nThe tasks' own words begin a right procedure ${right} times, none ${none} times, another one ${wrong} times.`,
  );
  console.log(
    `\nWrongly refused or done:\n${notes.map(({ kind, field, call }) => `- ${field}, ${kind}: ${call.name} ${JSON.stringify(call.args ?? call.arguments)}`).join("\n") || "none"}`,
  );
  if (process.env.NOTES) fs.writeFileSync(process.env.NOTES, JSON.stringify(notes, null, 1));
} finally {
  await installation.close();
}
