import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { deliver, provision } from "../channels/support.js";
import { type Desk, eventsOf, person, type Person, press, typesOf, workspace } from "../e2e/magic-links-support.js";
import { aTime } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import {
  CREDENTIALS,
  newPhone,
  newSid,
  OURS,
  type Provider,
  PUBLIC_URL,
  startProvider,
  tell,
  webhook,
} from "./provider.js";

let provider: Provider;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let desk: Desk;
let channelId: string;
beforeAll(async () => {
  provider = await startProvider();
  app = await startApp({ OUTBOUND_ALLOW: [`127.0.0.1:${provider.port}`], PUBLIC_URL, LOG_LEVEL: "error" });
  tenant = await app.tenant("Example & Sons");
  owner = await tenant.owner();
  desk = { app, key: tenant.live, owner, ...tenant.defaults };
  channelId = await sms(owner, desk.workspaceId);
});
afterAll(async () => {
  await app.close();
  await provider.close();
});
beforeEach(() => {
  Object.assign(provider, { accountStatus: "active", mishap: () => undefined });
  provider.sent.length = 0;
});

async function sms(client: Client, workspaceId: string): Promise<string> {
  // Nothing else answers at the number.
  provider.number.sms_url = "";
  const { body } = await client.post(
    `/api/workspaces/${workspaceId}/channels`,
    { type: "sms", name: "Texts", address: OURS, settings: { apiUrl: provider.url }, credentials: CREDENTIALS },
    201,
  );
  await provision(app);
  return body.id;
}
const withPhone = async (where: Desk = desk): Promise<Person & { phone: string }> => {
  const phone = newPhone();
  return { ...(await person(where, { contact: { name: "Ada", phones: [phone] } })), phone };
};
const send = async ({ path }: Person, what: "codes" | "magic-links", body: object = {}) =>
  (
    await desk.key.post<{ codeId: string; linkId: string; code: string }>(
      `${path}/verification/${what}`,
      { channel: "sms", ...body },
      200,
    )
  ).body;
const phonesOf = async ({ contactId }: Person) => (await desk.key.get(`/api/contacts/${contactId}`, 200)).body.phones;
const CODE = /your code is (\d{6})/;
const LINK = /\/api\/public\/verifications\/([\w-]+)/;

describe("a code by SMS", () => {
  test("leaves through the workspace's SMS channel and proves the phone", async () => {
    const one = await withPhone();
    const { codeId } = await send(one, "codes");
    await deliver(app);
    expect(provider.sent).toMatchObject([{ to: one.phone, from: OURS }]);
    expect(provider.sent[0]!.body).toMatch(
      /^Example & Sons: your code is \d{6}\. Use it within 10 minutes, and only in a conversation with us that you began yourself\. Give it to nobody else\.$/,
    );
    const [, code] = CODE.exec(provider.sent[0]!.body)!;
    expect((await desk.key.post(`${one.path}/verification/codes/verify`, { codeId, code }, 200)).body).toMatchObject({
      result: "passed",
      assuranceLevel: "identified",
    });
    expect(await eventsOf(desk, one)).toMatchObject([
      {
        eventType: "factor_added",
        factorType: "otp_sms",
        factorCategory: "possession",
        factorBoundToPrincipal: one.contactId,
        evidenceRef: "tool:otp_sms",
      },
      { eventType: "assurance_level_reached" },
    ]);
    expect(await phonesOf(one)).toEqual([{ value: one.phone, verifiedAt: aTime }]);
  });

  test("is no message of the conversation, and its text is deleted once it was sent", async () => {
    const one = await withPhone();
    await send(one, "codes");
    await deliver(app);
    expect((await desk.key.get(`${one.path}/messages`, 200)).body.data).toEqual([]);
    expect(
      await app.db.query(
        "select kind, status, length(sealed) as size, conversation_id from outbox_message order by created_at desc limit 1",
      ),
    ).toEqual([{ kind: "text", status: "sent", size: 0, conversation_id: null }]);
  });

  test("is sent once, if the provider took it and its answer was lost", async () => {
    const one = await withPhone();
    provider.mishap = () => "taken, and the answer is lost";
    await send(one, "codes");
    await deliver(app);
    provider.mishap = () => undefined;
    await app.db.query("update outbox_queue set due_at = now() - interval '1 second'");
    await deliver(app);
    expect(provider.sent.filter(({ to }) => to === one.phone)).toHaveLength(1);
    expect(await app.db.query("select 1 from outbox_queue")).toEqual([]);
  });

  test("and one by mail wait side by side: each replaces only the earlier one of its channel", async () => {
    const phone = newPhone();
    const one = await person(desk, { contact: { emails: [`${phone.slice(1)}@example.com`], phones: [phone] } });
    const { codeId } = await send(one, "codes");
    await send(one, "codes", { channel: "email" });
    await deliver(app);
    const [, code] = CODE.exec(provider.sent[0]!.body)!;
    await desk.key.post(`${one.path}/verification/codes/verify`, { codeId, code }, 200);
    expect(await typesOf(desk, one)).toEqual(["factor_added", "assurance_level_reached"]);
  });

  test("reported by the provider's webhook is taken note of", async () => {
    const one = await withPhone();
    await send(one, "codes");
    await deliver(app);
    const path = new URL(provider.sent[0]!.callback!);
    const answer = await tell(app, webhook(channelId, path.search), {
      MessageSid: newSid("SM"),
      MessageStatus: "delivered",
    });
    expect(answer.status).toBe(200);
  });
});

