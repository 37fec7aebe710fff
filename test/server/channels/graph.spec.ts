import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import { Mailboxes } from "../../../src/channels/email/mailboxes.js";
import { GRAPHS, ORIGINS } from "../../../src/channels/email/sign-in/origins.js";
import { Database } from "../../../src/platform/database/database.js";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { startTwo, type TwoNodes } from "../../races/support.js";
import type { TestApp, TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { eventually } from "../../support/eventually.js";
import { upload } from "../attachments/support.js";
import { type Graph, startGraph } from "./graph.js";
import {
  APPLICATION,
  type MailProvider,
  MICROSOFTS_APPLICATION,
  SHARED_MAILBOX,
  startMailProvider,
} from "./mail-provider.js";
import { back, CALLBACK, there } from "./sign-in-support.js";
import { deliver, provision } from "./support.js";

const ADDRESS = SHARED_MAILBOX;
const known = ORIGINS.microsoft!;

let callback = "";
let graph: Graph;
/** Another server, which the installation may call, too. */
let elsewhere: Graph;
let provider: MailProvider;
let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ticking: NodeJS.Timeout;
const logged: string[] = [];
let spies: MockInstance[] = [];

/** Lets both processes look for mailboxes that nobody reads. */
const look = () => Promise.all([nodes.a, nodes.b].map((node) => node.app.get(Mailboxes).tick()));
function keepReading(): void {
  ticking = setInterval(() => void look(), 500);
}
/** Lets them do so no longer, and waits for those that are looking. */
async function stopReading(): Promise<void> {
  clearInterval(ticking);
  await look();
}
const signIn = (settings: object = {}): object => ({
  provider: "microsoft",
  clientId: MICROSOFTS_APPLICATION.clientId,
  issuer: provider.url,
  authorizeUrl: `${provider.url}/auth`,
  tokenUrl: `${provider.url}/token`,
  userinfoUrl: `${provider.url}/me`,
  ...settings,
});
const body = (settings: object = {}): Record<string, unknown> => ({
  type: "email",
  name: "Support",
  address: ADDRESS,
  settings: { graph: {}, signIn: signIn(), ...settings },
  credentials: { clientSecret: APPLICATION.clientSecret },
});
const create = async (settings: object = {}): Promise<string> =>
  (await owner.post(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, body(settings), 201)).body.id;
const channelOf = async (id: string) => (await owner.get(`/api/channels/${id}`, 200)).body;
const tested = async (id: string) => (await owner.post(`/api/channels/${id}/test`, undefined, 200)).body.lastTest;
const signedInAs = async (id: string): Promise<string> => {
  provider.visitor = ADDRESS;
  return back(app, await there(app, owner, id));
};
/** A mailbox that somebody has signed in to, and that is read. */
async function active(settings: object = {}): Promise<string> {
  const id = await create(settings);
  expect(await signedInAs(id)).toBe("done");
  await provision(app);
  expect(await channelOf(id)).toMatchObject({ status: "active" });
  return id;
}
/** Each from somebody else: many from one person would be a flood. */
const mail = (subject: string, id = randomUUID()): string =>
  `From: ${id}@example.org\r\nTo: ${ADDRESS}\r\nSubject: ${subject}\r\nMessage-ID: <${id}@example.org>\r\n\r\nWhere is it?\r\n`;
const received = async (channelId: string): Promise<string[]> =>
  (
    await app.db.query<{ subject: string }>(
      `select c.subject from message m join conversation c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
       where c.channel_id = $1 and m.direction = 'inbound' order by m.created_at`,
      [channelId],
    )
  ).map(({ subject }) => subject);
const conversation = async (channelId: string, subject: string): Promise<string> =>
  eventually(async () => {
    const [found] = await app.db.query<{ id: string }>(
      "select id from conversation where channel_id = $1 and subject = $2",
      [channelId, subject],
    );
    expect(found).toBeTruthy();
    return found!.id;
  });
const linkOf = async (channelId: string): Promise<string | undefined> =>
  (await app.db.query<{ link: string }>("select delta_link as link from mailbox where channel_id = $1", [channelId]))[0]
    ?.link;
const idle = async (channelId: string): Promise<void> => {
  await eventually(async () => expect(await linkOf(channelId)).toContain("$deltatoken="));
};
const disabled = (id: string) => owner.patch(`/api/channels/${id}`, { enabled: false }, 200);
const openItems = async (channelId: string) =>
  (await owner.get("/api/attention-items?status=open&limit=100", 200)).body.data.filter(
    (item) => item.channelId === channelId,
  );
const statusOf = async (conversationId: string): Promise<string | null | undefined> =>
  (await owner.get(`/api/conversations/${conversationId}/messages`, 200)).body.data.findLast(
    ({ direction }) => direction === "outbound",
  )?.deliveryStatus;

describe("a mailbox at Microsoft Graph", () => {
  beforeAll(async () => {
    spies = [process.stdout, process.stderr].map((stream) =>
      vi.spyOn(stream, "write").mockImplementation((chunk: string | Uint8Array) => {
        logged.push(String(chunk));
        return true;
      }),
    );
    graph = await startGraph(ADDRESS, async (token, address) => ({
      isOpen: await provider.opens(token, address),
      scopes: await provider.scopesOf(token),
    }));
    elsewhere = await startGraph(ADDRESS, () => Promise.resolve({ isOpen: false, scopes: [] }));
    provider = await startMailProvider(
      () => callback,
      () => ["Mail.Read", "Mail.Send", ".default"].map((scope) => `${graph.url}/${scope}`),
    );
    // Another national cloud, on loopback.
    ORIGINS.microsoft = [...known, provider.url];
    GRAPHS[provider.url] = graph.url;
    nodes = await startTwo({ OUTBOUND_ALLOW: [provider.host, graph.host, elsewhere.host], LOG_LEVEL: "debug" });
    app = nodes.a;
    for (const node of [nodes.a, nodes.b]) {
      Object.assign(node.config, { PUBLIC_URL: app.baseUrl });
      node.app.get(Mailboxes).everyMs.poll = 300;
    }
    callback = app.baseUrl + CALLBACK;
    tenant = await app.tenant();
    owner = await tenant.owner();
    keepReading();
  });
  afterAll(async () => {
    for (const spy of spies) spy.mockRestore();
    clearInterval(ticking);
    await nodes?.close();
    await Promise.all([graph?.close(), elsewhere?.close(), provider?.close()]);
    ORIGINS.microsoft = known;
    if (provider) delete GRAPHS[provider.url];
  });
  beforeEach(() => {
    provider.seconds = 3_600;
    provider.startOver();
    graph.sent.length = 0;
    graph.asked.length = 0;
  });
  afterEach(() => {
    graph.refuse = undefined;
    graph.linksTo = undefined;
    graph.pageSize = 1_000;
  });

  test("receives and sends after the sign-in, and mails stay what they are", async () => {
    graph.deliver(mail("Older than the channel"));
    const id = await active();
    expect(await tested(id)).toMatchObject({
      ok: true,
      message: expect.stringMatching(/^Signed in to send and to receive; the inbox holds \d+ mails?$/),
    });
    const theirs = randomUUID();
    graph.deliver(mail("My order", theirs));
    const conversationId = await conversation(id, "My order");
    await idle(id);
    expect(await received(id)).toEqual(["My order"]);
    const cc = ["grace@example.org"];
    const bcc = ["alan@example.org"];
    await owner.post(`/api/conversations/${conversationId}/reply`, { body: "On its way.", cc, bcc }, 200);
    await deliver(app);
    const [source = ""] = graph.sent;
    expect(graph.sent).toHaveLength(1);
    expect(source).toContain(`References: <${theirs}@example.org>`);
    expect(source).toMatch(/^Message-ID: <[\da-f-]{36}@parley\.example\.com>\r$/m);
    // Exchange reads here whom it goes to.
    expect(source).toMatch(new RegExp(`^To: ${theirs}@example\\.org\\r$`, "m"));
    expect(source).toMatch(/^Cc: grace@example\.org\r$/m);
    expect(source).toMatch(/^Bcc: alan@example\.org\r$/m);
    expect(await statusOf(conversationId)).toBe("sent");
    await disabled(id);
  });

  test("shows and logs neither tokens nor what mails say", async () => {
    const id = await active();
    graph.deliver(mail("Nobody else should read this"));
    const conversationId = await conversation(id, "Nobody else should read this");
    graph.refuse = (asked) =>
      asked.includes("sendMail") ? { status: 500, code: "ErrorInternalServerError" } : undefined;
    await owner.post(`/api/conversations/${conversationId}/reply`, { body: "Nor this." }, 200);
    await deliver(app);
    const shown = JSON.stringify([
      await channelOf(id),
      (await owner.get("/api/audit-log?limit=100", 200)).body,
      logged,
    ]);
    expect(provider.secrets.size).toBeGreaterThan(4);
    for (const secret of [...provider.secrets, "Nobody else", "Nor this", "@example.org"])
      expect(shown).not.toContain(secret);
    await disabled(id);
  });

  describe("is refused", () => {
    test.each([
      ["without a sign-in", { signIn: null }, /graph takes signIn with the provider microsoft/],
      ["at another provider", { provider: "other" }, /graph takes signIn with the provider microsoft/],
      [
        "with the tokens of another server",
        { tokenUrl: "https://login.example.net/token" },
        /tokenUrl must begin with/,
      ],
      ["beside smtp", { smtp: { host: "smtp.example.com", port: 465 } }, /smtp cannot be set beside graph/],
      ["beside imap", { imap: { host: "imap.example.com", port: 993 } }, /imap cannot be set beside graph/],
      ["as a word", { graph: true }, /graph must be/],
    ])("%s", async (_, { provider: name, tokenUrl, ...settings }: Record<string, unknown>, sentence) => {
      const given = signIn({
        ...(name !== undefined && { provider: name }),
        ...(tokenUrl !== undefined && { tokenUrl }),
      });
      const answer = await owner.post(
        `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
        body({ signIn: given, ...settings }),
        400,
      );
      expect(answer.body.error).toMatch(sentence);
    });

    test("and a mailbox with neither still needs smtp", async () => {
      const answer = await owner.post(
        `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
        body({ graph: null }),
        400,
      );
      expect(answer.body.error).toMatch(/settings\.smtp/);
    });
  });

  test("asks for what it needs, and other needs take another sign-in", async () => {
    const id = await create({ graph: { receive: false } });
    const scopes = async () =>
      new URL((await owner.get(`/api/channels/${id}/sign-in`, 200)).body.url).searchParams.get("scope");
    expect(await scopes()).toBe(`openid email profile offline_access ${graph.url}/Mail.Send`);
    expect(await signedInAs(id)).toBe("done");
    await provision(app);
    expect((await tested(id)).message).toBe("Signed in to send; nothing is received here");
    expect(await app.db.query("select from mailbox_lease where channel_id = $1", [id])).toEqual([]);
    await owner.patch(`/api/channels/${id}`, { settings: { graph: {}, signIn: signIn() } }, 200);
    expect(await channelOf(id)).toMatchObject({ signIn: null, hasCredentials: false, status: "provisioning" });
    expect(await scopes()).toBe(`openid email profile offline_access ${graph.url}/Mail.Read ${graph.url}/Mail.Send`);
    await disabled(id);
  });

  test("an application opens a shared mailbox by itself", async () => {
    const id = await create({ signIn: signIn({ grant: "client_credentials", tenant: "example.com" }) });
    await provision(app);
    expect(await channelOf(id)).toMatchObject({ status: "active", signIn: null });
    expect(new Set(provider.grants)).toEqual(new Set(["client_credentials"]));
    graph.deliver(mail("Shared"));
    await conversation(id, "Shared");
    await disabled(id);
  });

  test("its test says what does not work, and sends nothing", async () => {
    const id = await active();
    graph.refuse = (asked) => (asked.includes("sendMail") ? { status: 403, code: "ErrorAccessDenied" } : undefined);
    expect(await tested(id)).toMatchObject({
      ok: false,
      message: `Microsoft Graph does not open the mailbox ${ADDRESS} to this sign-in: check its permissions (403, ErrorAccessDenied)`,
    });
    graph.refuse = (asked) => (asked.includes("inbox") ? { status: 404, code: "ErrorInvalidUser" } : undefined);
    expect((await tested(id)).message).toMatch(/^Microsoft Graph knows no mailbox support@example\.com/);
    graph.refuse = undefined;
    expect((await tested(id)).ok).toBe(true);
    expect(graph.sent).toEqual([]);
    await disabled(id);
  });

  describe("sending", () => {
    let id: string;
    let conversationId: string;
    beforeAll(async () => {
      id = await active();
      graph.deliver(mail("To be answered"));
      conversationId = await conversation(id, "To be answered");
    });
    afterAll(() => disabled(id));
    const reply = (more: object = {}) =>
      owner.post(`/api/conversations/${conversationId}/reply`, { body: "On its way.", ...more }, 200);
    const sends = (): number => graph.asked.filter((asked) => asked.includes("sendMail")).length;
    const busy = (refusal: object) => {
      graph.refuse = (asked) => (asked.includes("sendMail") ? { status: 429, code: "Busy", ...refusal } : undefined);
    };

    test("a mail that was taken is sent once, by two processes", async () => {
      await reply();
      await Promise.all([nodes.a, nodes.b].map((node) => node.app.get(OutboxWorker).tick()));
      await eventually(async () => expect(await statusOf(conversationId)).toBe("sent"));
      await deliver(app);
      expect(graph.sent).toHaveLength(1);
    });

    test("a mail whose answer was lost is sent again as the same mail", async () => {
      graph.losesAnswer = true;
      await reply();
      await deliver(app);
      expect(await statusOf(conversationId)).toBe("queued");
      await deliver(app);
      expect(await statusOf(conversationId)).toBe("sent");
      const ids = graph.sent.map((source) => /^Message-ID: (.+)\r$/m.exec(source)?.[1]);
      expect(ids).toHaveLength(2);
      expect(new Set(ids).size).toBe(1);
    });

    test.each([429, 503])("a mail waits as long as %i says, and so does what comes after it", async (status) => {
      busy({ status, retryAfter: 60 });
      await reply();
      await deliver(app);
      expect(sends()).toBe(1);
      await deliver(app);
      expect(sends()).toBe(1);
      const [{ wait }] = (await app.db.query(
        "select extract(epoch from max(due_at) - now())::float as wait from outbox_queue where due_at < 'infinity'",
      )) as [{ wait: number }];
      expect(wait).toBeGreaterThan(30);
      graph.refuse = undefined;
      const now = Date.now.bind(Date);
      const later = vi.spyOn(Date, "now").mockImplementation(() => now() + 61_000);
      try {
        expect(await tested(id)).toMatchObject({ ok: true });
        await deliver(app);
      } finally {
        later.mockRestore();
      }
      expect(await statusOf(conversationId)).toBe("sent");
      expect(graph.sent).toHaveLength(1);
      expect(await channelOf(id)).toMatchObject({ status: "active" });
    });

    test("a mail that Graph does not take is given up, and the channel works", async () => {
      busy({ status: 400, code: "ErrorInvalidRecipients" });
      await reply();
      await deliver(app);
      expect(await statusOf(conversationId)).toBe("failed");
      expect(await channelOf(id)).toMatchObject({ status: "active" });
    });

    test("a token that ended early is replaced, and the mail is sent at once", async () => {
      provider.endAccess();
      await reply();
      await deliver(app);
      expect(graph.sent).toHaveLength(1);
      expect(await openItems(id)).toEqual([]);
    });

    test("a file that makes the mail too large for Graph is a link", async () => {
      const file = await upload(owner, Buffer.alloc(3_200_000, "a"), "plan.txt");
      await reply({ attachmentIds: [file.id] });
      await deliver(app);
      expect(await statusOf(conversationId)).toBe("sent");
      const [source = ""] = graph.sent;
      expect(source.length).toBeLessThan(100_000);
      expect(source).toContain("plan.txt");
    });
  });

  test("once the provider ends the sign-in, a person is asked to sign in again, and that settles it", async () => {
    const id = await active();
    await idle(id);
    await provider.revokeAll();
    await eventually(async () => expect(await channelOf(id)).toMatchObject({ status: "error" }));
    const ended = "The provider ended the sign-in to the mailbox: sign in again";
    expect(await openItems(id)).toMatchObject([{ type: "channel_error", reason: `Support: ${ended}` }]);
    expect(await signedInAs(id)).toBe("done");
    await provision(app);
    expect(await channelOf(id)).toMatchObject({ status: "active", signIn: { endedAt: null } });
    expect(await openItems(id)).toEqual([]);
    graph.deliver(mail("After the second sign-in"));
    await conversation(id, "After the second sign-in");
    await disabled(id);
  });

  describe("receiving", () => {
    let id: string;
    beforeEach(async () => {
      graph.empty();
      id = await active();
      await idle(id);
    });
    afterEach(() => disabled(id));
    const begins = (): number => graph.asked.filter((asked) => asked.endsWith("from the beginning")).length;
    const fetched = (): number => graph.asked.filter((asked) => asked.endsWith("$value")).length;
    const arrived = (subjects: string[]) =>
      eventually(async () => expect((await received(id)).toSorted()).toEqual(subjects.toSorted()));

    test("goes on after a pause where it was, without asking for everything again", async () => {
      graph.deliver(mail("Before"));
      await arrived(["Before"]);
      await disabled(id);
      await eventually(async () =>
        expect(await app.db.query("select from mailbox_lease where channel_id = $1", [id])).toEqual([]),
      );
      graph.deliver(mail("Meanwhile"));
      graph.asked.length = 0;
      await owner.patch(`/api/channels/${id}`, { enabled: true }, 200);
      await provision(app);
      await arrived(["Before", "Meanwhile"]);
      expect(begins()).toBe(0);
    });

    test("begins again when Graph has forgotten where it was, and no mail comes twice", async () => {
      graph.deliver(mail("Known"));
      await arrived(["Known"]);
      await idle(id);
      graph.asked.length = 0;
      graph.forget();
      graph.deliver(mail("New"));
      await arrived(["Known", "New"]);
      await idle(id);
      expect(begins()).toBe(1);
      expect(await received(id)).toHaveLength(2);
      expect(await channelOf(id)).toMatchObject({ status: "active" });
    });

    test("goes on within a page when it broke off there, without fetching what it has", async () => {
      let answered = 0;
      graph.refuse = (asked) => {
        return asked.endsWith("$value") && ++answered === 3
          ? { status: 500, code: "ErrorInternalServerError" }
          : undefined;
      };
      for (const subject of ["One", "Two", "Three"]) graph.deliver(mail(subject));
      await arrived(["One", "Two", "Three"]);
      await idle(id);
      expect(fetched()).toBe(4);
    });

    test("takes pages, and asks for them at Microsoft's host only", async () => {
      graph.pageSize = 2;
      const subjects = Array.from({ length: 7 }, (_, n) => `Mail ${n}`);
      for (const subject of subjects) graph.deliver(mail(subject));
      await arrived(subjects);
      graph.linksTo = elsewhere.url;
      graph.deliver(mail("Led astray"));
      await eventually(async () =>
        expect((await channelOf(id)).provisioning.lastError).toBe("Microsoft Graph gave an answer that is not valid"),
      );
      expect(elsewhere.asked).toEqual([]);
      graph.linksTo = undefined;
      await arrived([...subjects, "Led astray"]);
    });

    test("leaves out mails that are gone", async () => {
      const gone = graph.deliver(mail("Gone"));
      await arrived(["Gone"]);
      graph.remove(gone);
      graph.deliver(mail("Next"));
      await arrived(["Gone", "Next"]);
      expect(fetched()).toBe(2);
      // It goes between the list and the fetch.
      let first = true;
      graph.refuse = (asked) => {
        if (!asked.endsWith("$value") || !first) return undefined;
        first = false;
        return { status: 404, code: "ErrorItemNotFound" };
      };
      graph.deliver(mail("Never seen"));
      await eventually(() => expect(first).toBe(false));
      graph.deliver(mail("Last"));
      await arrived(["Gone", "Next", "Last"]);
      expect(await channelOf(id)).toMatchObject({ status: "active", provisioning: { lastError: null } });
    });

    test("waits as long as Graph says, and then goes on", async () => {
      let until = 0;
      let refused = 0;
      graph.refuse = (asked) => {
        if (!asked.includes("delta")) return undefined;
        if (until === 0) until = Date.now() + 2_000;
        if (Date.now() >= until) return undefined;
        refused++;
        return { status: 503, code: "ErrorServerBusy", retryAfter: 2 };
      };
      await eventually(() => expect(until).not.toBe(0));
      graph.deliver(mail("After the wait"));
      await arrived(["After the wait"]);
      // What it was asked meanwhile would have been refused as well.
      expect(Date.now()).toBeGreaterThanOrEqual(until);
      expect(refused).toBeLessThanOrEqual(2);
    });

    test("takes a large mail whole, and of one that is too large the beginning", async () => {
      const line = `${"x".repeat(74)}\r\n`;
      const withFile = (subject: string, lines: number): string =>
        `From: ada@example.org\r\nTo: ${ADDRESS}\r\nSubject: ${subject}\r\nMessage-ID: <${randomUUID()}@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="x.txt"\r\n\r\n${line.repeat(lines)}--b--\r\n`;
      graph.deliver(withFile("Large", 66_000));
      graph.deliver(withFile("Too large", 560_000));
      await arrived(["Large", "Too large"]);
      const filesOf = async (subject: string) =>
        (await owner.get(`/api/conversations/${await conversation(id, subject)}/messages`, 200)).body.data[0]!;
      expect((await filesOf("Large")).attachments).toMatchObject([{ fileName: "x.txt", size: 66_000 * 76 - 2 }]);
      const beginning = await filesOf("Too large");
      expect(beginning.attachments).toEqual([]);
      expect(beginning.body).toMatch(/^See the file\.\n\n\[The mail has 40 MB/);
    });

    test("each mail comes once, while processes take the mailbox from each other", async () => {
      graph.pageSize = 5;
      await stopReading();
      // A process that releases the mailbox slowly does not end what it has claimed since.
      const releases: Promise<never[]>[] = [];
      for (const { app } of [nodes.a, nodes.b]) {
        const db = app.get(Database);
        const globalOf = db.globalOf.bind(db) as (...args: unknown[]) => Promise<never[]>;
        const slowly = (...args: unknown[]): Promise<never[]> => {
          if ((args[1] as { name: string }).name !== "mailboxes.release") return globalOf(...args);
          const release = setTimeout(300).then(() => globalOf(...args));
          releases.push(release);
          return release;
        };
        spies.push(vi.spyOn(db, "globalOf").mockImplementation(slowly));
      }
      const holder = async () =>
        (
          await app.db.query<{ holder: string | null }>(
            `select holder from mailbox_lease where channel_id = $1 and held_until > now()`,
            [id],
          )
        )[0]?.holder;
      const subjects: string[] = [];
      const holders = new Set<unknown>();
      for (const node of [nodes.b, nodes.a, nodes.b, nodes.a, nodes.b]) {
        for (let n = 0; n < 8; n++) graph.deliver(mail(subjects[subjects.push(`Mail ${subjects.length}`) - 1]!));
        // Its holder hangs, and does not learn that another one takes over while it still reads.
        await app.db.query(`update mailbox_lease set held_until = now() - interval '1 minute' where channel_id = $1`, [
          id,
        ]);
        await eventually(async () => {
          await node.app.get(Mailboxes).tick();
          expect(await holder()).toBeTruthy();
        });
        await Promise.all(releases);
        const reads = await holder();
        expect(reads).toBeTruthy();
        holders.add(reads);
      }
      expect(holders.size).toBe(2);
      keepReading();
      await arrived(subjects);
      await idle(id);
      expect((await received(id)).toSorted()).toEqual(subjects.toSorted());
    });
  });
});
