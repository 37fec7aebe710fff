import tls from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ChannelCredentials } from "../../../src/channels/channel-credentials.js";
import { explain } from "../../../src/channels/email/mail-server-errors.js";
import { ProvisioningJob } from "../../../src/channels/provisioning.job.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { aTime, anId, newAgent, NOT_FOUND } from "../e2e/support.js";
import { concurrently, on, startTwo, tablesWith, type TwoNodes, untilWaiting } from "../../races/support.js";
import { keyFor, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { connect } from "../../support/database.js";
import { eventually } from "../../support/eventually.js";
import { closedPort } from "../../support/ports.js";
import { OF_LOCALHOST } from "../security/certificate.js";
import { type ImapServer, provision, startImap } from "./support.js";

let mail: MailServer;
let imap: ImapServer;
let secure: Record<"tls" | "starttls", MailServer>;
let closed: number;
let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let smtpPort: number;
beforeAll(async () => {
  mail = await startMailServer();
  imap = await startImap();
  secure = {
    tls: await startMailServer({ security: "tls" }),
    starttls: await startMailServer({ security: "starttls" }),
  };
  smtpPort = Number(new URL(mail.url).port);
  closed = await closedPort();
  nodes = await startTwo({
    OUTBOUND_ALLOW: [smtpPort, imap.port, closed, secure.tls.port, secure.starttls.port].map(
      (port) => `127.0.0.1:${port}`,
    ),
    LOG_LEVEL: "error",
  });
  app = nodes.a;
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await nodes.close();
  await mail.close();
  await imap.close();
  await Promise.all(Object.values(secure).map((one) => one.close()));
});
beforeEach(async () => {
  await app.db.query("delete from channel_due");
  // Only one channel that is not disabled may read a mailbox.
  await app.db.query("update channel set status = 'disabled' where type = 'email'");
  Object.assign(mail, { password: "hunter2-hunter2" });
  Object.assign(imap, { accepts: true, silent: false });
  imap.logins.length = 0;
});

const server = (port: number) => ({ host: "127.0.0.1", port, security: "none" });
const mailbox = (more: object = {}) => ({
  type: "email",
  name: "Support",
  address: "Support@Example.com",
  settings: { smtp: server(smtpPort), imap: server(imap.port) },
  credentials: { username: "support", password: "hunter2-hunter2" },
  ...more,
});
const create = async (body: object, client = owner) =>
  (await client.post(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, body, 201)).body;
const read = async (id: string, client: Client = tenant.live) => (await client.get(`/api/channels/${id}`, 200)).body;
const tryOut = async (id: string, client: Client = tenant.live) =>
  (await client.post(`/api/channels/${id}/test`, undefined, 200)).body;
const itemsOf = async (channelId: string) =>
  (await tenant.live.get("/api/attention-items?type=channel_error&limit=100", 200)).body.data.filter(
    (item) => item.channelId === channelId,
  );

const WEBCHAT = {
  allowedOrigins: [],
  title: null,
  greeting: null,
  colour: "#1d4ed8",
  position: "end",
  language: null,
  requireIdentity: false,
};

describe("a channel", () => {
  test("without external setup is active at once, and works", async () => {
    for (const type of ["api", "webchat"]) {
      const channel = await create({ type, name: " Another " });
      expect(channel).toEqual({
        id: anId,
        workspaceId: tenant.defaults.workspaceId,
        type,
        name: "Another",
        status: "active",
        provisioning: { attempts: 0, lastError: null, nextRetryAt: null },
        ...(type === "webchat"
          ? { address: expect.stringMatching(/^wc_[\w-]{43}$/), settings: WEBCHAT }
          : { address: null, settings: {} }),
        hasCredentials: false,
        credentialFingerprint: null,
        signIn: null,
        webhookPath: null,
        lastTest: null,
        createdAt: aTime,
        updatedAt: aTime,
      });
      expect(await tryOut(channel.id)).toMatchObject({ ok: true, lastTest: { ok: true } });
    }
  });

  test("for a mailbox is set up by the job, and returns the result of the test", async () => {
    const channel = await create(mailbox());
    expect(channel).toMatchObject({
      status: "provisioning",
      address: "support@example.com",
      hasCredentials: true,
      credentialFingerprint: expect.stringMatching(/^[\da-f]{16}$/),
      provisioning: { attempts: 0, lastError: null, nextRetryAt: aTime },
    });
    await provision(app);
    expect(await read(channel.id)).toMatchObject({
      status: "active",
      provisioning: { attempts: 0, lastError: null, nextRetryAt: null },
    });
    expect(imap.logins).toEqual(["support hunter2-hunter2"]);
    const { lastTest } = await tryOut(channel.id);
    expect(lastTest).toEqual({
      at: aTime,
      ok: true,
      message: "Signed in to send and to receive; the inbox holds 3 mails",
      mailDomain: expect.objectContaining({ domain: "example.com" }),
    });
    expect((await read(channel.id)).lastTest).toEqual(lastTest);
    expect(
      (await tenant.live.get(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, 200)).body.find(
        ({ id }) => id === channel.id,
      ),
    ).toEqual(await read(channel.id));
  });

  test.each([
    [() => ({ type: "email", name: "X" }), /address: a channel of type email needs one/],
    [() => mailbox({ address: "nobody" }), /address must be an email address/],
    [() => mailbox({ settings: {} }), /settings\.smtp/],
    [
      () => mailbox({ settings: { smtp: { host: "a b", port: 465 } } }),
      /settings\.smtp\.host must be the name of a server/,
    ],
    [() => mailbox({ settings: { smtp: { host: "smtp.example.com", port: 0 } } }), /settings\.smtp\.port/],
    [
      () => mailbox({ settings: { smtp: { host: "smtp.example.com", port: 465, tls: true } } }),
      /property settings\.smtp\.tls should not exist/,
    ],
    [
      () => mailbox({ settings: { smtp: { host: "smtp.example.com", port: 465 }, colour: "red" } }),
      /property settings\.colour should not exist/,
    ],
    [() => mailbox({ credentials: { username: "x" } }), /credentials\.password/],
    [
      () => mailbox({ credentials: { username: "x", password: "y\r\nQUIT" } }),
      /credentials\.password must be one line/,
    ],
    [
      () => mailbox({ credentials: { username: "x", password: "y", token: "z" } }),
      /property credentials\.token should not exist/,
    ],
    [() => ({ type: "api", name: "X", settings: { colour: "red" } }), /property settings\.colour should not exist/],
    [() => ({ type: "api", name: "X", address: "a@example.com" }), /address: a channel of type api has none/],
    [() => ({ type: "api", name: "X", credentials: { password: "x" } }), /credentials: a channel of type api has none/],
    [
      () => ({ type: "webchat", name: "X", credentials: { password: "x" } }),
      /property credentials\.password should not exist/,
    ],
    [() => ({ type: "pigeon", name: "X" }), /type must be one of/],
  ])("that is invalid is refused with the field and the reason (%#)", async (body, sentence) => {
    expect(
      (await owner.post(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, body(), 400)).body.error,
    ).toMatch(sentence);
  });

  test("without credentials waits for them", async () => {
    const { id } = await create(mailbox({ credentials: undefined }));
    expect(await read(id)).toMatchObject({
      status: "provisioning",
      hasCredentials: false,
      provisioning: { lastError: "The channel has no credentials yet", nextRetryAt: null },
    });
    await provision(app);
    expect((await tenant.live.post(`/api/channels/${id}/retry-provisioning`, undefined, 409)).body.error).toBe(
      "The channel has no credentials yet",
    );
    expect((await tryOut(id)).lastTest).toMatchObject({ ok: false, message: "The channel has no credentials yet" });
    await tenant.live.put(
      `/api/channels/${id}/credentials`,
      { credentials: { username: "support", password: "hunter2-hunter2" } },
      200,
    );
    await provision(app);
    expect(await read(id)).toMatchObject({ status: "active", hasCredentials: true });
  });

  test("can be disabled and enabled, and is set up again if its address or settings change", async () => {
    const { id } = await create(mailbox());
    await provision(app);
    const patch = async (body: object) => (await tenant.live.patch(`/api/channels/${id}`, body, 200)).body;
    expect(await patch({ name: "Renamed" })).toMatchObject({ name: "Renamed", status: "active" });
    expect(await patch({ enabled: false })).toMatchObject({ status: "disabled" });
    await provision(app);
    expect((await tenant.live.post(`/api/channels/${id}/retry-provisioning`, undefined, 409)).body.error).toMatch(
      /disabled/,
    );
    expect(await patch({ address: "other@example.com" })).toMatchObject({
      status: "disabled",
      address: "other@example.com",
    });
    expect(await patch({ enabled: true })).toMatchObject({ status: "provisioning", hasCredentials: true });
    await provision(app);
    expect(await read(id)).toMatchObject({ status: "active" });
    expect(await patch({ settings: { ...mailbox().settings, fromName: "Example" } })).toMatchObject({
      status: "provisioning",
      hasCredentials: true,
    });
  });

  test("loses its credentials if a change would send them to another server", async () => {
    const { id } = await create(mailbox());
    const { body } = await tenant.live.patch(`/api/channels/${id}`, { settings: { smtp: server(closed) } }, 200);
    expect(body).toMatchObject({ hasCredentials: false, credentialFingerprint: null, status: "provisioning" });
    await provision(app);
    expect(imap.logins).toEqual([]);
  });

  test("is changed by owners, admins and keys with its scope, within their data scope", async () => {
    const { id } = await create({ type: "contact_form", name: "Form" });
    const agent = await newAgent(owner, [tenant.defaults.workspaceId]);
    expect(await read(id, agent)).toMatchObject({ id });
    await agent.patch(`/api/channels/${id}`, { name: "X" }, 403);
    await (await keyFor(owner, { scopes: ["channels:read"] })).patch(`/api/channels/${id}`, { name: "X" }, 403);
    expect((await tenant.test.get(`/api/channels/${id}`, 404)).body).toEqual(NOT_FOUND);
    await tenant.live.post(
      `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
      { type: "contact_form", name: "X" },
      403,
    );
  });
});

describe("a test of a channel", () => {
  const CASES: [string, () => object, () => void, RegExp][] = [
    [
      "a password that is refused",
      () => mailbox({ credentials: { username: "support", password: "wrong" } }),
      () => undefined,
      /^The mail server for sending \(127\.0\.0\.1:\d+\) refused the user name or the password$/,
    ],
    [
      "a password that is refused for receiving",
      () => mailbox(),
      () => {
        imap.accepts = false;
      },
      /^The mail server for receiving .* refused the user name or the password$/,
    ],
    [
      "a host that nobody knows",
      () => mailbox({ settings: { smtp: { host: "smtp.invalid", port: 465 } } }),
      () => undefined,
      /^The mail server for sending \(smtp\.invalid:465\) is unknown, or not on the public internet$/,
    ],
    [
      "a host that is not public",
      () => mailbox({ settings: { smtp: { host: "127.0.0.1", port: 1 } } }),
      () => undefined,
      /is unknown, or not on the public internet$/,
    ],
    [
      "a port that is closed",
      () => mailbox({ settings: { smtp: server(closed) } }),
      () => undefined,
      /refuses the connection: nothing listens on the port$/,
    ],
    [
      "TLS where there is none",
      () => mailbox({ settings: { smtp: { ...server(smtpPort), security: "tls" } } }),
      () => undefined,
      /speaks no TLS in this way at this port/,
    ],
    [
      "an authority that nobody here knows, by TLS",
      () => mailbox({ settings: { smtp: { ...server(secure.tls.port), security: "tls" } } }),
      () => undefined,
      /NODE_EXTRA_CA_CERTS/,
    ],
    [
      "TLS for receiving where there is none",
      () => mailbox({ settings: { smtp: server(smtpPort), imap: { ...server(imap.port), security: "tls" } } }),
      () => undefined,
      /speaks no TLS in this way at this port/,
    ],
    [
      "STARTTLS where there is none",
      () => mailbox({ settings: { smtp: { ...server(smtpPort), security: "starttls" } } }),
      () => undefined,
      /speaks no TLS in this way at this port/,
    ],
    [
      "an authority that nobody here knows, by STARTTLS",
      () => mailbox({ settings: { smtp: { ...server(secure.starttls.port), security: "starttls" } } }),
      () => undefined,
      /NODE_EXTRA_CA_CERTS/,
    ],
    [
      "STARTTLS for receiving where there is none",
      () => mailbox({ settings: { smtp: server(smtpPort), imap: { ...server(imap.port), security: "starttls" } } }),
      () => undefined,
      /speaks no TLS in this way at this port/,
    ],
    [
      "a server that says nothing",
      () => mailbox(),
      () => {
        imap.silent = true;
      },
      /^The mail server for receiving .* did not answer in time$/,
    ],
  ];
  test.each(CASES)("reports what is wrong with %s, within 10 seconds", async (_, body, change, sentence) => {
    const { id, status } = await create(body());
    change();
    const began = performance.now();
    const { lastTest } = await tryOut(id);
    // Ten times as long, because the machine may be busy.
    expect(performance.now() - began).toBeLessThan(100_000);
    expect(lastTest).toMatchObject({ ok: false, message: expect.stringMatching(sentence) });
    expect(await read(id)).toMatchObject({ status, lastTest });
  });

  test("tells a certificate for another name from one that nobody here trusts", async () => {
    const failure = (options: tls.ConnectionOptions): Promise<Error> =>
      new Promise((resolve) => {
        const socket = tls.connect({ host: "127.0.0.1", port: secure.tls.port, ...options });
        socket.once("error", resolve);
      });
    const trusted = { ca: OF_LOCALHOST.cert };
    expect(explain(await failure({ ...trusted, servername: "mail.example.com" }), "It").message).toMatch(
      /another name/,
    );
    expect(explain(await failure({ servername: "localhost" }), "It").message).toMatch(/NODE_EXTRA_CA_CERTS/);
  });

  test("on the test side makes no connection", async () => {
    const client = await tenant.owner("test");
    const {
      body: { id },
    } = await client.post(`/api/workspaces/${tenant.testDefaults.workspaceId}/channels`, mailbox(), 201);
    await provision(app);
    expect(await read(id, tenant.test)).toMatchObject({ status: "active" });
    expect((await tryOut(id, tenant.test)).lastTest).toMatchObject({ ok: true });
    expect(imap.logins).toEqual([]);
  });
});

describe("setting up a channel", () => {
  test("is done by one of several processes", async () => {
    const { id } = await create(mailbox());
    await app.db.query(`update channel_due set due_at = now() - interval '1 second'`);
    await concurrently(10, (n) => (n % 2 ? nodes.a : nodes.b).app.get(ProvisioningJob).tick());
    expect(imap.logins).toHaveLength(1);
    expect(await read(id)).toMatchObject({ status: "active" });
  });

  test("is retried with growing delays, finally raises one attention item, and resolves it on success", async () => {
    const { id } = await create(mailbox({ settings: { smtp: server(smtpPort), imap: server(closed) } }));
    for (let attempt = 1; attempt <= 8; attempt++) {
      const began = Date.now();
      await provision(app, attempt % 2 ? nodes.a : nodes.b);
      const ended = Date.now();
      const { status, provisioning } = await read(id);
      expect([status, provisioning.attempts]).toEqual([attempt < 6 ? "provisioning" : "error", attempt]);
      expect(provisioning.lastError).toMatch(/nothing listens/);
      // Counted from some moment of the attempt.
      const seconds = (from: number): number => (Date.parse(provisioning.nextRetryAt!) - from) / 1_000;
      expect(seconds(began)).toBeGreaterThanOrEqual(Math.min(5 * 2 ** attempt, 900) * 0.75);
      expect(seconds(ended)).toBeLessThanOrEqual(Math.min(5 * 2 ** attempt, 900) * 1.25);
      expect(await itemsOf(id)).toHaveLength(attempt < 6 ? 0 : 1);
    }
    expect(await itemsOf(id)).toMatchObject([
      {
        conversationId: null,
        channelId: id,
        workspaceId: tenant.defaults.workspaceId,
        status: "open",
        severity: "high",
        occurrences: 1,
        reason: expect.stringMatching(/^Support: The mail server for receiving/),
      },
    ]);
    await app.db.query(`update channel set settings = $2 where id = $1`, [id, mailbox().settings]);
    await provision(app);
    expect(await read(id)).toMatchObject({ status: "active", provisioning: { attempts: 0, lastError: null } });
    expect(await itemsOf(id)).toMatchObject([{ status: "resolved", resolvedBy: null }]);
  });

  test("fails at once if the password is refused, and is retried only on request", async () => {
    const { id } = await create(mailbox({ credentials: { username: "support", password: "wrong" } }));
    await provision(app);
    expect(await read(id)).toMatchObject({
      status: "error",
      provisioning: {
        attempts: 1,
        lastError: expect.stringMatching(/refused the user name or the password/),
        nextRetryAt: null,
      },
    });
    await provision(app);
    expect(await read(id)).toMatchObject({ status: "error", provisioning: { attempts: 1 } });
    mail.password = "wrong";
    await tenant.live.post(`/api/channels/${id}/retry-provisioning`, undefined, 200);
    expect(await read(id)).toMatchObject({ status: "provisioning", provisioning: { attempts: 0 } });
    await provision(app);
    expect(await read(id)).toMatchObject({ status: "active" });
    expect((await itemsOf(id)).map(({ status }) => status)).toEqual(["resolved"]);
    await tenant.live.post(`/api/channels/${id}/retry-provisioning`, undefined, 200);
    expect(await read(id)).toMatchObject({ status: "active" });
  });

  test("begins again when a test succeeds in what had failed, and not when the test is about what was before", async () => {
    const { id } = await create(mailbox({ credentials: { username: "support", password: "for-a-minute" } }));
    await provision(app);
    expect((await tryOut(id)).lastTest).toMatchObject({ ok: false });
    await provision(app);
    const refused = { status: "error", provisioning: { attempts: 1, nextRetryAt: null } };
    expect(await read(id)).toMatchObject(refused);
    mail.password = "for-a-minute";
    imap.logins.length = 0;
    let answer!: () => void;
    imap.hold = new Promise((resolve) => {
      answer = resolve;
    });
    const test = tryOut(id);
    await eventually(() => expect(imap.logins).toHaveLength(1));
    await tenant.live.patch(`/api/channels/${id}`, { settings: { ...mailbox().settings, fromName: "New" } }, 200);
    await app.db.query("delete from channel_due");
    await app.db.query("update channel set status = 'error', attempts = 1, next_retry_at = null where id = $1", [id]);
    answer();
    await test;
    imap.hold = undefined;
    expect(await read(id)).toMatchObject(refused);
    expect((await tryOut(id)).lastTest).toMatchObject({ ok: true });
    expect(await read(id)).toMatchObject({ status: "error", provisioning: { nextRetryAt: aTime } });
    await app.app.get(ProvisioningJob).tick();
    expect(await read(id)).toMatchObject({ status: "active", provisioning: { attempts: 0, lastError: null } });
    expect((await itemsOf(id)).map(({ status }) => status)).toEqual(["resolved"]);
  });

  test("waits for a change of the channel, and holds nothing meanwhile that the change needs", async () => {
    const { id } = await create(mailbox());
    const change = await connect(app.db.url);
    try {
      await change.query("begin");
      await change.query("select from channel where id = $1 for no key update", [id]);
      const job = provision(app);
      await untilWaiting(app.db, 1);
      await change.query("select from channel_due where channel_id = $1 for update nowait", [id]);
      await change.query("commit");
      await job;
    } finally {
      await change.end();
    }
    expect(await read(id)).toMatchObject({ status: "active" });
  });

  test("does not overwrite settings that changed meanwhile", async () => {
    const { id } = await create(mailbox());
    imap.silent = true;
    await app.db.query(`update channel_due set due_at = now() - interval '1 second'`);
    const job = app.app.get(ProvisioningJob).tick();
    await tenant.live.patch(`/api/channels/${id}`, { enabled: false }, 200);
    await job;
    expect(await read(id)).toMatchObject({ status: "disabled", provisioning: { attempts: 0, lastError: null } });
  });
});

describe("a mailbox", () => {
  const settings = ({ port = imap.port, host = "127.0.0.1" } = {}) => ({
    smtp: server(smtpPort),
    imap: { ...server(port), host },
  });
  const add = (more: object, status: number, client = owner, workspaceId = tenant.defaults.workspaceId) =>
    client.post(`/api/workspaces/${workspaceId}/channels`, mailbox(more), status);
  const TAKEN = {
    error:
      "The channel Support reads this mailbox already. Disable it first: otherwise each mail would be answered twice",
  };

  test("is read by one channel: a second one is refused when it is created, enabled, changed, or gets its credentials", async () => {
    const { id } = await create(mailbox());
    const name = "Again";
    expect((await add({ name }, 409)).body).toMatchObject(TAKEN);
    // Names of accounts differ in no capital letter, and both ports of IMAP open the same mailboxes.
    expect((await add({ name, credentials: { username: "SUPPORT", password: "x" } }, 409)).body).toMatchObject(TAKEN);
    const { id: tls } = await create(mailbox({ settings: settings({ port: 993, host: "imap.example.com" }) }));
    await add({ name, settings: settings({ port: 143, host: "IMAP.example.com" }) }, 409);
    await add({ name, settings: settings({ port: 1_143, host: "imap.example.com" }) }, 201);
    await owner.patch(`/api/channels/${tls}`, { enabled: false }, 200);
    await add({ name, settings: settings({ port: 143, host: "imap.example.com" }) }, 201);
    await owner.patch(`/api/channels/${tls}`, { enabled: true }, 409);

    // What only sends, reads another account, or is another type of channel does not read it.
    await add({ name, settings: { smtp: server(smtpPort) } }, 201);
    await owner.post(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, { type: "api", name }, 201);
    const { body: sales } = await add({ name, credentials: { username: "sales", password: "x" } }, 201);
    const credentials = { username: "support", password: "hunter2-hunter2" };
    expect((await owner.put(`/api/channels/${sales.id}/credentials`, { credentials }, 409)).body).toMatchObject(TAKEN);
    const { credentialFingerprint } = await read(sales.id);
    expect(credentialFingerprint).toBe(sales.credentialFingerprint);
    const { body: sends } = await add({ name, settings: { smtp: server(smtpPort) }, credentials }, 201);
    expect((await owner.patch(`/api/channels/${sends.id}`, { settings: settings() }, 200)).body.hasCredentials).toBe(
      false,
    );
    await owner.put(`/api/channels/${sends.id}/credentials`, { credentials }, 409);

    await owner.patch(`/api/channels/${id}`, { enabled: false }, 200);
    await owner.put(`/api/channels/${sends.id}/credentials`, { credentials }, 200);
    await owner.patch(`/api/channels/${id}`, { enabled: true }, 409);
    expect(await read(id)).toMatchObject({ status: "disabled" });
  });

  test("may be read by another organisation too; a channel of another workspace is not named to a key that cannot see it", async () => {
    await create(mailbox());
    const other = await app.tenant();
    await add({}, 201, await other.owner(), other.defaults.workspaceId);
    const { body: workspace } = await owner.post(
      "/api/workspaces",
      { brandId: tenant.defaults.brandId, name: "Second", primaryLanguage: "en" },
      201,
    );
    expect((await add({}, 409, owner, workspace.id)).body).toMatchObject(TAKEN);
    const { body: sales } = await add({ credentials: { username: "sales", password: "x" } }, 201, owner, workspace.id);
    const path = `/api/channels/${sales.id}`;
    await owner.patch(path, { enabled: false }, 200);
    await owner.put(`${path}/credentials`, { credentials: mailbox().credentials }, 200);
    expect((await owner.patch(path, { enabled: true }, 409)).body).toMatchObject(TAKEN);
    const narrow = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: workspace.id } });
    const error = TAKEN.error.replace("The channel Support", "A channel of another workspace");
    expect((await narrow.patch(path, { enabled: true }, 409)).body).toMatchObject({ error });
    await owner.delete(`/api/workspaces/${workspace.id}`, 200);
  });

  test("is not taken twice by two requests, neither of which sees the channel of the other", async () => {
    const other = await connect(app.db.url);
    try {
      // Both wait for it after they have looked for another channel, unless one lets the other go first.
      await other.query("begin");
      await other.query("lock table channel_due in share mode");
      const path = `/api/workspaces/${tenant.defaults.workspaceId}/channels`;
      const both = [nodes.a, nodes.b].map((node) => on(node, owner).post(path, mailbox()));
      await untilWaiting(app.db, 2);
      await other.query("commit");
      const answers = await Promise.all(both);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
      expect(answers.find(({ status }) => status === 409)?.body).toMatchObject(TAKEN);
    } finally {
      await other.end();
    }
  });
});

describe("credentials", () => {
  const SECRET = "needle-9f31c0";
  test("are not in any response, nor in plain text in any table; equal credentials have equal fingerprints", async () => {
    const { id } = await create(mailbox({ credentials: { username: "support", password: SECRET } }));
    await owner.patch(`/api/channels/${id}`, { enabled: false }, 200);
    const again = await create(mailbox({ credentials: { password: SECRET, username: "support" } }));
    await owner.patch(`/api/channels/${again.id}`, { enabled: false }, 200);
    await owner.patch(`/api/channels/${id}`, { enabled: true }, 200);
    const { credentialFingerprint: first } = await read(id);
    expect(again.credentialFingerprint).toBe(first);
    const put = await tenant.live.put(
      `/api/channels/${id}/credentials`,
      { credentials: { username: "support", password: `${SECRET}-2` } },
      200,
    );
    expect(put.body.credentialFingerprint).not.toBe(first);
    const [other] = [await app.tenant()];
    const { body: theirs } = await (
      await other.owner()
    ).post(
      `/api/workspaces/${other.defaults.workspaceId}/channels`,
      mailbox({ credentials: { username: "support", password: SECRET } }),
      201,
    );
    expect(theirs.credentialFingerprint).not.toBe(first);
    await tryOut(id);
    await provision(app);
    for (const path of [
      `/api/channels/${id}`,
      `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
      "/api/attention-items?limit=100",
    ])
      expect((await tenant.live.get(path, 200)).text).not.toContain(SECRET);
    expect((await owner.get("/api/audit-log?limit=100", 200)).text).not.toContain(SECRET);
    for (const needle of [
      SECRET,
      Buffer.from(SECRET).toString("hex"),
      Buffer.from(SECRET).toString("base64").slice(0, 16),
    ])
      expect(await tablesWith(app.db, needle)).toEqual({});
  });

  test("can be decrypted only in their own place: not for another channel or tenant", async () => {
    const { id } = await create(mailbox());
    const { id: other } = await create(mailbox({ credentials: { username: "sales", password: "hunter2-hunter2" } }));
    const [{ credentials }] = (await app.db.query<{ credentials: Buffer }>(
      "select credentials from channel where id = $1",
      [id],
    )) as [{ credentials: Buffer }];
    const credentialStore = app.app.get(ChannelCredentials);
    expect(credentialStore.open(tenant.tenantId, id, credentials)).toEqual({
      username: "support",
      password: "hunter2-hunter2",
    });
    for (const [of, channel] of [
      [tenant.tenantId, other],
      [tenant.testTenantId, id],
      [other, tenant.tenantId],
    ] as [string, string][])
      expect(() => credentialStore.open(of, channel, credentials)).toThrow("The stored credentials cannot be opened");
    for (let byte = 0; byte < credentials.length; byte += 7)
      expect(() =>
        credentialStore.open(
          tenant.tenantId,
          id,
          Buffer.from(credentials.map((value, at) => (at === byte ? value ^ 1 : value))),
        ),
      ).toThrow();
    await app.db.query("update channel set credentials = $2 where id = $1", [other, credentials]);
    expect((await tryOut(other)).lastTest).toMatchObject({
      ok: false,
      message: "The stored credentials cannot be opened: store them again",
    });
    await provision(app);
    expect(await read(other)).toMatchObject({
      status: "error",
      provisioning: { lastError: "The stored credentials cannot be opened: store them again", nextRetryAt: null },
    });
  });
});
