import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { Mailboxes } from "../../../src/channels/email/mailboxes.js";
import { MailboxTokens } from "../../../src/channels/email/sign-in/mailbox-tokens.js";
import { ChannelsService } from "../../../src/channels/channels.service.js";
import type { OpenChannel } from "../../../src/channels/channel-kind.js";
import { system } from "../../../src/platform/caller/caller.js";
import { Database } from "../../../src/platform/database/database.js";
import { concurrently, startTwo, type TwoNodes } from "../../races/support.js";
import { keyFor, PASSWORD as PASSWORD_OF_MEMBERS, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { eventually } from "../../support/eventually.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { Browser } from "../identity/oidc-provider.js";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "./dovecot.js";
import { APPLICATION, type MailProvider, SHARED_MAILBOX, startMailProvider } from "./mail-provider.js";
import { back, CALLBACK, signInSettings, there } from "./sign-in-support.js";
import { deliver, provision } from "./support.js";

const ADDRESS = SHARED_MAILBOX;
const ENDED = "The provider ended the sign-in to the mailbox: sign in again";

let callback = "";
let provider: MailProvider;
let smtp: MailServer;
let imap: Dovecot;
let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ticking: NodeJS.Timeout;
const logged: string[] = [];
let spies: MockInstance[] = [];

const mailbox = async (settings: object = {}, credentials: object = { clientSecret: APPLICATION.clientSecret }) =>
  (
    await owner.post(
      `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
      {
        type: "email",
        name: "Support",
        address: ADDRESS,
        settings: { ...signInSettings(provider, smtp, imap), ...settings },
        credentials,
      },
      201,
    )
  ).body.id;
async function member(): Promise<{ client: Client; id: string }> {
  const email = `${randomUUID()}@example.com`;
  const { id } = (
    await owner.post("/api/members", { email, name: "Grace", role: "admin", password: PASSWORD_OF_MEMBERS }, 201)
  ).body;
  return { id, client: await app.client().login(email, PASSWORD_OF_MEMBERS) };
}
const channelOf = async (id: string) => (await owner.get(`/api/channels/${id}`, 200)).body;
const signIn = async (id: string, account: string | null = ADDRESS): Promise<string> => {
  provider.visitor = account;
  return back(app, await there(app, owner, id));
};
/** A mailbox that is signed in to, and active. */
async function signedIn(): Promise<string> {
  const id = await mailbox();
  expect(await signIn(id)).toBe("done");
  await provision(app);
  expect(await channelOf(id)).toMatchObject({ status: "active" });
  return id;
}
const openItems = async (channelId: string) =>
  (await owner.get("/api/attention-items?status=open&limit=100", 200)).body.data.filter(
    (item) => item.channelId === channelId,
  );
const noted = async (channelId: string) =>
  (await owner.get(`/api/audit-log?resourceId=${channelId}&limit=100`, 200)).body.data
    .flatMap(({ fields }) => fields)
    .filter((field) => field.startsWith("signIn"));
const opened = (node: TestApp, id: string): Promise<OpenChannel> =>
  node.app.get(Database).transaction(system("test", tenant.tenantId, "live"), async (tx) => {
    tx.changesNothingVisible();
    return (await node.app.get(ChannelsService).open(tx, id)).channel;
  });
const disabled = (id: string) => owner.patch(`/api/channels/${id}`, { enabled: false }, 200);

describe.skipIf(!DOVECOT)(`a mailbox that is signed in to${WITHOUT_DOVECOT}`, () => {
  beforeAll(async () => {
    spies = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, "write").mockImplementation((chunk: string | Uint8Array) => {
        logged.push(String(chunk));
        return true;
      }),
    );
    provider = await startMailProvider(() => callback);
    smtp = await startMailServer({ opens: (token, address) => provider.opens(token, address) });
    imap = await startDovecot({ introspectionUrl: provider.introspectionUrl });
    nodes = await startTwo({
      OUTBOUND_ALLOW: [provider.host, `127.0.0.1:${smtp.port}`, `127.0.0.1:${imap.port}`],
      LOG_LEVEL: "debug",
    });
    app = nodes.a;
    for (const node of [nodes.a, nodes.b]) {
      Object.assign(node.config, { PUBLIC_URL: app.baseUrl });
      node.app.get(Mailboxes).everyMs.poll = 300;
    }
    callback = app.baseUrl + CALLBACK;
    tenant = await app.tenant();
    owner = await tenant.owner();
    ticking = setInterval(() => {
      for (const node of [nodes.a, nodes.b]) void node.app.get(Mailboxes).tick();
    }, 500);
  });
  afterAll(async () => {
    for (const spy of spies) spy.mockRestore();
    clearInterval(ticking);
    await nodes?.close();
    await Promise.all([smtp?.close(), imap?.close(), provider?.close()]);
  });
  beforeEach(async () => {
    provider.seconds = 3_600;
    provider.startOver();
    // Only one channel that is not disabled may read a mailbox.
    await app.db.query("update channel set status = 'disabled' where type = 'email'");
  });
  afterEach(() => {
    provider.atToken = undefined;
    provider.hold = undefined;
  });

  test("waits for the sign-in, then receives and sends with tokens, which nothing shows", async () => {
    const id = await mailbox();
    await provision(app);
    expect(await channelOf(id)).toMatchObject({
      status: "provisioning",
      provisioning: { lastError: "Nobody has signed in to the mailbox yet", nextRetryAt: null },
      signIn: null,
    });
    expect(await openItems(id)).toEqual([]);
    expect(await signIn(id)).toBe("done");
    await provision(app);
    const channel = await channelOf(id);
    expect(channel).toMatchObject({
      status: "active",
      signIn: { account: ADDRESS, since: expect.any(String), endedAt: null, error: null },
    });
    const tested = (await owner.post(`/api/channels/${id}/test`, undefined, 200)).body.lastTest;
    expect(tested).toMatchObject({ ok: true, message: expect.stringContaining("Signed in to send and to receive") });
    await eventually(async () =>
      expect(
        await app.db.query("select from mailbox_lease where channel_id = $1 and holder is not null", [id]),
      ).toHaveLength(1),
    );
    imap.deliver(
      `From: ada@example.org\r\nTo: ${ADDRESS}\r\nSubject: My order\r\nMessage-ID: <${randomUUID()}@example.org>\r\n\r\nWhere is it?\r\n`,
    );
    const conversationId = await eventually(async () => {
      const [found] = await app.db.query<{ id: string }>("select id from conversation where channel_id = $1", [id]);
      expect(found).toBeTruthy();
      return found!.id;
    });
    await owner.post(`/api/conversations/${conversationId}/reply`, { body: "On its way." }, 200);
    await deliver(app);
    expect(smtp.delivered.at(-1)).toMatchObject({ from: ADDRESS, to: ["ada@example.org"] });
    expect(provider.grants).toEqual(["authorization_code"]);
    const shown = JSON.stringify([
      channel,
      (await owner.get("/api/audit-log?limit=100", 200)).body,
      (await owner.get("/api/changes?limit=500", 200)).body,
      logged,
    ]);
    expect(provider.secrets.size).toBeGreaterThan(4);
    for (const secret of provider.secrets) expect(shown).not.toContain(secret);
    const [stored] = await app.db.query<{ tokens: Buffer }>("select tokens from channel where id = $1", [id]);
    for (const secret of provider.secrets) expect(stored!.tokens.includes(secret)).toBe(false);
    expect(await noted(id)).toEqual(["signIn.connected"]);
    await disabled(id);
  });

  test("asks by PKCE, with a state and a nonce, for lasting access; the browser keeps a sealed cookie", async () => {
    const id = await mailbox();
    const { headers, body } = await owner.get(`/api/channels/${id}/sign-in`, 200);
    const { searchParams: asked, origin, pathname } = new URL(body.url);
    expect(origin + pathname).toBe(`${provider.url}/auth`);
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: "code",
      client_id: APPLICATION.clientId,
      code_challenge_method: "S256",
      redirect_uri: callback,
      scope: "openid email offline_access",
    });
    for (const name of ["state", "nonce", "code_challenge"]) expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^parley_mailbox=[\\w-]+; Max-Age=600; Path=${CALLBACK}; HttpOnly; SameSite=Lax$`),
      ),
    ]);
    expect(headers.getSetCookie()[0]).not.toContain(asked.get("state"));
  });

  describe("is not signed in to", () => {
    test("with another account, an address that is not verified, or by somebody who cancels", async () => {
      const id = await mailbox();
      expect(await signIn(id, "ada@example.com")).toBe("failed");
      expect(await channelOf(id)).toMatchObject({
        status: "provisioning",
        signIn: {
          account: null,
          // Whose account it was is for nobody else.
          error: `You signed in with another account, and this channel is ${ADDRESS}: sign in with that account`,
        },
      });
      provider.unverified.add(ADDRESS);
      expect(await signIn(id)).toBe("failed");
      provider.unverified.delete(ADDRESS);
      expect((await channelOf(id)).signIn!.error).toMatch(/does not say which account signed in/);
      expect(await signIn(id, null)).toBe("failed");
      expect((await channelOf(id)).signIn!.error).toBe("The sign-in was cancelled at the provider (access_denied)");
      const [{ tokens }] = (await app.db.query("select tokens from channel where id = $1", [id])) as [
        { tokens: unknown },
      ];
      expect(tokens).toBeNull();
      expect(await noted(id)).toEqual(["signIn.failed", "signIn.failed", "signIn.failed"]);
    });

    test("in another browser, twice with one answer, after ten minutes, or by an answer of another provider", async () => {
      const id = await mailbox();
      provider.visitor = ADDRESS;
      const journey = await there(app, owner, id);
      expect(await back(app, { browser: new Browser(), url: journey.url })).toBe("expired");
      // The browser of another sign-in has other secrets.
      const other = await there(app, owner, id);
      expect(await back(app, { browser: other.browser, url: journey.url })).toBe("expired");
      const forged = await there(app, owner, id);
      const url = new URL(forged.url);
      url.searchParams.set("iss", "https://login.example.net");
      expect(await back(app, { ...forged, url: url.href })).toBe("failed");
      const late = await there(app, owner, id);
      const now = Date.now();
      const clock = vi.spyOn(Date, "now").mockReturnValue(now + 601_000);
      expect(await back(app, late)).toBe("expired");
      clock.mockRestore();
      expect(provider.grants).toEqual([]);

      const [{ browser, url: answer }, copy] = [await there(app, owner, id), new Browser()];
      copy.copy(browser);
      const both = await Promise.all([back(app, { browser, url: answer }), back(app, { browser: copy, url: answer })]);
      expect(both.toSorted()).toEqual(["done", "expired"]);
      expect(provider.grants).toEqual(["authorization_code"]);
      await disabled(id);
    });

    test("by a member who has lost the session or the role meanwhile, or once the channel has other settings", async () => {
      const id = await mailbox();
      provider.visitor = ADDRESS;
      const { client: admin, id: adminId } = await member();
      const [one, two] = [await there(app, admin, id), await there(app, owner, id)];
      await owner.patch(`/api/members/${adminId}`, { role: "agent" }, 200);
      expect(await back(app, one)).toBe("forbidden");
      await owner.patch(`/api/channels/${id}`, { address: "sales@example.com" }, 200);
      expect(await back(app, two)).toBe("expired");
      const { client: leaver } = await member();
      const three = await there(app, leaver, id);
      await leaver.post("/api/auth/logout", undefined, 200);
      expect(await back(app, three)).toBe("forbidden");
      expect(provider.grants).toEqual([]);
    });

    test("where nobody may: a channel with a password, or by a key that reaches one workspace", async () => {
      const id = await mailbox();
      const password = await mailbox({ signIn: null }, { username: "support", password: PASSWORD });
      expect((await owner.get(`/api/channels/${password}/sign-in`, 409)).body.error).toBe(
        "The settings of this channel ask for no sign-in",
      );
      const dataScope = { level: "workspace" as const, workspaceId: tenant.defaults.workspaceId };
      const restricted = await keyFor(owner, { scopes: ["channels:write"], dataScope });
      await restricted.get(`/api/channels/${id}/sign-in`, 403);
      await disabled(password);
    });
  });

  test("a sign-in is dropped when its channel has another address or other servers", async () => {
    const id = await signedIn();
    const { settings } = await channelOf(id);
    await owner.patch(`/api/channels/${id}`, { settings: { ...settings, fromName: "Ada" } }, 200);
    expect((await channelOf(id)).signIn).not.toBeNull();
    const elsewhere = { ...settings, imap: { host: "imap.example.net", port: 993, security: "tls" } };
    await owner.patch(`/api/channels/${id}`, { settings: elsewhere }, 200);
    expect(await channelOf(id)).toMatchObject({ signIn: null, status: "provisioning", hasCredentials: false });
    expect(await app.db.query("select from channel where id = $1 and tokens is not null", [id])).toEqual([]);
  });

  test("two processes that need a new token at once spend the refresh token once", async () => {
    provider.seconds = 100;
    const id = await signedIn();
    // Once a mail has come in, the mailbox is open, and nobody else needs a token.
    imap.deliver(
      `From: ada@example.org\r\nTo: ${ADDRESS}\r\nSubject: Before\r\nMessage-ID: <${randomUUID()}@example.org>\r\n\r\nHello\r\n`,
    );
    await eventually(async () =>
      expect(await app.db.query("select from conversation where channel_id = $1", [id])).toHaveLength(1),
    );
    const channels = [await opened(nodes.a, id), await opened(nodes.b, id)];
    for (let round = 0; round < 3; round++) {
      provider.seconds = 100;
      // Any that still lasts is refused: this one is new to the round.
      const before = await nodes.a.app.get(MailboxTokens).of(channels[0]!);
      provider.seconds = 3_600;
      provider.grants.length = 0;
      const tokens = await concurrently(20, (n) =>
        (n % 2 ? nodes.b : nodes.a).app.get(MailboxTokens).of(channels[n % 2]!, before),
      );
      expect(new Set(tokens).size).toBe(1);
      expect(tokens[0]).not.toBe(before);
      expect(provider.grants).toEqual(["refresh_token"]);
    }
    expect(await channelOf(id)).toMatchObject({ status: "active", signIn: { endedAt: null } });
    await disabled(id);
  });

  test.each([
    ["settings", (id: string, settings: object) => owner.patch(`/api/channels/${id}`, { settings }, 200)],
    [
      "credentials",
      (id: string) =>
        owner.put(`/api/channels/${id}/credentials`, { credentials: { clientSecret: APPLICATION.clientSecret } }, 200),
    ],
  ])("tokens that are renewed while somebody changes the %s are kept", async (_, change) => {
    provider.seconds = 100;
    const id = await mailbox();
    expect(await signIn(id)).toBe("done");
    await disabled(id);
    const before = await opened(nodes.a, id);
    provider.seconds = 3_600;
    provider.grants.length = 0;
    let answer = () => {};
    provider.hold = new Promise((resolve) => {
      answer = resolve;
    });
    const renewed = nodes.a.app.get(MailboxTokens).of(before);
    try {
      await eventually(async () => expect(provider.grants).toEqual(["refresh_token"]));
      await change(id, { ...before.settings, fromName: "Ada" });
    } finally {
      answer();
    }
    const token = await renewed;
    const after = await opened(nodes.b, id);
    expect(after.revision).toBe(before.revision + 1);
    expect(await nodes.b.app.get(MailboxTokens).of(after)).toBe(token);
    // The next one is there, too.
    await nodes.b.app.get(MailboxTokens).of(after, token);
    expect(provider.grants).toEqual(["refresh_token", "refresh_token"]);
    expect((await channelOf(id)).signIn).toMatchObject({ account: ADDRESS, endedAt: null, error: null });
  });

  test("tokens that are renewed while somebody names other servers are dropped", async () => {
    provider.seconds = 100;
    const id = await mailbox();
    expect(await signIn(id)).toBe("done");
    await disabled(id);
    const before = await opened(nodes.a, id);
    provider.grants.length = 0;
    let answer = () => {};
    provider.hold = new Promise((resolve) => {
      answer = resolve;
    });
    const renewed = nodes.a.app.get(MailboxTokens).of(before);
    try {
      await eventually(async () => expect(provider.grants).toEqual(["refresh_token"]));
      await owner.patch(`/api/channels/${id}`, { address: "sales@example.com" }, 200);
    } finally {
      answer();
    }
    await expect(renewed).rejects.toThrow("The channel has been changed meanwhile");
    expect(await app.db.query("select from channel where id = $1 and tokens is not null", [id])).toEqual([]);
  });

  test("a token that the provider ended early is replaced by the next one, and nobody notices", async () => {
    const id = await signedIn();
    provider.endAccess();
    const tryOut = async () => (await owner.post(`/api/channels/${id}/test`, undefined, 200)).body.lastTest;
    let tested = await tryOut();
    // Only a busy machine takes so long.
    while (/in time|is busy/.test(tested.message ?? "")) tested = await tryOut();
    expect(tested).toMatchObject({ ok: true });
    expect(await openItems(id)).toEqual([]);
    await disabled(id);
  });

  test("once the provider ends the sign-in, a person is asked to sign in again, and that settles it", async () => {
    const id = await signedIn();
    await provider.revokeAll();
    await owner.post(`/api/channels/${id}/test`, undefined, 200);
    expect(await channelOf(id)).toMatchObject({
      status: "error",
      provisioning: { lastError: ENDED, nextRetryAt: null },
      signIn: { account: ADDRESS, endedAt: expect.any(String), error: ENDED },
    });
    expect(await openItems(id)).toMatchObject([{ type: "channel_error", reason: `Support: ${ENDED}` }]);
    expect((await owner.post(`/api/channels/${id}/retry-provisioning`, undefined, 409)).body.error).toBe(ENDED);
    expect(await noted(id)).toEqual(expect.arrayContaining(["signIn.connected", "signIn.ended"]));
    expect(await signIn(id)).toBe("done");
    await provision(app);
    expect(await channelOf(id)).toMatchObject({ status: "active", signIn: { endedAt: null, error: null } });
    expect(await openItems(id)).toEqual([]);
    await disabled(id);
  });

  test("while the provider is busy the sign-in stays, and a wrong secret is said as such", async () => {
    provider.seconds = 100;
    const id = await mailbox();
    expect(await signIn(id)).toBe("done");
    provider.atToken = () => ({ status: 503, body: {} });
    const test1 = (await owner.post(`/api/channels/${id}/test`, undefined, 200)).body.lastTest;
    expect(test1.message).toBe("The sign-in provider cannot be reached, or is busy (503)");
    provider.atToken = undefined;
    await owner.put(`/api/channels/${id}/credentials`, { credentials: { clientSecret: "wrong" } }, 200);
    const test2 = (await owner.post(`/api/channels/${id}/test`, undefined, 200)).body.lastTest;
    expect(test2.message).toBe(
      "The sign-in provider refused the application: check its id, its secret and its permissions (invalid_client)",
    );
    await owner.put(
      `/api/channels/${id}/credentials`,
      { credentials: { clientSecret: APPLICATION.clientSecret } },
      200,
    );
    await provision(app);
    expect(await channelOf(id)).toMatchObject({ status: "active", signIn: { endedAt: null } });
    await disabled(id);
  });

  test("an application opens a shared mailbox by itself, with client credentials", async () => {
    const id = await mailbox(signInSettings(provider, smtp, imap, { grant: "client_credentials", scopes: ["mail"] }));
    await owner.get(`/api/channels/${id}/sign-in`, 409);
    await provision(app);
    expect(await channelOf(id)).toMatchObject({ status: "active", signIn: null });
    expect(new Set(provider.grants)).toEqual(new Set(["client_credentials"]));
    await disabled(id);
  });
});
