import { setTimeout as sleep } from "node:timers/promises";
import { listen, percentiles } from "../streams.mjs";
import { apiOf, makeTenant } from "../tenant.mjs";

const PER_SECOND = 5;
const SECONDS = 60;
/** A run waits so long for the next message of its burst. */
const WAIT_MS = 1_500;
/** After that, the event of the contact's own message is over, and no reply can have come. */
const LISTEN_AFTER_MS = 1_000;
const LATE_MS = 10_000;
const ENTRIES = 200;
const THINGS = ["parcel", "refund", "voucher", "table", "lamp", "invoice", "coupon", "chair", "sofa", "card"];
const VERBS = ["return", "find", "change", "cancel", "order", "repair", "insure", "collect", "send", "exchange"];

/** How long a contact waits for the assistant's answer from an approved entry, beyond the wait for more messages. */
export default {
  name: "assistant",
  what: "from a contact's message to the assistant's reply, ms beyond the wait of 1.5 s (p99)",
  against: "-",
  floor: "≤ 150",
  goal: "≤ 75",
  async measure({ server, startServer, url, quick, log }) {
    const tenant = makeTenant(url, "Assistant");
    const api = apiOf(server.port);
    const { body: session } = await api("POST", "/api/auth/login", undefined, {
      email: tenant.email,
      password: tenant.password,
    });
    const questions = VERBS.flatMap((verb) => THINGS.map((thing) => `How do I ${verb} my ${thing}?`));
    for (let n = 0; n < ENTRIES; n++)
      await api("POST", `/api/workspaces/${tenant.workspaceId}/kb-entries`, tenant.key, {
        question: questions[n] ?? `How do I ${VERBS[n % 10]} article number ${n}?`,
        answer: `Under Orders, step ${n}.`,
      });
    const seconds = quick ? SECONDS / 4 : SECONDS;
    const run = async (reader) => {
      const stream = await listen(reader.port, session.accessToken);
      const asking = [];
      for (let n = 0; n < seconds * PER_SECOND; n++) {
        asking.push(ask(api, tenant, stream, questions[n % questions.length]));
        await sleep(1_000 / PER_SECOND);
      }
      const took = await Promise.all(asking);
      stream.close();
      const heard = took.filter(({ ms }) => Number.isFinite(ms));
      const request = percentiles(took.map((one) => one.request)).p50;
      return { ...percentiles(heard.map(({ ms }) => ms)), request, late: took.length - heard.length };
    };
    // Until node has compiled what is used often.
    for (let n = 0; n < 20; n++) await api("POST", "/api/conversations", tenant.key, messageOf(tenant, questions[n]));
    await sleep(2 * WAIT_MS);
    const alone = await run(server);
    log(`assistant: one process, p50 ${alone.p50} ms, p99 ${alone.p99} ms`);
    const other = await startServer();
    try {
      const both = await run(other);
      const row = (what, { p50, p99, request, late }) => `| ${what} | ${p50} | ${p99} | ${request} | ${late} |`;
      return {
        ratio: Math.max(alone.p99, both.p99),
        p50: both.p50,
        p99: both.p99,
        note: `${seconds * PER_SECOND} messages each, ${PER_SECOND} a second`,
        details: `| | p50 ms | p99 ms | of the p50, the request that brings the message in | without a reply after ${LATE_MS / 1_000} s |
|---|---|---|---|---|
${row("one process", alone)}
${row("two: one takes the messages, the reply is seen on a stream of the other", both)}`,
      };
    } finally {
      other.process.kill();
    }
  },
};

const messageOf = ({ workspaceId }, body) => ({ workspaceId, contact: { name: "Ada" }, message: { body } });

/** Milliseconds from the request to the reply's event, without the wait. */
async function ask(api, tenant, stream, question) {
  const began = performance.now();
  const { body } = await api("POST", "/api/conversations", tenant.key, messageOf(tenant, question));
  const request = performance.now() - began;
  await sleep(LISTEN_AFTER_MS);
  const heard = await Promise.race([stream.next(body.id), sleep(LATE_MS, Infinity)]);
  return { request, ms: heard - began - WAIT_MS };
}
