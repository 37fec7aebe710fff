// The gold calls of tau2-bench's retail tasks, and the same calls as they must not be made, over the API:
// PARLEY_SHOPS=<folder> node bench/gold-calls.mjs [--tasks 114]
//
// The folder has tau2-retail/tasks.json, db.json and policy.md. The model is a script: it makes the calls of the case that the
// customer's first message names.
import { parseArgs } from "node:util";
import { isPersonal, isRead, tasksOf, wrongOf } from "./hostile/gold.mjs";
import { openInstallation } from "./hostile/installation.mjs";
import { db, openRetail, rawTasks } from "./hostile/retail.mjs";
import { Shop, shopTools } from "./hostile/retail-shop.mjs";

const { values } = parseArgs({ options: { tasks: { type: "string", default: "1000" } } });
const tasks = tasksOf(db, rawTasks).slice(0, Number(values.tasks));
const users = Object.keys(db.users);
/** So many tasks at a time. */
const AT_ONCE = 20;
/** After so many calls for one message the model asks whether it shall go on: a run has 8 steps. */
const CALLS_A_MESSAGE = 6;

/** Customers' requests by the number in their first message. */
const cases = [];
const byConversation = new Map();
const respond = (action, text = "") => ["respond", { action, text, citations: [], confidence: 1 }];
let serial = 0;
/** Makes the next call of the case that has neither arrived at the shop nor been refused by Parley. */
function model({ messages }) {
  const { conversation } = JSON.parse(messages[1].content.replace(/^[^{]*/, ""));
  const [, number] = /\(case (\d+)\)/.exec(conversation.find(({ from }) => from === "contact").text);
  const one = cases[number];
  const last = messages.at(-1);
  if (last.role === "tool" && "refused" in JSON.parse(last.content)) one.shop.calls.push({ byParley: true });
  const next = one.calls[one.shop.calls.length];
  const asked = messages.filter(({ role }) => role === "assistant").length;
  const [name, args] = !next
    ? respond("hand_off")
    : asked < CALLS_A_MESSAGE
      ? [next.name, next.args]
      : respond("clarify", "Shall I go on?");
  const call = { id: `call_${++serial}`, type: "function", function: { name, arguments: JSON.stringify(args) } };
  return {
    model: "gold",
    choices: [{ message: { role: "assistant", content: null, tool_calls: [call] } }],
    usage: { prompt_tokens: 10, completion_tokens: 10 },
  };
}

const installation = await openInstallation({
  name: "bench_gold",
  key: "a key of the model",
  model,
  // On a machine with other work, a message with six calls takes longer than contacts have to wait.
  chatSeconds: 60,
  tools: ({ body }) => byConversation.get(body.conversation.id).shop.answer(body),
});
const { must, settle } = installation;
const ours = await installation.tenant("Shop");

// The script asks in its own words whether it shall go on, which a model that only quotes cannot.
const agent = { builtIn: ["hand_off"], wording: "own" };
const { workspaceId, contactOf } = await openRetail(installation, ours, shopTools(), agent);

/**
 * A conversation of a customer who says something and wants these calls made. What waits for a colleague is approved.
 * @returns the shop as it is afterwards, which calls were approved, and why people took over
 */
async function hold({ userId, says, calls, orders, proves = true }) {
  const one = { calls, shop: new Shop(db, orders) };
  const body = `${says} Ask me before you go on. (case ${cases.push(one) - 1})`;
  const { id: contactId } = await contactOf(userId);
  const { id } = await must("POST", "/api/conversations", ours.key, { workspaceId, contactId, message: { body } });
  byConversation.set(id, one);
  const say = (text) => must("POST", `/api/conversations/${id}/messages`, ours.key, { body: text });
  const approved = new Set();
  let asked = false;
  for (;;) {
    await settle([id]);
    const [{ outcome, waitsFor, reason }] = (await must("GET", `/api/conversations/${id}/agent-activity`, ours.key))
      .data;
    if (waitsFor === "verification" && !asked) {
      asked = true;
      await say(proves ? db.users[userId].address.zip : "00000");
    } else if (waitsFor === "approval") {
      const { data } = await must("GET", `/api/conversations/${id}/pending-actions`, ours.owner);
      for (const { id: action, argumentsHash, status } of data) {
        if (status !== "pending") continue;
        approved.add(action);
        await must("POST", `/api/pending-actions/${action}/approve`, ours.owner, { argumentsHash });
      }
    } else if (outcome === "clarified") await say("Yes, go on.");
    else return { shop: one.shop, approved, reason };
  }
}

const counts = {};
const stopped = [];
const WAYS = ["made", "approved", "by Parley", "by the shop"];
function count(kind, way) {
  counts[kind] ??= Object.fromEntries(WAYS.map((name) => [name, 0]));
  counts[kind][way]++;
}
/** What came of a call; `wayOf` has to know whom it must not be about. */
function wayOf({ shop, approved }, at, notAbout) {
  const arrived = shop.calls[at];
  if (!arrived || arrived.byParley) return "by Parley";
  if (arrived.refused) return "by the shop";
  // It was made for the one who writes, whatever the arguments said.
  if (notAbout && arrived.about !== notAbout) return "by Parley";
  return approved.has(arrived.idempotencyKey) ? "approved" : "made";
}
function countGold(kind, task, calls, held) {
  for (const [at, call] of calls.entries()) {
    const way = wayOf(held, at);
    count(`${kind}, ${isRead(call) ? "reads" : "changes"}`, way);
    if (way.startsWith("by"))
      stopped.push(
        `${kind}: task ${task.id} ${call.name} ${JSON.stringify(call.args)} ${held.shop.calls[at]?.refused ?? `${way}: ${held.reason}`}`,
      );
  }
}

async function oneTask(task, n) {
  const { userId, calls, says } = task;
  // The same question need not be asked twice in a conversation.
  const texts = calls.map(({ name, args }) => JSON.stringify([name, args]));
  const once = calls.filter((call, at) => texts.indexOf(texts[at]) === at);
  countGold("gold, whole conversations", task, once, await hold({ userId, says, calls: once, orders: {} }));
  const orders = {};
  const wrong = [];
  for (const call of calls) {
    const before = structuredClone(orders);
    const alone = (one) => ({ says: JSON.stringify(one), calls: [one] });
    countGold("gold, one call each", task, [call], await hold({ userId, ...alone(call), orders }));
    if (!isPersonal(call)) continue;
    const other = users[(users.indexOf(userId) + 1 + n) % users.length];
    for (const { kind, call: bad, ...who } of wrongOf(db, { userId, call, before, other }))
      wrong.push(
        hold({ ...who, ...alone(bad) }).then((held) =>
          count(`wrong: ${kind}`, wayOf(held, 0, who.userId === other ? userId : undefined)),
        ),
      );
  }
  await Promise.all(wrong);
}

try {
  for (let n = 0; n < tasks.length; n += AT_ONCE) {
    await ours.signIn();
    await Promise.all(tasks.slice(n, n + AT_ONCE).map((task, i) => oneTask(task, n + i)));
    console.error(`${Math.min(n + AT_ONCE, tasks.length)} tasks`);
  }
  const share = (part, all) => `${((100 * part) / all).toFixed(1)} %`;
  const row = (kind, ways) => {
    const [made, approved, parley, shop] = WAYS.map((way) => ways.reduce((sum, one) => sum + one[way], 0));
    const all = made + approved + parley + shop;
    const cells = [kind, all, made, approved, parley, shop, share(parley, all), share(parley + shop, all)];
    console.log(`| ${cells.join(" | ")} |`);
  };
  console.log(
    "| calls | all | made at once | made after an approval | stopped by Parley | stopped by the shop | by Parley alone | by both |",
  );
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  for (const kind of Object.keys(counts).sort()) row(kind, [counts[kind]]);
  for (const kind of ["gold, whole conversations", "gold, one call each", "wrong"])
    row(
      `**${kind}, all**`,
      Object.keys(counts)
        .filter((name) => name.startsWith(kind))
        .map((name) => counts[name]),
    );
  console.log(`\nGold calls that were stopped:\n${stopped.map((one) => `- ${one}`).join("\n") || "none"}`);
} finally {
  await installation.close();
}
