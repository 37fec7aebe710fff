import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "../server/channels/dovecot.js";
import { connect } from "../support/database.js";
import { randomFrom, runs } from "../support/seed.js";
import { allowTimeForProcesses, type Server, startServer, until } from "../server/process/support.js";
import { type Killable, startKillable } from "./killable.js";

allowTimeForProcesses();

// kill -9 of the reading process, the mail server and the database connections, while mail comes in. The default is a
// small run; MAIL_MESSAGES=2000 MAIL_KILLS=20 is a long one.

const MAILS = Number(process.env.MAIL_MESSAGES ?? runs(40, 200));
const KILLS = Number(process.env.MAIL_KILLS ?? runs(1, 2));
const SENDERS = 50 + MAILS / 20;
const MAX_MS = 300_000 + MAILS * 200;

describe.skipIf(!DOVECOT)(`mail${WITHOUT_DOVECOT}`, () => {
  let imap: Dovecot;
  let first: Killable;
  let second: Server;
  beforeAll(async () => {
    imap = await startDovecot();
    // The test does not send mail: the same port is configured for sending, and only the first test of the channel
    // would use it.
    first = await startKillable({ OUTBOUND_ALLOW: `127.0.0.1:${imap.port}` });
    second = await startServer(first.settings);
  });
  afterAll(async () => {
    await first?.close();
    await imap?.close();
  });

  test(
    `arrives exactly once while processes are killed: ${MAILS} mails become one message each, with the file`,
    async () => {
      const owner = await first.owner();
      const server = { host: "127.0.0.1", port: imap.port, security: "none" };
      const {
        body: { id: channelId },
      } = await owner.post(
        `/api/workspaces/${first.tenant.defaults.workspaceId}/channels`,
        {
          type: "email",
          name: "Support",
          address: "support@example.com",
          settings: { smtp: server, imap: server },
          credentials: { username: "support", password: PASSWORD },
        },
        201,
      );
      const sql = await connect(first.db.url);
      // There is no server for sending here, so the test records that sending works. An attempt to set it up that is under
      // way records nothing any more without its row.
      await sql.query("delete from channel_due");
      await sql.query(`update channel set status = 'active' where id = $1`, [channelId]);
      await until(
        async () => (await sql.query("select 1 from mailbox where validity is not null")).rowCount === 1,
        () => "the mailbox was opened",
      );

      const random = randomFrom();
      let delivered = 0;
      const write = (async () => {
        for (; delivered < MAILS; delivered++) {
          imap.deliver(
            `From: c${delivered % SENDERS}@example.org\r\nTo: support@example.com\r\nSubject: Mail ${delivered}\r\nMessage-ID: <m${delivered}@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nThe text ${delivered}\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="${delivered}.txt"\r\n\r\nThe file ${delivered}\r\n--b--\r\n`,
          );
          await sleep(10 + random() * 40);
        }
      })();
      const count = async (): Promise<number> =>
        (await sql.query<{ n: number }>(`select count(*)::int as n from message where direction = 'inbound'`)).rows[0]!
          .n;
      const killed = { reader: 0, server: 0, connections: 0 };
      let stored = 0;
      for (let round = 0; round < KILLS; round++) {
        for (const what of ["reader", "server", "connections"] as const) {
          const share = (MAILS * (round * 3 + Object.keys(killed).indexOf(what) + 0.5)) / (KILLS * 3);
          await until(
            () => delivered >= Math.min(share, MAILS),
            () => "enough was delivered",
          );
          // A mail whose reading is cut off several times is stored without having been parsed, so each kill meets another one.
          await until(
            async () => (await count()) > stored || stored >= MAILS,
            () => "a mail was stored since the last kill",
          );
          stored = await count();
          await sleep(random() * 200);
          if (what === "reader") {
            await first.killAndStart(async () => {
              await second.end("SIGKILL");
              // Lets the lease of a killed process expire, so that others take over its mailbox.
              await sql.query(`update mailbox_lease set held_until = now() - interval '1 minute'`);
            });
            second = await startServer(first.settings);
          } else if (what === "server") {
            await imap.kill();
            await sleep(100);
            await imap.start();
          } else
            await sql.query(
              "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
            );
          killed[what]++;
        }
      }
      await write;
      const deadline = Date.now() + MAX_MS;
      while ((await count()) < MAILS && Date.now() < deadline) await sleep(200);
      const rows = (
        await sql.query<{
          subject: string;
          body: string;
          files: string[];
          count: number;
        }>(`select c.subject, m.body, c.message_count as count, array(select a.file_name from attachment a where a.message_id = m.id) as files
      from message m join conversation c on c.id = m.conversation_id where m.direction = 'inbound'`)
      ).rows;
      process.stdout.write(`${JSON.stringify({ mails: MAILS, killed, messages: rows.length })}\n`);
      const numbers = Array.from({ length: MAILS }, (_, n) => n);
      expect(rows.map(({ subject }) => subject).sort()).toEqual(numbers.map((n) => `Mail ${n}`).sort());
      for (const { subject, body, files, count: messages } of rows)
        expect([body, files, messages]).toEqual([`The text ${subject.slice(5)}`, [`${subject.slice(5)}.txt`], 1]);
      expect((await sql.query(`select 1 from channel where id = $1 and status = 'active'`, [channelId])).rowCount).toBe(
        1,
      );
      expect(imap.inbox()).toEqual({ mails: MAILS, seen: 0 });
      for (const one of [first.server, second]) expect(JSON.stringify(one.output())).not.toContain(PASSWORD);
      await sql.end();
    },
    2 * MAX_MS,
  );
});
