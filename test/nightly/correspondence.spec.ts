import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "../server/channels/dovecot.js";
import { allowTimeForProcesses, newFolder, ROOT, type Server, startServer, until } from "../server/process/support.js";
import { connect } from "../support/database.js";
import { freePort } from "../support/ports.js";
import { randomFrom, runs, SEED } from "../support/seed.js";
import { type Killable, startKillable } from "../endurance/killable.js";

allowTimeForProcesses();

// Customers and a company write to each other by real mail, while kill -9 meets the servers, the mailbox, the mail server in between
// and the database's connections. A customer writes, is answered, writes again below the answer, and is answered again.
// The default is a small run. MAILS=10000 MAIL_KILL_SECONDS=60 is a long one: a kill every minute.

const MAILS = Number(process.env.MAILS ?? runs(24, 120));
const CUSTOMERS = MAILS / 4;
/** Between two kills. Without it, each of the victims is met once. */
const KILL_SECONDS = Number(process.env.MAIL_KILL_SECONDS ?? 0);
const FAILURES = 0.2;
/** A customer's mail is delivered twice that often. */
const REPEATS = 0.1;
/** So many customers write before the first of them was answered. */
const AT_ONCE = Math.max(40, MAILS / 50);
const MAX_MS = 300_000 + MAILS * 400;

interface Sent {
  messageId: string;
  answerTo: string;
  customer: string;
  subject: string;
  text: string;
}

