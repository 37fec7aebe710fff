import { randomBytes } from "node:crypto";
import fs from "node:fs";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MailServer, startMailServer } from "../server/auth/mail-server.js";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "../server/channels/dovecot.js";
import { allowTimeForProcesses, until } from "../server/process/support.js";
import { connect } from "../support/database.js";
import { type Killable, startKillable } from "../endurance/killable.js";

allowTimeForProcesses();

const BOXES = Array.from({ length: 20 }, (_, n) => `box-${n}`);
const MAILS_EACH = 20;

describe.skipIf(!DOVECOT)(`twenty mailboxes${WITHOUT_DOVECOT}`, () => {
  let smtp: MailServer;
  let imap: Dovecot;
  let parley: Killable;
  let sql: pg.Client;
  beforeAll(async () => {
    [smtp, imap] = await Promise.all([startMailServer(), startDovecot({ boxes: BOXES })]);
    // Its memory is measured.
    parley = await startKillable({
      NODE_OPTIONS: "",
      OUTBOUND_ALLOW: `${new URL(smtp.url).host},127.0.0.1:${imap.port}`,
    });
    sql = await connect(parley.db.url);
  });
  afterAll(async () => {
    await sql?.end();
    await parley?.close();
    await imap?.close();
    await smtp?.close();
  });

  test("are read at once by one process, and each mail comes into its own, in its order", async () => {
    const { hostname: host, port } = new URL(smtp.url);
    const owner = await parley.owner();
    for (const username of BOXES)
      await owner.post(
        `/api/workspaces/${parley.tenant.defaults.workspaceId}/channels`,
        {
          type: "email",
          name: username,
          address: `${username}@example.com`,
          credentials: { username, password: PASSWORD },
          settings: {
            smtp: { host, port: Number(port), security: "none" },
            imap: { host: "127.0.0.1", port: imap.port, security: "none" },
          },
        },
        201,
      );
    const rowsOf = async (text: string) => (await sql.query<Record<string, unknown>>(text)).rows;
    await until(
      async () => (await rowsOf("select from mailbox where validity is not null")).length === BOXES.length,
      () => "each mailbox was opened",
    );
    const began = performance.now();
    for (let n = 0; n < MAILS_EACH; n++)
      for (const box of BOXES)
        imap.deliver(
          `From: ada-${box}@example.org\r\nTo: ${box}@example.com\r\nSubject: To ${box}\r\nMessage-ID: <${n}.${box}@example.org>\r\nReferences: <0.${box}@example.org>\r\n\r\nMail ${n}\r\n`,
          box,
        );
    const inbound = "from message m where m.direction = 'inbound'";
    await until(
      async () => (await rowsOf(`select ${inbound}`)).length >= BOXES.length * MAILS_EACH,
      () => "each mail came in",
    );
    process.stdout.write(`${BOXES.length * MAILS_EACH} mails in ${Math.round(performance.now() - began)} ms\n`);
    const found = await rowsOf(
      `select h.name, array_agg(m.body order by m.sequence) as bodies from message m
       join conversation c on c.id = m.conversation_id join channel h on h.id = c.channel_id
       where m.direction = 'inbound' group by h.name, c.id order by 1`,
    );
    const all = Array.from({ length: MAILS_EACH }, (_, n) => `Mail ${n}`);
    expect(found).toEqual([...BOXES].sort().map((name) => ({ name, bodies: all })));
  });

  test("a file of 20 MB comes into each of them at once, whole, and the process needs at most a gigabyte", async () => {
    const { pid } = parley.server;
    const memory = (): number =>
      Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
    const before = memory();
    const bytes = randomBytes(20_000_000);
    const lines = bytes.toString("base64").replace(/.{76}/g, "$&\r\n");
    for (const box of BOXES)
      imap.deliver(
        `From: grace-${box}@example.org\r\nTo: ${box}@example.com\r\nSubject: Large\r\nMessage-ID: <large.${box}@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: application/octet-stream; name=large.bin\r\nContent-Disposition: attachment; filename=large.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}\r\n`,
        box,
      );
    const files = `select a.size from attachment a join message m on m.id = a.message_id where a.file_name = 'large.bin' and a.size = ${bytes.length}`;
    await until(
      async () => (await sql.query(files)).rowCount === BOXES.length,
      () => "each file came in",
    );
    process.stdout.write(`${Math.round(before)} MB before, ${Math.round(memory())} MB at most\n`);
    expect(memory()).toBeLessThan(1_000);
  });
});