describe("a link by SMS", () => {
  test("opens the same page, and its number is in the conversation and not in the text", async () => {
    const one = await withPhone();
    const { code, linkId } = await send(one, "magic-links");
    await deliver(app);
    const { body, to } = provider.sent[0]!;
    expect([to, body]).toEqual([
      one.phone,
      expect.stringMatching(
        /^Example & Sons: open this page to confirm that it is you: https:\/\/\S+ It is valid for 10/,
      ),
    ]);
    const [, token] = LINK.exec(body)!;
    expect((await desk.key.get(`${one.path}/assurance`, 200)).body.pendingLink).toMatchObject({
      linkId,
      channel: "sms",
      code,
    });
    expect((await desk.key.get(`${one.path}/messages`, 200)).body.data).toMatchObject([
      { body: expect.stringContaining(code), authorType: "system" },
    ]);
    expect((await press(app, token!)).status).toBe(200);
    expect(await eventsOf(desk, one)).toMatchObject([
      { eventType: "factor_added", factorType: "magic_link", evidenceRef: `magic_link:${linkId}` },
      { eventType: "assurance_level_reached" },
    ]);
    expect(await phonesOf(one)).toEqual([{ value: one.phone, verifiedAt: aTime }]);
  });

  test("to a phone that was added a moment ago proves the phone and raises no level", async () => {
    const one = await withPhone();
    const added = newPhone();
    await desk.key.patch(`/api/contacts/${one.contactId}`, { phones: [one.phone, added] }, 200);
    await send(one, "magic-links", { to: ` ${added.slice(0, 5)} ${added.slice(5)} ` });
    await deliver(app);
    const { to, body } = provider.sent.at(-1)!;
    expect(to).toBe(added);
    await press(app, LINK.exec(body)![1]!);
    expect(await typesOf(desk, one)).toEqual([]);
    expect(await phonesOf(one)).toEqual([
      { value: one.phone, verifiedAt: null },
      { value: added, verifiedAt: aTime },
    ]);
  });
});

describe("a link or code by SMS", () => {
  test("is 409 in a workspace without an SMS channel, with a disabled one, and for a phone that is not the contact's", async () => {
    const elsewhere = { ...desk, workspaceId: await workspace(desk) };
    const one = await withPhone(elsewhere);
    const refusal = async (who: Person, body: object = {}): Promise<string[]> =>
      Promise.all(
        (["codes", "magic-links"] as const).map(
          async (what) =>
            (await desk.key.post(`${who.path}/verification/${what}`, { channel: "sms", ...body }, 409)).body.error,
        ),
      );
    const none = "The workspace has no active SMS channel: use email instead";
    expect(await refusal(one)).toEqual([none, none]);
    const id = await sms(owner, elsewhere.workspaceId);
    await send(one, "codes");
    await owner.patch(`/api/channels/${id}`, { enabled: false }, 200);
    expect(await refusal(one)).toEqual([none, none]);
    const foreign = "The address in to is not one of the contact's phone numbers";
    expect(await refusal(await withPhone(), { to: newPhone() })).toEqual([foreign, foreign]);
  });

  test("waits while the channel is in error, and makes it so if the account is closed", async () => {
    const elsewhere = { ...desk, workspaceId: await workspace(desk) };
    const id = await sms(owner, elsewhere.workspaceId);
    const one = await withPhone(elsewhere);
    await send(one, "codes");
    provider.mishap = () => ({ status: 401, code: 20003 });
    await deliver(app);
    expect((await desk.key.get(`/api/channels/${id}`, 200)).body.status).toBe("error");
    provider.mishap = () => undefined;
    await owner.post(`/api/channels/${id}/retry-provisioning`, undefined, 200);
    await provision(app);
    await app.db.query("update outbox_queue set due_at = now() - interval '1 second'");
    await deliver(app);
    expect(provider.sent.filter(({ to }) => to === one.phone)).toHaveLength(1);
  });

  test("on the test side is captured", async () => {
    const testOwner = await tenant.owner("test");
    await sms(testOwner, tenant.testDefaults.workspaceId);
    const phone = newPhone();
    const { id } = (
      await tenant.test.post(
        "/api/conversations",
        { workspaceId: tenant.testDefaults.workspaceId, contact: { phones: [phone] } },
        201,
      )
    ).body;
    await tenant.test.post(`/api/conversations/${id}/verification/codes`, { channel: "sms" }, 200);
    await deliver(app);
    expect(provider.sent).toEqual([]);
    expect((await testOwner.get("/api/captured-messages", 200)).body.data[0]).toMatchObject({
      channel: "sms",
      to: phone,
      subject: "",
      body: expect.stringMatching(CODE),
    });
  });

  test("is erased with its contact", async () => {
    const one = await withPhone();
    await send(one, "codes");
    const { erased } = (await desk.key.post(`/api/contacts/${one.contactId}/erasure`, undefined, 200)).body;
    expect(erased).toMatchObject({ mails: 1, verifications: 1 });
    await deliver(app);
    expect(provider.sent).toEqual([]);
  });
});
