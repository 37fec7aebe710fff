// Checks who names whose tables. A table belongs to the folder of its entity. A feature reads the tables of those below it, as it
// imports them; it needs a reason here to read one of a feature above it, or to write any that is not its own.
import fs from "node:fs";
import path from "node:path";
import FEATURES from "./features.cjs";

const ORDER = ["platform", ...FEATURES, "cli", "demo", "replay"];

/** What every statement keeps to: whoever names a tenant or a reach reads these. */
const READ_BY_ALL = new Set(["tenant", "brand", "workspace"]);

/** Why a feature names a table that is above it, or writes one that is not its own. */
const REASONS = {
  platform: {
    conversation: "`conversationInReach`: the reach of whatever belongs to a conversation is one rule",
    job_run: "what time it was is noted where jobs note when they ran",
  },
  audit: {
    conversation: "a trigger's entry names the workspace, which rows of a conversation do not hold",
    derived_repair: "an entry that fails is repaired later, as every derived row is",
  },
  auth: {
    reservation: "what was unique on one server stays so on several; only its owner knows what that is",
  },
  contacts: {
    conversation: "where a contact appears is where its conversations are; only that decides who may see it",
    message: "a trigger refuses messages of a blocked contact, in the instant in which it is blocked",
  },
  workspaces: {
    attachment_usage: "the tenant's page shows what its files take up, in its one statement",
  },
  conversations: {
    agent: "whether an agent may answer is decided in the reply's own statement, under a lock",
    agent_workspace: "as agent",
    kb_entry: "a reply counts the entries that it cites, or is refused if one is gone",
    assistant_run: "consumption shows the tokens of a conversation beside its messages",
    assistant_step: "as assistant_run",
    tool_call: "a summary never quotes what the contact wrote as a proof; the assistant's calls say what that was",
  },
  identity: {
    conversation: "a proof raises the level of its conversation in the same statement",
    contact_point: "a proof verifies the address that it went to in the same statement",
  },
  channels: {
    conversation: "a call's number becomes part of its conversation before anybody sees it",
    channel: "a workspace is made with its first channel, so the table is the workspaces'; its states are ours",
    channel_due: "as channel",
  },
  quality: {
    conversation: "a rating, and that an agent took part, are shown by the conversation's own reads",
    conversation_agent: "triggers note which agent wrote, with the message",
    kb_entry: "a rating counts for the entries that the answer cited",
    assistant_run: "triggers count what the assistant did, whichever statement ends a run",
    outcome: "the tables of outcomes are the platform's, so that tools and channels below can count, too",
    circuit_breaker: "as outcome",
  },
  assistant: {
    conversation: "counts of what waits for an approval are shown by the conversation's own reads",
    attention_item: "an action that is decided closes its item in the same statement",
    consumption: "a run counts its tokens where messages are counted",
  },
  learning: {
    kb_entry: "a proposal and its evidence are written together",
    policy_entry: "as kb_entry",
  },
  demo: {
    job_run: "notes that the demo company is made, in the same transaction",
    conversation: "the demo has a past, and the API takes no time but now",
    message: "as conversation",
    open_time: "as conversation",
    reply_time: "as conversation",
    csat_survey: "as conversation: surveys of weeks ago, which nobody was sent",
    outcome: "as csat_survey",
    contact: "as conversation: a contact was last seen when the last message came",
  },
  webhooks: { outbox_message: "an endpoint that is deleted takes its deliveries with it" },
  // Retention, purges and former members are its task.
  maintenance: "*",
};

const src = path.resolve(import.meta.dirname, "../src");
const files = fs
  .readdirSync(src, { recursive: true })
  .filter((name) => /\.(ts|sql)$/.test(name) && name.includes(path.sep) && !name.includes("migrations"));
const read = (name) => fs.readFileSync(path.join(src, name), "utf8");
const featureOf = (name) => name.split(path.sep)[0];

/** Tables by their names, with the features that own them. */
const owners = new Map(
  files
    .filter((name) => name.endsWith(".entity.ts"))
    .flatMap((name) => [...read(name).matchAll(/@Entity\("(\w+)"/g)].map(([, table]) => [table, featureOf(name)])),
);

const faults = [];
const used = new Set();
for (const name of files.filter((file) => !file.endsWith(".entity.ts"))) {
  const feature = featureOf(name);
  if (REASONS[feature] === "*") continue;
  const text = read(name)
    .replace(/\/\*.*?\*\//gs, " ")
    .replace(/^\s*(?:\/\/|--).*$/gm, "");
  const own = new Set([...text.matchAll(/\b([a-z_]+) as (?:not )?(?:materialized )?\(/g)].map(([, cte]) => cte));
  for (const { 1: verb, 2: table, index } of text.matchAll(
    /\b(from|join|update|into|using|on) (?:only )?([a-z_]+)\b/g,
  )) {
    const owner = owners.get(table);
    if (!owner || owner === feature || own.has(table)) continue;
    const writes = verb === "update" || verb === "into" || text.slice(0, index).endsWith("delete ");
    const isAbove = ORDER.indexOf(owner) > ORDER.indexOf(feature);
    if (!writes && (!isAbove || READ_BY_ALL.has(table))) continue;
    if (REASONS[feature]?.[table]) used.add(`${feature} ${table}`);
    else faults.push(`src/${name} ${writes ? "writes" : "reads"} ${table}, which belongs to ${owner}`);
  }
}
for (const [feature, tables] of Object.entries(REASONS))
  for (const table of tables === "*" ? [] : Object.keys(tables))
    if (!used.has(`${feature} ${table}`)) faults.push(`the reason why ${feature} names ${table} is needed no more`);
for (const fault of new Set(faults)) console.error(fault);
if (faults.length) console.error("Move the statement to the table's owner, or say why not: scripts/table-owners.mjs");
process.exit(faults.length ? 1 : 0);
