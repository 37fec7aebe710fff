import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { byPostmark, mail, SECRET } from "../server/channels/mail-webhook-support.js";
import { connect } from "../support/database.js";
import { randomFrom, runs } from "../support/seed.js";
import { allowTimeForProcesses } from "../server/process/support.js";
import { type Killable, startKillable } from "../endurance/killable.js";

allowTimeForProcesses();

// kill -9 of the process while a provider sends mails, and sends each again until the answer is 200, as providers do.

const MAILS = runs(40, 400);
const KILLS = runs(2, 10);
const AT_ONCE = 8;

let killable: Killable;
beforeAll(async () => {
  killable = await startKillable();
});
afterAll(() => killable?.close());

test(`${MAILS} mails become one message each, though the process is killed ${KILLS} times while they come`, async () => {
  const owner = await killable.owner();
  const { body: channel } = await owner.post(
    `/api/workspaces/${killable.tenant.defaults.workspaceId}/channels`,
    {
      type: "email",
      name: "By Postmark",
      address: "support@example.com",
      settings: { smtp: { host: "smtp.example.com", port: 465 }, inbound: { provider: "postmark" } },
      credentials: { username: "support", password: "secret", webhookSecret: SECRET },
    },
    201,
  );
  const mails = Array.from({ length: MAILS }, (_, n) => mail(`Mail ${n}`, { headers: "Content-Type: text/plain\r\n" }));
  // Some are left for after each kill, however fast the server is.
  const part = Math.ceil(MAILS / (KILLS + 1));
  const waiting = mails.splice(0, part);
  let sent = 0;
  /** Were cut off by a kill, and are not in yet. One that is cut off twice is stored as it came, without its subject. */
  const cutOff = new Set<string>();
  const provider = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined || mails.length; next = waiting.shift()) {
      if (next === undefined) {
        await sleep(5);
        continue;
      }
      const url = killable.server.address + channel.webhookPath!;
      const status = await byPostmark(url, next, { secret: SECRET }).then(
        (reply) => reply.status,
        () => 0,
      );
      if (status === 200) {
        sent++;
        cutOff.delete(next);
      } else {
        cutOff.add(next);
        waiting.push(next);
        await sleep(100);
      }
    }
  };
  const random = randomFrom();
  const sending = Promise.all(Array.from({ length: AT_ONCE }, provider));
  let kills = 0;
  for (; kills < KILLS; kills++) {
    const before = sent;
    while (sent < before + part / 2 || cutOff.size) await sleep(5);
    await sleep(random() * 50);
    await killable.killAndStart();
    waiting.push(...mails.splice(0, part));
  }
  await sending;
  expect([sent, kills]).toEqual([MAILS, KILLS]);
  const sql = await connect(killable.db.url);
  const { rows } = await sql.query<{ subject: string; messages: string }>(
    `select c.subject, count(*) as messages from message m
     join conversation c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
     where c.channel_id = $1 and m.direction = 'inbound' group by c.subject`,
    [channel.id],
  );
  await sql.end();
  expect(rows.map(({ subject, messages }) => `${subject}: ${messages}`).sort()).toEqual(
    Array.from({ length: MAILS }, (_, n) => `Mail ${n}: 1`).sort(),
  );
});
