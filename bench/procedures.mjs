// tau2-bench's retail tasks played by a scripted customer against the procedures of demo/procedures.json, without a language model:
// PARLEY_SHOPS=<folder> node bench/procedures.mjs [--tasks 114] [--all]
//
// The folder has tau2-retail/tasks.json, db.json and policy.md. The customer answers what is asked, in words where people would.
// Without --all, each change is asked for plainly and in two of the other ways.
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { isRead, tasksOf } from "./hostile/gold.mjs";
import { retailPolicies } from "./hostile/houses.mjs";
import { openInstallation } from "./hostile/installation.mjs";
import { Shop, WANTED } from "./hostile/retail-shop.mjs";
import { Customer } from "./procedures/customer.mjs";

const { values } = parseArgs({
  options: { tasks: { type: "string", default: "1000" }, all: { type: "boolean", default: false } },
});
const folder = process.env.PARLEY_SHOPS;
if (!folder) throw new Error("name the folder with tau2-retail in PARLEY_SHOPS: see bench/README.md");
const read = (name) => fs.readFileSync(path.join(folder, "tau2-retail", name), "utf8");
const db = JSON.parse(read("db.json"));
const raw = JSON.parse(read("tasks.json"));
const tasks = tasksOf(db, raw).slice(0, Number(values.tasks));
const { tools, procedures } = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, "../demo/procedures.json"), "utf8"),
);
const AT_ONCE = 15;
/** More messages than that for one request, and the customer gives up. */
const MAX_MESSAGES = 30;
const REFUND = { question: "How long does a refund take?", answer: "A refund takes 5 to 7 business days." };

const shops = new Map();
const installation = await openInstallation({
  name: "bench_procedures",
  tools: ({ body }) => shops.get(body.conversation.id).answer(body),
});
const { must, settle } = installation;
const ours = await installation.tenant("Shop");

async function openShop() {
  const { key, owner, brandId } = ours;
  const { id } = await must("POST", "/api/workspaces", key, { name: "Retail", brandId });
  const at = `/api/workspaces/${id}`;
  const url = installation.toolUrl("/");
  for (const tool of tools) await must("POST", `${at}/tools`, owner, { ...tool, url });
  const shown = tools.map((tool) => ({ ...tool, sample: () => ({}) }));
  for (const policy of retailPolicies(read("policy.md"), shown, []))
    await must("POST", `${at}/policy-entries`, key, policy);
  const questions = [{ key: "zip", prompt: "What is your zip code?", attribute: "zip" }];
  const sources = [{ name: "shop", type: "contact_attributes", questions }];
  await must("PUT", `${at}/verification-sources`, owner, { sources });
  // Each request is a conversation of its own, so one customer is asked more often here than anybody would be.
  await must("PUT", `${at}/identity-settings`, owner, { requiredCorrectAnswers: 1, maxWrongPerIdentity24h: 100 });
  await must("POST", `${at}/kb-entries`, key, { ...REFUND, language: "en" });
  const { id: agentId } = await must("POST", "/api/agents", key, {
    name: "Shop",
    role: "assistant",
    status: "active",
    workspaceIds: [id],
    instructions: "Help the customers of the shop.",
    tools: tools.map(({ name }) => name),
  });
  for (const procedure of procedures)
    await must("POST", `${at}/procedures`, owner, { ...procedure, agentId, status: "active" });
  return id;
}
const workspaceId = await openShop();

const contacts = new Map();
function contactOf(userId) {
  const { name, address } = db.users[userId];
  const contact = {
    name: `${name.first_name} ${name.last_name}`,
    externalId: userId,
    attributes: { zip: address.zip },
  };
  if (!contacts.has(userId)) contacts.set(userId, must("POST", "/api/contacts", ours.key, contact));
  return contacts.get(userId);
}

/** A conversation of a customer about one request after the other. @returns what the shop was asked to change */
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
  const { id: contactId } = await contactOf(userId);
  let id;
  const said = [];
  const say = async (body) => {
    said.push(["customer", body]);
    if (id) await must("POST", `/api/conversations/${id}/messages`, ours.key, { body });
    else {
      ({ id } = await must("POST", "/api/conversations", ours.key, { workspaceId, contactId, message: { body } }));
      shops.set(id, shop);
    }
    await settle([id]);
    const { data } = await must("GET", `/api/conversations/${id}/messages?limit=100`, ours.key);
    const all = data.toSorted((a, b) => a.sequence - b.sequence);
    const last = all.findLastIndex(({ direction }) => direction === "inbound");
    const told = all.slice(last + 1).filter(({ direction }) => direction === "outbound");
    said.push(...told.map((message) => ["shop", message.body]));
    return told.map((message) => message.body).join("\n");
  };
  for (const [n, call] of requests.entries()) {
    const customer = new Customer(db, shop, { userId, call, habit, first: n === 0 });
    let next = customer.open();
    for (let count = 0; next !== undefined && count < MAX_MESSAGES; count++) next = customer.answer(await say(next));
    if (customer.gaveUp || customer.handedOver) break;
  }
  const { handlingMode } = await must("GET", `/api/conversations/${id}`, ours.key);
  return { changes, said, handlingMode };
}

