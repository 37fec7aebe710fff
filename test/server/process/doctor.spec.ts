import fs from "node:fs";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ofClock } from "../../../src/cli/doctor/postgres.js";
import { examine } from "../../../src/platform/database/examine.js";
import { aTime } from "../e2e/support.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { OF_LOCALHOST } from "../security/certificate.js";
import { PASSWORD, SECRET_KEY, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { connect } from "../../support/database.js";
import { closedPort } from "../../support/ports.js";
import { cleanUp, emptyDatabase, type EmptyDatabase, newFolder, parleyHere } from "./support.js";

type Found = { part: string; level: string; says: string }[];

let app: TestApp;
let tenant: TestTenant;
let mails: MailServer;
let empty: EmptyDatabase;
let settings: Record<string, string>;
beforeAll(async () => {
  mails = await startMailServer();
  app = await startApp({ OUTBOUND_ALLOW: [`127.0.0.1:${mails.port}`] });
  tenant = await app.tenant("Checked");
  empty = await emptyDatabase();
  settings = {
    DATABASE_URL: app.db.url,
    SECRET_KEY,
    OUTBOUND_ALLOW: `127.0.0.1:${mails.port}`,
    // Nobody answers there.
    DNS_SERVERS: `127.0.0.1:${await closedPort()}`,
    ATTACHMENTS_DIR: newFolder(),
  };
});
afterAll(async () => {
  await cleanUp();
  await app.close();
  await mails.close();
  await empty.drop();
});

/** What it finds, and whether it is content. */
async function examined(changed: Record<string, string> = {}): Promise<{ found: Found; code: number | null }> {
  const { stdout, code } = await parleyHere(["doctor", "--json"], { ...settings, ...changed });
  return { found: JSON.parse(stdout) as Found, code };
}
const saying = (found: Found, level: string): string[] =>
  found
    .filter((one) => one.level === level && !/ is off in PostgreSQL/.test(one.says))
    .map(({ part, says }) => `${part}: ${says}`);

test("what works is named, and what is missing is a warning", async () => {
  const { found } = await examined();
  expect(saying(found, "error")).toEqual([]);
  expect(saying(found, "ok")).toEqual([
    expect.stringMatching(/^Configuration: Node\.js \d+/),
    expect.stringMatching(/^Database: PostgreSQL 1\d/),
    "Database: The schema is up to date, and row-level security holds for the server's role",
    "Surroundings: There is room for attachments",
  ]);
  expect(saying(found, "warning")).toEqual([
    expect.stringContaining("SMTP_URL is not set"),
    // The login of the tests' database.
    expect.stringMatching(/^Database: The login "\w+" of DATABASE_URL is a superuser.* Set DATABASE_APP_URL to /),
    expect.stringContaining("The name servers do not answer"),
    expect.stringContaining("The daily run"),
  ]);
});

test("people read the same, with the number of errors at the end", async () => {
  const { stdout } = await parleyHere(["doctor"], settings);
  expect(stdout).toMatch(/^Configuration\n {2}ok +Node\.js/);
  expect(stdout).toMatch(/\nDatabase\n {2}ok +PostgreSQL/);
  expect(stdout).toMatch(/\n3 errors, 4 warnings\n$/);
});

describe("the settings", () => {
  test("one whose name is misspelt is found, and what it should be", async () => {
    vi.stubEnv("SMPT_URL", "smtp://mail.example.com");
    const { found, code } = await examined().finally(() => vi.unstubAllEnvs());
    expect(saying(found, "error")).toEqual(["Configuration: SMPT_URL is no setting: do you mean SMTP_URL?"]);
    expect(code).toBe(1);
  });

  test("one that is wrong is named as at the start, and nothing else is looked at", async () => {
    const { found, code } = await examined({ DATABASE_POOL_SIZE: "1" });
    expect(found).toEqual([
      { part: "Configuration", level: "error", says: expect.stringContaining("DATABASE_POOL_SIZE") },
    ]);
    expect(code).toBe(1);
  });

  test("those of production are compared with each other", async () => {
    const { found } = await examined({ NODE_ENV: "production", SMTP_URL: "", HOST: "0.0.0.0" });
    expect(saying(found, "error")).toEqual([expect.stringContaining("PUBLIC_URL is not set")]);
  });
});

describe("the database", () => {
  test("what its server has turned off loses data, as in the one of the tests", async () => {
    const { found, code } = await examined();
    expect(found.filter(({ level }) => level === "error").map(({ says }) => says.split(":")[0])).toEqual(
      ["autovacuum", "fsync", "full_page_writes"].map((name) => `${name} is off in PostgreSQL`),
    );
    expect(code).toBe(1);
  });

  test("the oldest transaction is the one that holds back the feed", async () => {
    const [holder, looker] = [await connect(app.db.url), await connect(app.db.url)];
    try {
      await holder.query("begin");
      const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
      expect((await examine(looker)).oldest).toMatchObject({ pid: rows[0]!.pid, seconds: expect.any(Number) });
    } finally {
      await holder.end();
      await looker.end();
    }
  });

  test("an empty one is told apart, and stays empty", async () => {
    const { found, code } = await examined({ DATABASE_URL: empty.url });
    expect(saying(found, "error")).toEqual([expect.stringMatching(/^Database: \d+ migrations have not been run/)]);
    expect(code).toBe(1);
    const client = await connect(empty.url);
    const { rows } = await client.query("select from pg_class where relnamespace = 'public'::regnamespace");
    await client.end();
    expect(rows).toEqual([]);
  });

  test("a login of the server's own is no cause for a warning", async () => {
    const { found } = await examined({ DATABASE_APP_URL: app.db.serverUrl });
    expect(saying(found, "warning").filter((says) => says.startsWith("Database"))).toEqual([]);
  });

  test("a certificate that nobody here trusts is told with what to do", async () => {
    // Answers that it speaks TLS, as PostgreSQL does, and shows a certificate of its own.
    const server = net.createServer((socket) => {
      socket
        .on("error", () => undefined)
        .once("data", () => {
          socket.write("S");
          new tls.TLSSocket(socket, { isServer: true, ...OF_LOCALHOST }).on("error", () => undefined);
        });
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    try {
      const url = `postgres://parley:secret@localhost:${(server.address() as AddressInfo).port}/parley?sslmode=verify-full`;
      const { found } = await examined({ DATABASE_URL: url });
      expect(saying(found, "error")).toEqual([
        expect.stringMatching(/^Database: DATABASE_URL: the certificate of PostgreSQL is not trusted .*sslrootcert/),
      ]);
      const missing = await examined({ DATABASE_URL: `${url}&sslrootcert=/nothing/here.pem` });
      expect(saying(missing.found, "error")).toEqual([expect.stringMatching(/^Database: .*\/nothing\/here\.pem/)]);
    } finally {
      server.close();
    }
  });

  test("a clock that is wrong is told in minutes, and in which direction", () => {
    expect(ofClock(-3_599_999).map(({ says }) => says)).toEqual([
      "The clock of PostgreSQL is 60 minutes behind this machine's: let both follow the same time server",
    ]);
    expect(ofClock(5_000)[0]!.says).toContain("5 seconds ahead of");
    expect(ofClock(1_500)).toEqual([]);
  });

  test("one that nobody runs is named without its password", async () => {
    const url = `postgres://parley:not-to-be-shown@127.0.0.1:${await closedPort()}/parley`;
    const { found } = await examined({ DATABASE_URL: url });
    expect(saying(found, "error")).toEqual([expect.stringMatching(/^Database: DATABASE_URL: .*ECONNREFUSED/)]);
    expect(JSON.stringify(found)).not.toContain("not-to-be-shown");
  });
});

describe("what is around it", () => {
  test("a public address is asked: who answers there, and what time it is", async () => {
    let answer = { status: 200, body: '{"ok":true}', ahead: 0 };
    const server = http.createServer((_, response) => {
      response.setHeader("Date", new Date(Date.now() + answer.ahead * 1_000).toUTCString());
      response.writeHead(answer.status).end(answer.body);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const PUBLIC_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const about = async (): Promise<string[]> =>
      (await examined({ PUBLIC_URL })).found
        .filter(({ says }) => /PUBLIC_URL|127\.0\.0\.1/.test(says))
        .map(({ says }) => says);
    try {
      expect(await about()).toEqual([`${PUBLIC_URL} leads to a Parley that is ready`]);
      answer = { status: 200, body: '{"ok":true}', ahead: 3_600 };
      expect(await about()).toEqual([
        `${PUBLIC_URL} leads to a Parley that is ready`,
        expect.stringMatching(/^The clock behind PUBLIC_URL is 3[56]\d\d s ahead/),
      ]);
      answer = { status: 502, body: "Bad Gateway", ahead: 0 };
      expect(await about()).toEqual([`${PUBLIC_URL}/readyz answers 502: is Parley behind it, and running?`]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
    expect(await about()).toEqual([expect.stringContaining(`${PUBLIC_URL} cannot be reached from here`)]);
  });

  test("the mail server is asked, and gets no mail", async () => {
    const open = await examined({ SMTP_URL: `smtp://127.0.0.1:${mails.port}?requireTLS=false` });
    expect(saying(open.found, "ok")).toContain("Surroundings: The mail server of SMTP_URL lets Parley in");
    const closed = await examined({ SMTP_URL: `smtp://127.0.0.1:${mails.port}` });
    expect(saying(closed.found, "error")).toEqual([expect.stringContaining("has no TLS that can be trusted")]);
    expect(mails.attempted).toEqual([]);
  });

  test("a folder for attachments that nobody can use is found", async () => {
    const file = path.join(newFolder(), "file");
    fs.writeFileSync(file, "");
    const { found } = await examined({ ATTACHMENTS_DIR: file });
    expect(saying(found, "error")).toEqual([expect.stringMatching(/^Surroundings: Attachments cannot be stored/)]);
  });
});

test("a daily run that has not ended for days is an error", async () => {
  const db = await connect(app.db.url);
  await db.query(
    `insert into job_run (name, started_at, finished_at, result) values ('daily', now() - interval '3 days', now() - interval '3 days', '{}')`,
  );
  const { found } = await examined();
  await db.query("delete from job_run where name = 'daily'");
  await db.end();
  expect(saying(found, "error")).toEqual([expect.stringContaining("last ended 3 days ago")]);
});

test("what waits because SMTP_URL is not set is a warning, and no sign that nobody works", async () => {
  const db = await connect(app.db.url);
  await db.query(
    `with message as (
       insert into outbox_message (tenant_id, id, kind, channel, status, sealed)
       values ($1, gen_random_uuid(), 'mail', 'email', 'queued', 'x') returning id
     )
     insert into outbox_queue (tenant_id, id, due_at, waiting_since)
     select $1, id, now() - interval '7 minutes', now() - interval '7 minutes' from message`,
    [tenant.tenantId],
  );
  const { found } = await examined().finally(() => db.query("delete from outbox_message"));
  await db.end();
  expect(saying(found, "error")).toEqual([]);
  expect(saying(found, "warning")).toContainEqual(
    "Work: Parley's own messages wait until SMTP_URL is set: mail (7 minutes). `parley mail` shows them",
  );
});

test("each channel is tested without being changed, and what fails says whose it is", async () => {
  const owner = await app.client().login(tenant.ownerEmail, PASSWORD);
  const path = `/api/workspaces/${tenant.defaults.workspaceId}/channels`;
  const { body: made } = await owner.post<{ id: string }>(path, {
    type: "email",
    name: "Support",
    address: "support@example.com",
    settings: { smtp: { host: "127.0.0.1", port: mails.port, security: "none" } },
    credentials: { username: "support@example.com", password: "wrong-or-right" },
  });
  const channel = async () => (await owner.get<object>(`/api/channels/${made.id}`)).body;
  const refused = "The mail server refused the password";
  const stopped = await connect(app.db.url);
  await stopped.query("update channel set status = 'error', last_error = $2 where id = $1", [made.id, refused]);
  await stopped.end();
  const before = await channel();
  expect(before).toMatchObject({ lastTest: null, createdAt: aTime });
  const about = async (): Promise<string[]> =>
    (await examined()).found.filter(({ part }) => part === "Channels").map(({ level, says }) => `${level}: ${says}`);
  expect(await about()).toEqual([
    `error: Checked, Support (support@example.com) is in error, and neither sends nor receives: ${refused}. It can be reached now: press Test under Settings > Channels`,
  ]);
  await mails.close();
  expect(await about()).toEqual([
    expect.stringMatching(
      /^error: Checked, Support \(support@example\.com\) is in error, .*Mend that, then press Test/,
    ),
  ]);
  expect(await channel()).toEqual(before);
});
