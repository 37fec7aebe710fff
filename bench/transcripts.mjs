// node bench/transcripts.mjs [--only ID]: see README.md. Plays scripted conversations through the web chat of a Parley without a
// language model, and writes what was said, why, and how each was judged.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { setTimeout as sleep } from "node:timers/promises";
import { openInstallation } from "./hostile/installation.mjs";

const { values } = parseArgs({
  options: { only: { type: "string" }, out: { type: "string" }, judged: { type: "string" } },
});
const read = (name) => JSON.parse(fs.readFileSync(path.join(import.meta.dirname, "sets", name), "utf8"));
const shop = read("shop.json");
const { knowledge, conversations } = read("conversations.json");
/** `{ id: [verdict, why] }`, by a reader of the transcripts. */
const judged = values.judged ? JSON.parse(fs.readFileSync(values.judged, "utf8")) : {};

const WAIT_SECONDS = 60;
/** Conversations at one time. Within one, each message waits for what comes of the one before. */
const AT_ONCE = 8;
const AGENT = "Mira";

async function eventually(what, isDone) {
  for (const until = Date.now() + WAIT_SECONDS * 1_000; Date.now() < until; await sleep(100)) {
    const done = await isDone();
    if (done) return done;
  }
  throw new Error(`after ${WAIT_SECONDS} s, still not: ${what}`);
}

const installation = await openInstallation({ name: "transcripts", env: { RATE_LIMIT_PER_MINUTE: "0" } });
const { must, db } = installation;

/** A tenant's web chat, with approved entries. */
async function openShop(name, entries) {
  const { key, workspaceId } = await installation.tenant(name);
  await must("POST", "/api/agents", key, { name: AGENT, instructions: "Answer.", workspaceIds: [workspaceId] });
  for (const entry of entries) await must("POST", `/api/workspaces/${workspaceId}/kb-entries`, key, entry);
  await eventually("all questions have a vector", async () => {
    const { rows } = await db.query(
      `select count(*)::int as n from kb_question where workspace_id = $1 and embedded is null`,
      [workspaceId],
    );
    return rows[0].n === 0;
  });
  const channels = await must("GET", `/api/workspaces/${workspaceId}/channels`, key);
  const chat = channels.find(({ type }) => type === "webchat");
  return { key, workspaceId, chat: `/api/public/webchat/${chat.address}` };
}

const written = (language) => shop[language].map(([question, , answer]) => ({ question, answer, language }));
const translated = Object.entries(knowledge).flatMap(([language, entries]) =>
  entries.map(([question, answer]) => ({ question, answer, language })),
);
const shops = {
  seven: await openShop("Seven languages", [...["en", "de", "fr"].flatMap(written), ...translated]),
  english: await openShop("English", written("en")),
};

/** What came of a message: what the visitor read then, and the run that says why. */
async function played({ turns, shop: at = "seven" }) {
  const { key, workspaceId, chat } = shops[at];
  const { sessionToken } = await must("POST", `${chat}/sessions`, undefined, {});
  const messages = async () => (await must("GET", `${chat}/messages?limit=100`, sessionToken)).data.reverse();
  let conversationId;
  let known = 0;
  const lines = [];
  for (const turn of turns) {
    if (turn === null) {
      lines.push({ said: null });
      continue;
    }
    let last;
    for (const body of [turn].flat())
      last = await must("POST", `${chat}/messages`, sessionToken, { body, clientMessageId: randomUUID() });
    conversationId ??= (await db.query(`select conversation_id from message where id = $1`, [last.id])).rows[0]
      .conversation_id;
    const { run, mode } = await eventually("the message is dealt with", async () => {
      const { handlingMode } = await must("GET", `/api/conversations/${conversationId}`, key);
      const runs = (await must("GET", `/api/conversations/${conversationId}/agent-activity?limit=10`, key)).data;
      const own = runs.find(({ messageId }) => messageId === last.id);
      return (own?.outcome || (!own && handlingMode === "human")) && { run: own, mode: handlingMode };
    });
    const all = await messages();
    lines.push({
      said: [turn].flat(),
      read: all.slice(known).filter(({ direction }) => direction === "outbound"),
      run,
      mode,
    });
    known = all.length;
  }
  return { lines, workspaceId };
}

const shown = (text) => text.replaceAll("\n", "\n> ");
function found(run) {
  const entries = run?.steps.find(({ type }) => type === "retrieve")?.entries ?? [];
  return entries.slice(0, 2).map(({ question, confidence }) => `“${question}” ${confidence.toFixed(2)}`);
}
function outcomeOf({ run, mode, read: heard }) {
  if (!run) return "people have the conversation; the assistant is silent";
  const asked = found(run);
  const why = run.reason ? `: ${run.reason}` : "";
  const from = asked.length ? ` (closest: ${asked.join(", ")})` : "";
  return `${run.outcome}${why}${from}${mode === "human" && !heard.length ? "; nothing was said" : ""}`;
}

const VERDICTS = ["good", "acceptable", "wrong"];
function transcriptOf({ id, kind, turns: _, wanted, source }, lines) {
  const [verdict, why] = judged[id] ?? ["not judged", ""];
  const said = lines.flatMap((line) =>
    line.said === null
      ? ["- *The visitor says nothing.*"]
      : [
          ...line.said.map((body) => `- **Visitor:** ${shown(body)}`),
          ...line.read.map(({ body, automated, author }) => `- **${automated ? AGENT : author}:** ${shown(body)}`),
          `  - \`${outcomeOf(line).replaceAll("`", "'")}\``,
        ],
  );
  return [
    `### ${id}: ${kind}`,
    "",
    ...(source ? [`From ${source}.`, ""] : []),
    ...said,
    "",
    `Wanted: ${wanted}`,
    "",
    `**${verdict}**${why ? `: ${why}` : ""}`,
    "",
  ].join("\n");
}

const chosen = conversations.filter(
  ({ id }) => !values.only || values.only.split(",").some((one) => id.startsWith(one)),
);
const results = new Map();
const waiting = [...chosen];
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let one = waiting.shift(); one; one = waiting.shift()) results.set(one.id, (await played(one)).lines);
  }),
);
await installation.close();

const languages = [...new Set(chosen.map(({ language }) => language))];
const verdictOf = ({ id }) => judged[id]?.[0];
const share = (language) => {
  const those = chosen.filter((one) => one.language === language);
  return those.filter((one) => verdictOf(one) === "wrong").length / those.length;
};
languages.sort((a, b) => share(b) - share(a));
const rows = languages.map((language) => {
  const those = chosen.filter((one) => one.language === language);
  const of = (verdict) => those.filter((one) => verdictOf(one) === verdict).length;
  const outcomes = those.flatMap(({ id }) => results.get(id)).map(({ run }) => run?.outcome);
  const counted = (outcome) => outcomes.filter((one) => one === outcome).length;
  return `| ${[language, those.length, ...VERDICTS.toReversed().map(of), counted("answered"), counted("clarified"), counted("small_talk"), counted("handed_off")].join(" | ")} |`;
});
const order = (one) => VERDICTS.length - VERDICTS.indexOf(verdictOf(one) ?? "good");
const text = [
  "| language | conversations | wrong | acceptable | good | answered | asked back | small talk | handed over |",
  "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
  ...rows,
  "",
  ...languages.flatMap((language) => [
    `## ${language}`,
    "",
    ...chosen
      .filter((one) => one.language === language)
      .sort((a, b) => order(a) - order(b))
      .map((one) => transcriptOf(one, results.get(one.id))),
  ]),
].join("\n");
if (values.out) fs.writeFileSync(values.out, text);
else console.log(text);