const same = (one, other) => {
  const flat = ({ user_id: _, ...args }) => JSON.stringify(Object.entries(args).sort(([a], [b]) => (a < b ? -1 : 1)));
  return one.name === other.name && flat(one.arguments ?? one.args) === flat(other.arguments ?? other.args);
};
const counts = {};
const notes = [];
const add = (kind, field, by = 1) => {
  counts[kind] ??= {
    played: 0,
    reached: 0,
    "refused by the shop": 0,
    "rightly refused": 0,
    "wrongly refused": 0,
    "wrongly done": 0,
  };
  counts[kind][field] += by;
};

/** What a customer does besides answering. */
const HABITS = ["plain", "at once", "corrects", "asks aside", "asks why", "unclear", "says no first"];
let serial = 0;

function judge(kind, requests, { changes, said, handlingMode }, expected = requests, orders = {}) {
  const left = [...changes];
  add(kind, "played", requests.length);
  for (const call of expected) {
    const at = left.findIndex((change) => same(change, call));
    const change = at < 0 ? undefined : left.splice(at, 1)[0];
    // What the order's state forbids is refused before the shop is asked.
    const status = call.args.order_id && (orders[call.args.order_id] ?? db.orders[call.args.order_id]).status;
    const isForbidden = WANTED[call.name] !== undefined && !status.startsWith(WANTED[call.name]);
    const field =
      change === undefined
        ? isForbidden
          ? "rightly refused"
          : "wrongly refused"
        : change.done
          ? "reached"
          : "refused by the shop";
    add(kind, field);
    if (field === "wrongly refused") notes.push({ kind, field, call, handlingMode, said });
  }
  const wrong = left.filter(({ done }) => done);
  add(kind, "wrongly done", wrong.length);
  for (const change of wrong) notes.push({ kind, field: "wrongly done", call: change, said });
}

async function oneTask({ userId, calls }, n) {
  const requests = calls.filter((call) => !isRead(call));
  if (!requests.length) return;
  judge("whole conversations", requests, await hold({ userId, requests, habit: "plain" }));
  // What came before, so that each change finds the order as it was.
  const orders = {};
  const before = new Shop(db, orders);
  for (const call of requests) {
    const now = () => structuredClone(orders);
    const start = now();
    const habits = HABITS.filter((_, i) => values.all || i === 0 || [serial % 6, (serial + 3) % 6].includes(i - 1));
    serial++;
    const each = habits.map(async (habit) =>
      judge(
        `one request, ${habit}`,
        [call],
        await hold({ userId, requests: [call], orders: now(), habit }),
        [call],
        start,
      ),
    );
    for (const habit of ["stops", "refuses"])
      each.push(
        hold({ userId, requests: [call], orders: now(), habit }).then((held) =>
          judge(`one request, ${habit}`, [call], held, []),
        ),
      );
    const state = call.args.order_id;
    if (state) {
      const order = structuredClone(orders[state] ?? db.orders[state]);
      const other = structuredClone({ ...orders, [state]: { ...order, status: "processed" } });
      each.push(
        hold({ userId, requests: [call], orders: other, habit: "plain" }).then((held) =>
          judge("an order in a forbidden state", [call], held, []),
        ),
      );
      const users = Object.keys(db.users);
      const stranger = users[(users.indexOf(userId) + 1 + n) % users.length];
      each.push(
        hold({ userId: stranger, requests: [call], orders: now(), habit: "plain" }).then((held) =>
          judge("another customer's order", [call], held, []),
        ),
      );
    }
    await Promise.all(each);
    before.answer({ tool: call.name, arguments: { ...call.args, user_id: userId }, contact: { externalId: userId } });
  }
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
  const fields = Object.keys(counts["whole conversations"]);
  console.log(`| requests | ${fields.join(" | ")} |\n| --- |${" ---: |".repeat(fields.length)}`);
  for (const [kind, count] of Object.entries(counts))
    console.log(`| ${kind} | ${fields.map((field) => count[field]).join(" | ")} |`);
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
