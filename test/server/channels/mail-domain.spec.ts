import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { type NameServer, startNameServer } from "../security/name-server.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { leastHold } from "../../support/cost.js";
import { type Dovecot, DOVECOT, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "./dovecot.js";

interface Entry {
  texts?: string[];
  addresses?: string[];
  fails?: boolean;
  unknown?: boolean;
}

let names: NameServer;
let smtp: MailServer;
let imap: Dovecot;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
/** What the DNS has. Unknown names have nothing. */
let zone: Record<string, Entry> = {};
const asked = (): number => [...names.asked.values()].reduce((sum, count) => sum + count, 0);

beforeAll(async () => {
  names = await startNameServer((name) => zone[name] ?? zone["*"] ?? {});
  smtp = await startMailServer();
  imap = DOVECOT ? await startDovecot() : (undefined as never);
  app = await startApp({
    OUTBOUND_ALLOW: [new URL(smtp.url).host, `127.0.0.1:${imap?.port ?? 1}`],
    DNS_SERVERS: [`127.0.0.1:${names.port}`],
    LOG_LEVEL: "error",
  });
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await app?.close();
  names?.close();
  await Promise.all([smtp?.close(), imap?.close()]);
});
beforeEach(() => {
  zone = {};
  names.asked.clear();
});

const create = async (address: string, settings: object = {}, client = owner) =>
  (
    await client.post(
      `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
      {
        type: "email",
        name: "Support",
        address,
        credentials: { username: "support", password: PASSWORD },
        settings: { smtp: { host: "127.0.0.1", port: Number(new URL(smtp.url).port), security: "none" }, ...settings },
      },
      201,
    )
  ).body;
const tryOut = async (id: string, client: Client = tenant.live) =>
  (await client.post(`/api/channels/${id}/test`, undefined, 200)).body.lastTest;
/** A server that nothing may connect to: what the DNS says does not depend on it. */
/** More than ten times what it takes. A record that is evaluated whatever its length holds all tenants up for seconds. */
const MAX_HOLD_MS = 500;
const elsewhere = (host: string) => ({ smtp: { host, port: 465, security: "tls" } });

describe("the test of a mailbox", () => {
  test("says what to publish where nothing is published", async () => {
    const { id } = await create("support@bare.example", elsewhere("smtp.host.example"));
    zone["smtp.host.example"] = { addresses: ["9.9.9.7"] };
    const lastTest = await tryOut(id);
    expect(lastTest).toMatchObject({
      ok: false,
      mailDomain: {
        domain: "bare.example",
        spf: {
          result: "fail",
          message: "bare.example has no SPF record",
          record: { type: "TXT", name: "bare.example", value: "v=spf1 a:smtp.host.example ~all" },
        },
        dkim: { result: "unknown", message: expect.stringContaining("No key was found"), record: null },
        dmarc: {
          result: "fail",
          message: "bare.example has no DMARC record",
          record: { type: "TXT", name: "_dmarc.bare.example", value: "v=DMARC1; p=none" },
        },
      },
    });
    expect((await tenant.live.get(`/api/channels/${id}`, 200)).body.lastTest).toEqual(lastTest);
  });

  test("passes a domain that names the server, publishes the key of its selector and has a policy", async () => {
    zone = {
      "good.example": { texts: ["google-site-verification=x", "v=spf1 ip4:127.0.0.1 -all"] },
      "in2026._domainkey.good.example": { texts: [`v=DKIM1; k=rsa; p=${"A".repeat(392)}`] },
      "_dmarc.good.example": { texts: ["v=DMARC1; p=reject"] },
    };
    const { id } = await create("Support@Good.example", { dkimSelector: "IN2026" });
    expect(await tryOut(id)).toMatchObject({
      ok: true,
      mailDomain: {
        domain: "good.example",
        spf: { result: "pass", record: null },
        dkim: { result: "pass", message: expect.stringContaining("in2026._domainkey.good.example") },
        dmarc: { result: "pass", message: expect.stringMatching(/by SPF and DKIM\..*p=reject/) },
      },
    });
  });

  test("adds the server to the record that is there, before what ends it", async () => {
    zone = {
      "other.example": { texts: ["v=spf1 mx ip4:198.51.100.0/24 -all"] },
      "smtp.host.example": { addresses: ["9.9.9.7"] },
      "_dmarc.other.example": { texts: ["v=DMARC1; p=quarantine"] },
      "dead._domainkey.other.example": { texts: ["v=DKIM1; p="] },
    };
    const { id } = await create("a@other.example", { ...elsewhere("smtp.host.example"), dkimSelector: "dead" });
    expect((await tryOut(id)).mailDomain).toMatchObject({
      spf: {
        result: "fail",
        message: "The SPF record of other.example does not name smtp.host.example (9.9.9.7)",
        record: { value: "v=spf1 mx ip4:198.51.100.0/24 a:smtp.host.example -all" },
      },
      // A key without a value was withdrawn.
      dkim: { result: "fail" },
      dmarc: { result: "fail", message: expect.stringContaining("neither SPF nor DKIM") },
    });
  });

  test("asks for what a mail service sends from, and not for the server that takes its mail", async () => {
    zone = {
      "customer.example": { texts: ["v=spf1 include:_spf.google.com ~all"] },
      "_spf.google.com": { texts: ["v=spf1 ip4:203.0.113.0/24 ~all"] },
      "smtp.gmail.com": { addresses: ["9.9.9.8"] },
      "google._domainkey.customer.example": { texts: ["v=DKIM1; p=AAAA"] },
      "_dmarc.customer.example": { texts: ["v=DMARC1; p=none"] },
      "without.example": { texts: ["v=spf1 -all"] },
    };
    const { id } = await create("a@customer.example", elsewhere("smtp.gmail.com"));
    expect((await tryOut(id)).mailDomain).toMatchObject({
      spf: { result: "pass", message: "The SPF record of customer.example includes _spf.google.com" },
      // Somebody publishes this key. Who signs with it, no name server knows.
      dkim: { result: "unknown", message: expect.stringContaining("google._domainkey.customer.example") },
      dmarc: { result: "pass", message: expect.stringMatching(/by SPF\..*p=none/) },
    });
    const without = await create("a@without.example", elsewhere("smtp.gmail.com"));
    expect((await tryOut(without.id)).mailDomain!.spf.record!.value).toBe("v=spf1 include:_spf.google.com -all");
  });

  test("a subdomain has the policy of its organisation", async () => {
    zone = {
      "mail.shop.example": { texts: ["v=spf1 ip4:127.0.0.1 -all"] },
      "_dmarc.shop.example": { texts: ["v=DMARC1; p=reject; sp=quarantine"] },
    };
    const { id } = await create("a@mail.shop.example");
    expect((await tryOut(id)).mailDomain!.dmarc).toMatchObject({
      result: "pass",
      message: expect.stringContaining("The policy of shop.example (p=quarantine)"),
    });
  });

  test("says that a record is not valid, or that there are two", async () => {
    zone = {
      "twice.example": { texts: ["v=spf1 mx -all", "v=spf1 a -all"] },
      "_dmarc.twice.example": { texts: ["v=DMARC1; p=none", "v=DMARC1; p=reject"] },
      "wrong.example": { texts: ["v=spf1 nonsense:x -all"] },
      "_dmarc.wrong.example": { texts: ["v=DMARC1"] },
    };
    const twice = await create("a@twice.example");
    expect((await tryOut(twice.id)).mailDomain).toMatchObject({
      spf: { result: "fail", message: expect.stringContaining("has 2 SPF records"), record: null },
      dmarc: { result: "fail", message: expect.stringContaining("has 2 records"), record: null },
    });
    const wrong = await create("a@wrong.example");
    expect((await tryOut(wrong.id)).mailDomain).toMatchObject({
      spf: { result: "fail", message: expect.stringMatching(/is not valid: .*nonsense/i), record: null },
      dmarc: { result: "fail", record: { value: "v=DMARC1; p=none" } },
    });
  });

  test("knows nothing where the name servers fail, and says whether signing in works all the same", async () => {
    zone = { "*": { fails: true } };
    const { id } = await create("a@broken.example");
    expect(await tryOut(id)).toMatchObject({
      ok: true,
      mailDomain: {
        spf: { result: "unknown", message: "It could not be looked up: the name servers do not answer" },
        dkim: { result: "unknown" },
        dmarc: { result: "unknown", message: "It could not be looked up: the name servers do not answer" },
      },
    });
  });

  test("knows nothing where the name servers know no name at all, not even the root", async () => {
    zone = { "*": { unknown: true } };
    const { id } = await create("a@cut-off.example");
    const unanswered = { result: "unknown", message: "It could not be looked up: the name servers do not answer" };
    expect((await tryOut(id)).mailDomain).toMatchObject({
      spf: unanswered,
      dkim: { result: "unknown" },
      dmarc: unanswered,
    });
    zone = { "": {}, "*": { unknown: true } };
    expect((await tryOut(id)).mailDomain).toMatchObject({
      spf: { result: "fail", message: "cut-off.example has no SPF record" },
      dmarc: { result: "fail", message: "cut-off.example has no DMARC record" },
    });
  });

  test("does not ask on and on, whatever a record says", async () => {
    // Each includes ten others, and names as many servers as fit.
    const many = Array.from({ length: 9 }, (_, index) => `include:i${index}.loop.example`).join(" ");
    zone = {
      "*": { texts: [`v=spf1 mx ptr exists:%{i}.loop.example ${many} -all`] },
      "smtp.host.example": { addresses: ["9.9.9.7"] },
    };
    const { id } = await create("a@loop.example", elsewhere("smtp.host.example"));
    expect((await tryOut(id)).mailDomain!.spf).toMatchObject({ result: "fail", record: null });
    expect(asked()).toBeLessThanOrEqual(80);
  });

  test("says nothing about the internal network, and tells others nothing of it", async () => {
    zone = {
      "probe.example": {
        texts: ["v=spf1 exists:%{i}.log.probe.example exists:redis.svc.example a:redis.svc.example -all"],
      },
      "smtp.host.example": { addresses: ["9.9.9.7"] },
      "redis.svc.example": { addresses: ["10.0.0.5", "fd00::5"] },
      "*": {},
    };
    const spfOf = async (host: string) =>
      (await tryOut((await create("a@probe.example", elsewhere(host))).id)).mailDomain!.spf;
    expect(await spfOf("smtp.host.example")).toMatchObject({ result: "fail" });
    expect(names.asked.has("redis.svc.example 1")).toBe(true);
    names.asked.clear();
    for (const host of ["redis.svc.example", "10.0.0.5", "fd00::5", "nobody.svc.example"])
      expect(await spfOf(host)).toEqual({
        result: "unknown",
        message: `No public address of ${host} was found`,
        record: null,
      });
    expect([...names.asked.keys()].filter((name) => name.includes("log.probe.example"))).toEqual([]);
  });

  test("asks nobody for the name of an address that is not public", async () => {
    zone = { "inside.example": { texts: ["v=spf1 ptr -all"] } };
    const { id } = await create("a@inside.example");
    expect((await tryOut(id)).mailDomain!.spf).toMatchObject({
      result: "unknown",
      message: expect.stringContaining("is in a private network"),
    });
    expect([...names.asked.keys()].filter((name) => name.includes(".arpa"))).toEqual([]);
  });

  test.each([
    ["is long", `redirect=x.${"a".repeat(20_000)}!`],
    ["is long once its macros are expanded", `redirect=x.${"%{d1r}".repeat(600)}!`],
    ["is just short enough", `redirect=x.${"a".repeat(1_970)}!`],
  ])("holds up nobody with an SPF record that %s", async (_, terms) => {
    const domain = `${"a".repeat(63)}.evil.example`;
    zone = {
      [domain]: { texts: [`v=spf1 ${terms}`] },
      "smtp.host.example": { addresses: Array.from({ length: 4 }, (__, index) => `9.9.9.${index + 1}`) },
    };
    const { id } = await create(`x@${domain}`, elsewhere("smtp.host.example"));
    let spf: unknown;
    const ms = await leastHold(async () => ({ spf } = (await tryOut(id)).mailDomain!), MAX_HOLD_MS);
    expect(spf).toMatchObject({ result: "fail", message: expect.stringContaining("is not valid"), record: null });
    expect(ms).toBeLessThan(MAX_HOLD_MS);
  });

  test("asks nobody on the test side", async () => {
    const workspaceId = (await tenant.test.get("/api/workspaces", 200)).body[0]!.id;
    const { id } = (
      await (
        await tenant.owner("test")
      ).post(
        `/api/workspaces/${workspaceId}/channels`,
        {
          type: "email",
          name: "Support",
          address: "a@quiet.example",
          credentials: { username: "support", password: PASSWORD },
          settings: elsewhere("smtp.host.example"),
        },
        201,
      )
    ).body;
    expect(await tryOut(id, tenant.test)).toMatchObject({ ok: true, mailDomain: null });
    expect(asked()).toBe(0);
  });

  test.runIf(DOVECOT)(`takes the selector of the newest mail of its own${WITHOUT_DOVECOT}`, async () => {
    const mail = (from: string, selector: string, domain = "own.example"): string =>
      [
        `From: ${from}`,
        "To: support@own.example",
        "Subject: Hello",
        ...(selector && [`DKIM-Signature: v=1; a=rsa-sha256; d=${domain};\r\n\ts=${selector}; h=from; bh=x; b=y`]),
        "",
        "Hello",
        "",
      ].join("\r\n");
    imap.deliver(mail("support@own.example", "old"));
    imap.deliver(mail('"Own, Support" <support@own.example>', "new"));
    imap.deliver(mail("notsupport@own.example", "foreign"));
    zone = { "new._domainkey.own.example": { texts: ["p=AAAA"] } };
    const { id } = await create("support@own.example", {
      imap: { host: "127.0.0.1", port: imap.port, security: "none" },
    });
    const seen = await tryOut(id);
    expect(seen).toMatchObject({ ok: true, message: expect.stringContaining("the inbox holds 3 mails") });
    expect(seen.mailDomain!.dkim).toMatchObject({
      result: "pass",
      message: expect.stringContaining("new._domainkey.own.example"),
    });
    zone = {};
    expect((await tryOut(id)).mailDomain!.dkim).toMatchObject({ result: "fail" });
    expect(imap.inbox().seen).toBe(0);
  });
});
