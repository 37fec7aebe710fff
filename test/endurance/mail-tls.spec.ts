import dns from "node:dns/promises";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MailServer, startMailServer } from "../server/auth/mail-server.js";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "../server/channels/dovecot.js";
import { OF_LOCALHOST } from "../server/security/certificate.js";
import {
  attachmentsOf,
  PASSWORD as OWNERS_PASSWORD,
  SECRET_KEY,
  startApp,
  type TestApp,
  type TestTenant,
} from "../support/app.js";
import type { Client } from "../support/client.js";
import {
  allowTimeForProcesses,
  cleanUp,
  newFolder,
  type Server,
  startServer,
  until,
} from "../server/process/support.js";

allowTimeForProcesses();

const SECURITIES = ["tls", "starttls"] as const;
type Security = (typeof SECURITIES)[number];

// Node reads its certificate authorities at the start, so a process of its own trusts the certificate. This one does not.
describe.skipIf(!DOVECOT)(`a mailbox behind TLS${WITHOUT_DOVECOT}`, () => {
  let imap: Dovecot;
  let smtp: Record<Security | "none", MailServer>;
  let untrusting: TestApp;
  let tenant: TestTenant;
  let trusting: Server;
  let owner: Client;
  beforeAll(async () => {
    const { address } = await dns.lookup("localhost");
    imap = await startDovecot({ tls: true, address });
    smtp = {
      tls: await startMailServer({ security: "tls", address }),
      starttls: await startMailServer({ security: "starttls", address }),
      none: await startMailServer({ address }),
    };
    const ports = [imap.port, imap.tlsPort, ...Object.values(smtp).map(({ port }) => port)];
    const OUTBOUND_ALLOW = ports.map((port) => `localhost:${port}`);
    untrusting = await startApp({ OUTBOUND_ALLOW });
    tenant = await untrusting.tenant("Sealed");
    const certificate = path.join(newFolder(), "localhost.pem");
    fs.writeFileSync(certificate, OF_LOCALHOST.cert);
    trusting = await startServer({
      DATABASE_URL: untrusting.db.url,
      SECRET_KEY,
      OUTBOUND_ALLOW: OUTBOUND_ALLOW.join(),
      LOG_LEVEL: "error",
      HOST: "127.0.0.1",
      ATTACHMENTS_DIR: attachmentsOf(untrusting.db),
      NODE_EXTRA_CA_CERTS: certificate,
    });
    owner = await trusting.client().login(tenant.ownerEmail, OWNERS_PASSWORD);
  });
  afterAll(async () => {
    await cleanUp();
    await imap?.close();
    for (const server of Object.values(smtp ?? {})) await server.close();
    await untrusting?.close();
  });

  const channel = async (receive: Security, send: Security, sendPort = smtp[send].port): Promise<string> =>
    (
      await owner.post(
        `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
        {
          type: "email",
          name: receive + send,
          address: "support@example.com",
          credentials: { username: "support", password: PASSWORD },
          settings: {
            smtp: { host: "localhost", port: sendPort, security: send },
            imap: { host: "localhost", port: receive === "tls" ? imap.tlsPort : imap.port, security: receive },
          },
        },
        201,
      )
    ).body.id;
  const remove = (id: string) => owner.patch(`/api/channels/${id}`, { enabled: false }, 200);

  test.each([
    ["tls", "starttls"],
    ["starttls", "tls"],
  ] as const)("is read by %s and answered by %s", async (receive, send) => {
    const id = await channel(receive, send);
    expect((await owner.post(`/api/channels/${id}/test`, undefined, 200)).body).toMatchObject({
      lastTest: { ok: true },
    });
    // Mail from before the connection is not imported.
    await until(
      async () =>
        (await untrusting.db.query("select from mailbox where channel_id = $1 and validity is not null", [id]))
          .length === 1,
      () => "the mailbox was opened",
    );
    imap.deliver(
      `From: ada@example.org\r\nTo: support@example.com\r\nSubject: By ${receive}\r\nMessage-ID: <${receive}@example.org>\r\n\r\nIs anybody there?\r\n`,
    );
    const conversation = await until(
      async () =>
        (await owner.get("/api/conversations", 200)).body.data.find(
          ({ subject, channelId }) => subject === `By ${receive}` && channelId === id,
        ),
      () => "the mail was taken in",
    );
    await owner.post(`/api/conversations/${conversation.id}/reply`, { body: "We are." }, 200);
    await until(
      () => smtp[send].delivered.length > 0,
      () => "the answer was sent",
    );
    expect(smtp[send].delivered).toMatchObject([
      { to: ["ada@example.org"], headers: { subject: `Re: By ${receive}` } },
    ]);
    await remove(id);
  });

  test("configured for STARTTLS on a server without it receives no password", async () => {
    const id = await channel("tls", "starttls", smtp.none.port);
    expect((await owner.post(`/api/channels/${id}/test`, undefined, 200)).body).toMatchObject({
      lastTest: { ok: false, message: expect.stringContaining("speaks no TLS in this way") },
    });
    expect(smtp.none.told).toEqual([]);
    await remove(id);
  });

  test("with an untrusted certificate receives no password, and reports the problem", async () => {
    await trusting.end("SIGTERM");
    for (const server of Object.values(smtp)) server.told.length = 0;
    owner = await tenant.owner();
    for (const security of SECURITIES) {
      const id = await channel(security, security);
      const { body } = await owner.post(`/api/channels/${id}/test`, undefined, 200);
      expect(body).toMatchObject({
        lastTest: { ok: false, message: expect.stringContaining("NODE_EXTRA_CA_CERTS") },
      });
      await remove(id);
    }
    expect(smtp.tls.told.length + smtp.starttls.told.length).toBe(0);
  });
});