describe.skipIf(!DOVECOT)(`correspondence${WITHOUT_DOVECOT}`, () => {
  const random = randomFrom();
  let mailbox: Dovecot;
  let office: ChildProcess;
  let smtpPort: number;
  let log: string;
  let first: Killable;
  let second: Server;
  let sql: pg.Client;

  beforeAll(async () => {
    [mailbox, smtpPort] = await Promise.all([startDovecot(), freePort()]);
    log = path.join(newFolder(), "sent.log");
    fs.writeFileSync(log, "");
    office = await startOffice();
    first = await startKillable({ OUTBOUND_ALLOW: `127.0.0.1:${mailbox.port},127.0.0.1:${smtpPort}` });
    second = await startServer(first.settings);
    sql = await connect(first.db.url);
  });
  afterAll(async () => {
    office?.kill("SIGKILL");
    await sql?.end();
    await first?.close();
    await mailbox?.close();
  });

  async function startOffice(): Promise<ChildProcess> {
    const child = spawn(
      process.execPath,
      [`--random-seed=${SEED}`, "test/nightly/post-office.mjs", String(smtpPort), log, String(FAILURES)],
      { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] },
    );
    await new Promise<void>((resolve, reject) => {
      child.stdout.once("data", () => resolve());
      child.once("exit", () => reject(new Error("the mail server ended")));
    });
    return child;
  }

  /** Without it, another process takes over what a killed one held only after a minute. */
  const expireLeases = async (): Promise<void> => {
    await sql.query(`update mailbox_lease set held_until = now() - interval '1 minute'`);
    await sql.query(
      `update outbox_queue set due_at = now() where due_at between now() + interval '20 seconds' and now() + interval '57 seconds'`,
    );
  };
  const VICTIMS: Record<string, () => Promise<void>> = {
    "a server": () => first.killAndStart(KILL_SECONDS ? undefined : expireLeases),
    "the mailbox": async () => {
      await mailbox.kill();
      await mailbox.start();
    },
    "the other server": async () => {
      await second.end("SIGKILL");
      if (!KILL_SECONDS) await expireLeases();
      second = await startServer(first.settings);
    },
    "the mail server": async () => {
      await new Promise<void>((resolve) => {
        office.once("exit", () => resolve());
        office.kill("SIGKILL");
      });
      office = await startOffice();
    },
    "the connections": async () => {
      await sql.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
    },
  };

  const sent = (): Sent[] =>
    fs
      .readFileSync(log, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Sent);
  const inbound = async () =>
    (
      await sql.query<{ id: string; conversationId: string; body: string }>(
        `select id, conversation_id as "conversationId", body from message where direction = 'inbound' order by created_at, id`,
      )
    ).rows;

  /** What a customer writes, and with which Message-ID. `below` is the answer that it follows. */
  function write(customer: number, mail: number, below?: Sent): void {
    const source = [
      `From: Customer ${customer} <c${customer}@example.org>`,
      `To: ${below?.answerTo ?? "support@example.com"}`,
      `Subject: ${below ? `Re: ${below.subject}` : `Parcel ${customer}`}`,
      `Message-ID: <${customer}.${mail}@example.org>`,
      ...(below ? [`In-Reply-To: ${below.messageId}`, `References: ${below.messageId}`] : []),
      "Content-Type: text/plain; charset=utf-8",
      "",
      `Question ${customer}.${mail}`,
      ...(below
        ? [
            "",
            "On Monday, Support wrote:",
            ...below.text
              .trim()
              .split("\n")
              .map((line) => `> ${line}`),
          ]
        : []),
      "",
    ].join("\r\n");
    for (let copies = random() < REPEATS ? 2 : 1; copies > 0; copies--) mailbox.deliver(source);
  }

  test(
    `of ${MAILS} mails none is lost, none has two messages, and each is in its conversation`,
    async () => {
      const [host, security] = ["127.0.0.1", "none"];
      const { workspaceId } = first.tenant.defaults;
      const owner = await first.owner();
      const body = {
        type: "email",
        name: "Support",
        address: "support@example.com",
        settings: { smtp: { host, port: smtpPort, security }, imap: { host, port: mailbox.port, security } },
        credentials: { username: "support", password: PASSWORD },
      };
      const { id: channelId } = (await owner.post(`/api/workspaces/${workspaceId}/channels`, body, 201)).body;
      await until(
        async () =>
          (await first.key().get(`/api/channels/${channelId}`, 200)).body.status === "active" &&
          (await sql.query("select 1 from mailbox where validity is not null")).rowCount === 1,
        () => "the mailbox was opened",
      );

      const began = Date.now();
      const answered = new Set<string>();
      /** The company answers each mail once. A request that a kill cut off is repeated, with the same id. */
      const answer = async (): Promise<void> => {
        const open = (await inbound()).filter(({ id }) => !answered.has(id)).slice(0, 100);
        for (const { id, conversationId, body: question } of open) {
          const text = `Answer ${/Question (\S+)/.exec(question)?.[1]}`;
          const answer = await first
            .key()
            .post(`/api/conversations/${conversationId}/reply`, { body: text, clientMessageId: `to ${id}` })
            .catch(() => undefined);
          if (answer?.status === 200) answered.add(id);
          else if (answer && answer.status < 500 && answer.status !== 409) throw new Error(JSON.stringify(answer));
        }
      };
      let begun = 0;
      const followed = new Set<string>();
      const follow = (): void => {
        for (const mail of sent()) {
          const [, customer] = /Answer (\d+)\.1/.exec(mail.text) ?? [];
          if (customer === undefined || followed.has(customer)) continue;
          followed.add(customer);
          write(Number(customer), 2, mail);
        }
        while (begun < CUSTOMERS && begun < followed.size + AT_ONCE) write(begun++, 1);
      };
      const isDone = (): boolean =>
        answered.size >= MAILS / 2 && new Set(sent().map(({ messageId }) => messageId)).size >= MAILS / 2;

      const killed: Record<string, number> = {};
      let victim = 0;
      let lastKill = Date.now();
      /** By the clock in a long run; in a small one each of them once, when some more was sent. */
      const isTime = (): boolean =>
        KILL_SECONDS
          ? Date.now() - lastKill > KILL_SECONDS * 1_000
          : victim < Object.keys(VICTIMS).length && answered.size >= (victim * MAILS) / 2 / Object.keys(VICTIMS).length;
      while (!isDone() && Date.now() < began + MAX_MS) {
        follow();
        await answer();
        if (isTime()) {
          const [name, kill] = Object.entries(VICTIMS)[victim++ % Object.keys(VICTIMS).length]!;
          await kill();
          lastKill = Date.now();
          killed[name] = (killed[name] ?? 0) + 1;
        }
        await sleep(50);
      }
      await until(
        async () =>
          (await sql.query("select 1 from message where direction = 'outbound' and delivery_status <> 'sent'"))
            .rowCount === 0,
        () => "each answer was said to be sent",
      );
      const seconds = Math.round((Date.now() - began) / 1_000);
      const { mails: delivered } = mailbox.inbox();
      const all = sent();
      process.stdout.write(
        `${JSON.stringify({ mails: MAILS, seconds, killed, repeatedToUs: delivered - MAILS / 2, repeatedByUs: all.length - MAILS / 2 })}\n`,
      );

      const { rows } = await sql.query<{ subject: string; bodies: string[] }>(
        `select c.subject, array_agg(m.direction || ' ' || split_part(m.body, E'\\n', 1) order by m.sequence) as bodies
         from conversation c join message m on m.tenant_id = c.tenant_id and m.conversation_id = c.id group by c.id, c.subject`,
      );
      const expected = Array.from({ length: CUSTOMERS }, (_, n) => [
        `Parcel ${n}`,
        [`inbound Question ${n}.1`, `outbound Answer ${n}.1`, `inbound Question ${n}.2`, `outbound Answer ${n}.2`],
      ]);
      const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
      expect(rows.map(({ subject, bodies }) => [subject, bodies]).sort(byText)).toEqual(expected.sort(byText));
      // What was taken twice, because the mail server forgot to say so, has the same id: a mailbox drops the repeat.
      const ids = new Map<string, Set<string>>();
      for (const { messageId, text, customer } of all) {
        const what = `${/Answer \S+/.exec(text)![0]} to ${customer}`;
        ids.set(what, (ids.get(what) ?? new Set()).add(messageId));
      }
      expect([...ids.keys()].sort()).toEqual(
        Array.from({ length: CUSTOMERS }, (_, n) => [1, 2].map((k) => `Answer ${n}.${k} to c${n}@example.org`))
          .flat()
          .sort(),
      );
      expect([...ids].filter(([, { size }]) => size > 1)).toEqual([]);
    },
    2 * MAX_MS,
  );
});
