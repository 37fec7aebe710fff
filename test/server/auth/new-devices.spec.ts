import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { type MailServer, startMailServer } from "./mail-server.js";
import { markProven } from "./mailed.js";

let mail: MailServer;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  mail = await startMailServer();
  app = await startApp({ SMTP_URL: mail.url, TRUSTED_PROXIES: ["127.0.0.1"], LOG_LEVEL: "error" });
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const NEWER_FIREFOX = FIREFOX.replaceAll("128", "131");
const EDGE =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0";

async function member({ proven = true } = {}) {
  const email = `${randomUUID()}@example.com`;
  const body = { email, name: "Grace Hopper", role: "agent", password: PASSWORD };
  const { id } = (await owner.post("/api/members", body, 201)).body;
  if (proven) await markProven(app, email);
  const signIn = async (userAgent: string, address: string, environment: "live" | "test" = "live"): Promise<Client> => {
    const headers = { "user-agent": userAgent, "x-forwarded-for": address };
    const credentials = { email, password: PASSWORD, environment };
    const { body } = await app.client().post<{ accessToken: string }>("/api/auth/login", credentials, 200, { headers });
    return app.client(body.accessToken);
  };
  const events = async () =>
    (await owner.get(`/api/security-log?memberId=${id}&type=new_device&limit=100`, 200)).body.data;
  const mails = async () => {
    await app.app.get(OutboxWorker).tick();
    return mail.delivered.filter(({ to, headers }) => to[0] === email && headers.subject === "A new sign-in to Parley");
  };
  const ages = (days: number): Promise<unknown> =>
    app.db.query(
      `update member_session set last_used_at = last_used_at - make_interval(days => $2),
         expires_at = expires_at - make_interval(days => $2) where member_id = $1`,
      [id, days],
    );
  return { id, email, signIn, events, mails, ages };
}

test("a sign-in with another browser or from another network is an event and a mail; the first one is not", async () => {
  const { id, signIn, events, mails } = await member();
  await signIn(FIREFOX, "203.0.113.7");
  expect([await events(), await mails()]).toEqual([[], []]);

  await signIn(EDGE, "203.0.113.7");
  expect(await events()).toEqual([
    expect.objectContaining({
      type: "new_device",
      actor: { kind: "member", id },
      address: "203.0.113.7",
      userAgent: EDGE,
      detail: { environment: "live", memberId: id, sessionId: expect.any(String) },
    }),
  ]);
  const [sent, ...others] = await mails();
  expect(others).toEqual([]);
  expect(sent!.body).toMatch(/^Hello Grace Hopper,/);
  expect(sent!.body).toMatch(/When: .* GMT\s+Device: Edge on Windows\s+Address: 203\.0\.113\.7\s/);
  expect(sent!.body).toContain("change your password now");

  await signIn(FIREFOX, "198.51.100.7");
  expect([(await events()).length, (await mails()).length]).toEqual([2, 2]);
  for (const [browser, address] of [
    [NEWER_FIREFOX, "203.0.113.250"],
    [EDGE, "203.0.113.1"],
    [FIREFOX, "198.51.100.8"],
  ] as const)
    await signIn(browser, address);
  expect([(await events()).length, (await mails()).length], "known devices").toEqual([2, 2]);
  await signIn(EDGE, "198.51.100.7");
  expect((await events()).length, "browser and network are known, but not together").toBe(3);
});

test("an IPv6 network is the /64, and an IPv4 address that is written as IPv6 is the same network", async () => {
  const { signIn, events } = await member();
  await signIn(FIREFOX, "2001:db8:1:2::7");
  await signIn(FIREFOX, "2001:db8:1:2:ffff::8");
  expect(await events()).toHaveLength(0);
  await signIn(FIREFOX, "2001:db8:1:3::7");
  expect(await events()).toHaveLength(1);
  await signIn(FIREFOX, "192.0.2.7");
  expect(await events()).toHaveLength(2);
  await signIn(FIREFOX, "::ffff:192.0.2.9");
  expect(await events()).toHaveLength(2);
});

test("a device is known for 90 days after its last use, also by sessions that have ended", async () => {
  const { signIn, events, ages } = await member();
  await (await signIn(FIREFOX, "203.0.113.7")).post("/api/auth/logout", undefined, 200);
  await ages(89);
  await app.app.get(DailyService).runNow();
  await signIn(FIREFOX, "203.0.113.7");
  expect(await events()).toHaveLength(0);
  await ages(91);
  await app.app.get(DailyService).runNow();
  await signIn(FIREFOX, "203.0.113.7");
  expect(await events(), "it is not the first sign-in, though no session is left").toHaveLength(1);
});

test("other members' sessions make no device known, and a refresh elsewhere does not move the sign-in", async () => {
  const [one, other] = [await member(), await member()];
  await one.signIn(FIREFOX, "203.0.113.7");
  await one.signIn(EDGE, "203.0.113.7");
  await other.signIn(FIREFOX, "203.0.113.7");
  await other.signIn(EDGE, "203.0.113.7");
  expect([(await one.events()).length, (await other.events()).length]).toEqual([1, 1]);
  await app.db.query("update member_session set address = '198.51.100.7' where member_id = $1", [one.id]);
  await one.signIn(EDGE, "203.0.113.7");
  expect(await one.events()).toHaveLength(1);
});

test("a sign-in on the test side is mailed too, so that no device becomes known unseen", async () => {
  const { signIn, events, mails } = await member();
  await signIn(FIREFOX, "203.0.113.7");
  const onTest = await signIn(EDGE, "198.51.100.7", "test");
  expect((await onTest.get("/api/me", 200)).body.environment).toBe("test");
  expect((await events()).map(({ detail }) => detail.environment)).toEqual(["test"]);
  expect(await mails()).toHaveLength(1);
  await signIn(EDGE, "198.51.100.7");
  expect([(await events()).length, (await mails()).length]).toEqual([1, 1]);
});

test("nothing is mailed to an address that nobody has proven", async () => {
  const { signIn, events, mails } = await member({ proven: false });
  await signIn(FIREFOX, "203.0.113.7");
  await signIn(EDGE, "203.0.113.7");
  expect([(await events()).length, (await mails()).length]).toEqual([1, 0]);
});

test("simultaneous sign-ins with a new device are one event, also if they are the member's first", async () => {
  const { signIn, events, mails } = await member();
  await Promise.all([FIREFOX, EDGE].map((browser) => signIn(browser, "203.0.113.7")));
  expect(await events(), "one of the two was the first").toHaveLength(1);
  await Promise.all(Array.from({ length: 6 }, () => signIn("curl/8.5.0", "198.51.100.7")));
  expect([(await events()).length, (await mails()).length]).toEqual([2, 2]);
});
