import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newWorkspace } from "../e2e/support.js";
import { concurrently, startTwo, tablesWith, type TwoNodes } from "../../races/support.js";
import { provision } from "../channels/support.js";
import type { Schemas } from "../../support/api-types.js";
import type { TestApp, TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import {
  CREDENTIALS,
  EMPTY,
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
let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let channelId: string;
beforeAll(async () => {
  provider = await startProvider();
  nodes = await startTwo({
    OUTBOUND_ALLOW: [provider.port, provider.cdnPort].map((port) => `127.0.0.1:${port}`),
    PUBLIC_URL,
    LOG_LEVEL: "error",
  });
  app = nodes.a;
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await nodes.close();
  await provider.close();
});
beforeEach(async () => {
  provider.number.voice_url = "";
  provider.fileFails = false;
  await app.db.query("delete from channel_due");
  channelId = await voice();
});

async function voice(
  settings: object = {},
  workspaceId = tenant.defaults.workspaceId,
  client = owner,
): Promise<string> {
  provider.number.voice_url = "";
  const { body } = await client.post(
    `/api/workspaces/${workspaceId}/channels`,
    {
      type: "voice",
      name: "Calls",
      address: OURS,
      settings: { apiUrl: provider.url, ...settings },
      credentials: CREDENTIALS,
    },
    201,
  );
  await provision(app);
  return body.id;
}
const call = (from: string, more: Record<string, string> = {}): Record<string, string> => ({
  CallSid: newSid("CA"),
  AccountSid: CREDENTIALS.accountSid,
  From: from,
  To: OURS,
  CallStatus: "ringing",
  Direction: "inbound",
  ...more,
});
const ring = async (params: Record<string, string>, id = channelId, node = app): Promise<string> => {
  const { status, text, headers } = await tell(node, webhook(id), params);
  expect([status, headers.get("content-type")]).toEqual([200, "text/xml; charset=utf-8"]);
  return text.replace('<?xml version="1.0" encoding="UTF-8"?>', "");
};
const told = async (event: string, params: Record<string, string>, id = channelId): Promise<string> => {
  const { status, text } = await tell(app, webhook(id, `?event=${event}`), params);
  expect(status).toBe(200);
  return text;
};
const conversations = async (id = channelId, client: Client = tenant.live) =>
  (await client.get("/api/conversations?limit=100", 200)).body.data.filter((one) => one.channelId === id);
const messagesOf = async (id: string) => (await tenant.live.get(`/api/conversations/${id}/messages`, 200)).body.data;
const inWords = async (id: string): Promise<string[]> =>
  (await messagesOf(id)).map(({ direction, body }) => `${direction}: ${body}`);
const at = (event: string, id = channelId): string => `${PUBLIC_URL}${webhook(id)}?event=${event}`;
const REJECTED = "<Response><Reject/></Response>";

describe("a call", () => {
  test("starts one conversation, however often it is reported, and each call starts its own", async () => {
    const phone = newPhone();
    const params = call(phone, { CallerName: "ADA LOVELACE" });
    const answers = await concurrently(6, (n) => ring(params, channelId, n % 2 ? nodes.a : nodes.b));
    expect(new Set(answers).size).toBe(1);
    await ring(call(phone));
    const found = await conversations();
    expect(found).toMatchObject([
      { channelType: "voice", subject: `Call from ${phone}`, messageCount: 1 },
      { messageCount: 1 },
    ]);
    expect(new Set(found.map(({ contactId }) => contactId)).size).toBe(1);
    expect((await tenant.live.get(`/api/contacts/${found[0]!.contactId}`, 200)).body).toMatchObject({
      name: "ADA LOVELACE",
      phones: [{ value: phone }],
    });
  });

  test("from a verified number is recorded as such for the identity rules; one from a forged or withheld number is not", async () => {
    const phone = newPhone();
    await ring(call(phone));
    await app.db.query("update contact_point set verified_at = now() where value = $1", [phone]);
    const eventsAfter = async (
      params: Record<string, string>,
    ): Promise<[Schemas["Conversation"], Schemas["IdentityEvent"][]]> => {
      await ring(params);
      const newest = (await conversations())[0]!;
      return [newest, (await tenant.live.get(`/api/conversations/${newest.id}/identity-events`, 200)).body.events];
    };
    const [known, events] = await eventsAfter(call(phone, { StirVerstat: "TN-Validation-Passed-A" }));
    expect(known.senderProof).toBe("channel");
    expect(events).toMatchObject([
      { eventType: "factor_added", factorType: "ani_match", factorBoundToPrincipal: known.contactId },
    ]);
    for (const params of [
      call(phone, { StirVerstat: "TN-Validation-Failed-A" }),
      call("anonymous"),
      call("+266696687"),
      call("sip:ada@example.com"),
    ]) {
      const [{ contactId, senderProof }, none] = await eventsAfter(params);
      expect([none, contactId === known.contactId, senderProof]).toEqual([[], false, "none"]);
    }
    expect(await tablesWith(app.db, "+266696687")).toEqual({});
    const ids = await app.db.query<{ caller_id: string | null }>(
      "select caller_id from conversation where channel_id = $1 order by created_at",
      [channelId],
    );
    expect(ids.map(({ caller_id }) => caller_id)).toEqual([phone, phone, null, null, null, null]);
  });

  test("from a withheld number creates one contact, however often it is reported", async () => {
    const params = call("anonymous");
    const [before] = await app.db.query<{ count: number }>("select count(*)::int as count from contact");
    await concurrently(6, (n) => ring(params, channelId, n % 2 ? nodes.a : nodes.b));
    const [after] = await app.db.query<{ count: number }>("select count(*)::int as count from contact");
    expect(after!.count - before!.count).toBe(1);
  });

  test("is greeted in the workspace's language and can leave a message; it is transcribed only if the provider supports it", async () => {
    const en = await ring(call(newPhone()));
    expect(en).toMatch(
      /^<Response><Say language="en-US">Hello, .*<\/Say><Say language="en-US">Please leave a message .*<\/Say><Record maxLength="180" .*transcribe="true" transcribeCallback="/,
    );
    expect(en).toContain(`action="${at("recorded")}" recordingStatusCallback="${at("recording")}"`);
    const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId, { primaryLanguage: "de" });
    const german = await voice({}, workspaceId);
    const de = await ring(call(newPhone()), german);
    expect(de).toMatch(/<Say language="de-DE">Guten Tag/);
    expect(de).not.toContain("transcribe");
    expect(await told("recorded", call(newPhone()), german)).toContain("Auf Wiederhören");
  });

  test("is forwarded if a number is configured; if the call is not answered, a message is requested", async () => {
    const forwarded = await voice({ forwardTo: "+493012345678", greeting: "Ada & Co. <welcome>" });
    const [answered, missed] = [call(newPhone()), call(newPhone())];
    expect(await ring(answered, forwarded)).toBe(
      `<Response><Say language="en-US">Ada &amp; Co. &lt;welcome&gt;</Say><Dial timeout="25" answerOnBridge="true" action="${at("dialled", forwarded)}"><Number>+493012345678</Number></Dial></Response>`,
    );
    await ring(missed, forwarded);
    expect(
      await told("dialled", { ...answered, DialCallStatus: "completed", DialCallDuration: "65" }, forwarded),
    ).toContain("<Response><Hangup/></Response>");
    expect(await told("dialled", { ...missed, DialCallStatus: "no-answer" }, forwarded)).toContain("<Record ");
    for (let n = 0; n < 2; n++)
      await told("status", { ...answered, CallStatus: "completed", CallDuration: "72" }, forwarded);
    const [second, first] = await conversations(forwarded);
    expect((await inWords(first!.id)).slice(1)).toEqual([
      "internal: Put through to +493012345678: they spoke for 1 min 5 s",
      "internal: The call ended after 1 min 12 s",
    ]);
    expect((await inWords(second!.id)).slice(1)).toEqual(["internal: Nobody answered at +493012345678 (no-answer)"]);
  });

  test("without voicemail hears that no one is available", async () => {
    const without = await voice({ voicemail: false });
    expect(await ring(call(newPhone()), without)).toMatch(/Nobody can take your call at the moment\. .*<Hangup\/>/);
  });

  test("stores its recording as a file and its transcript as a message, each once", async () => {
    const params = call(newPhone());
    await ring(params);
    const url = `/2010-04-01/Accounts/${CREDENTIALS.accountSid}/Recordings/RE1`;
    const mp3 = Buffer.concat([
      Buffer.from("ID3\x03\0\0\0\0\0\0", "latin1"),
      Buffer.from([0xff, 0xfb, 0x90, 0x44]),
      Buffer.alloc(400),
    ]);
    provider.files.set(`${url}.mp3`, { type: "audio/mpeg", bytes: mp3 });
    const recording = {
      ...params,
      RecordingSid: newSid("RE"),
      RecordingUrl: provider.url + url,
      RecordingStatus: "completed",
      RecordingDuration: "23",
    };
    const transcription = {
      ...params,
      TranscriptionSid: newSid("TR"),
      TranscriptionText: "Please call me back.",
      TranscriptionStatus: "completed",
    };
    for (let n = 0; n < 2; n++) {
      expect(await told("recording", recording)).toBe(EMPTY);
      await told("transcription", transcription);
    }
    await told("transcription", { ...transcription, TranscriptionSid: newSid("TR"), TranscriptionStatus: "failed" });
    const { id } = (await conversations())[0]!;
    expect((await messagesOf(id)).slice(1)).toMatchObject([
      {
        direction: "inbound",
        body: "Voice message, 23 s",
        attachments: [{ fileName: "message.mp3", contentType: "audio/mpeg", size: mp3.length }],
      },
      { direction: "inbound", body: "Please call me back.", attachments: [] },
    ]);
    provider.fileFails = true;
    await told("recording", { ...recording, RecordingSid: newSid("RE") });
    expect((await messagesOf(id)).at(-1)).toMatchObject({
      attachments: [],
      body: expect.stringMatching(
        /^Voice message, 23 s\n\n\[audio\/mpeg: the file could not be fetched .* It is kept at 127\.0\.0\.1: http/,
      ),
    });
  });

  test.each([
    ["busy", "The line was busy"],
    ["no-answer", "The call was not answered"],
    ["canceled", "The caller hung up before the call was answered"],
    ["failed", "The call failed"],
  ])("that ends %s shows it", async (status, sentence) => {
    const params = call(newPhone());
    await ring(params);
    await told("status", { ...params, CallStatus: status });
    expect((await inWords((await conversations())[0]!.id)).slice(1)).toEqual([`internal: ${sentence}`]);
  });

  test("is rejected for a blocked caller, a disabled channel or an archived workspace, and nothing is stored", async () => {
    const phone = newPhone();
    await ring(call(phone));
    const { contactId } = (await conversations())[0]!;
    await tenant.live.patch(`/api/contacts/${contactId}`, { blocked: true }, 200);
    const blocked = call(phone);
    expect(await ring(blocked)).toBe(REJECTED);
    await told("status", { ...blocked, CallStatus: "busy" });
    expect(await conversations()).toHaveLength(1);
    await tenant.live.patch(`/api/channels/${channelId}`, { enabled: false }, 200);
    expect(await ring(call(newPhone()))).toBe(REJECTED);
    const { id: workspaceId } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const archived = await voice({}, workspaceId);
    await tenant.live.patch(`/api/workspaces/${workspaceId}`, { status: "archived" }, 200);
    expect(await ring(call(newPhone()), archived)).toBe(REJECTED);
  });

  test("cannot be answered in writing", async () => {
    await ring(call(newPhone()));
    const { id } = (await conversations())[0]!;
    expect((await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Hello" }, 409)).body.error).toBe(
      "A call cannot be answered in writing: call back, or write by SMS or email",
    );
    expect(await messagesOf(id)).toHaveLength(1);
  });

  test("without a signature is 401, whatever it reports", async () => {
    for (const event of [
      "",
      "?event=dialled",
      "?event=recorded",
      "?event=recording",
      "?event=transcription",
      "?event=status",
    ]) {
      expect((await tell(app, webhook(channelId, event), call(newPhone()), { token: "x" })).status).toBe(401);
    }
    expect((await tell(app, webhook(channelId, "?event=other"), call(newPhone()))).status).toBe(400);
    expect(await conversations()).toEqual([]);
  });

  test("on the test side is not forwarded, and its recording is not fetched", async () => {
    const client = await tenant.owner("test");
    const id = await voice({ forwardTo: "+493012345678" }, tenant.testDefaults.workspaceId, client);
    provider.requests.length = 0;
    const params = call(newPhone());
    const answer = await ring(params, id);
    expect(answer).not.toContain("<Dial");
    await told(
      "recording",
      {
        ...params,
        RecordingSid: newSid("RE"),
        RecordingUrl: `${provider.url}/x`,
        RecordingStatus: "completed",
        RecordingDuration: "2",
      },
      id,
    );
    const [conversation] = await conversations(id, tenant.test);
    const bodies = (await tenant.test.get(`/api/conversations/${conversation!.id}/messages`, 200)).body.data.map(
      ({ body }) => body,
    );
    expect(bodies.slice(1)).toEqual([
      "On the test side calls are not put through: this one would have rung at +493012345678",
      "Voice message, 2 s\n\n[audio/mpeg: on the test side files are not fetched]",
    ]);
    expect(provider.requests).toEqual([]);
  });
});

test("the number's webhooks are set to Parley for calls and their end", () => {
  expect(provider.number).toMatchObject({
    voice_url: `${PUBLIC_URL}${webhook(channelId)}#rc=5&rp=all`,
    status_callback: `${PUBLIC_URL}${webhook(channelId)}?event=status#rc=5&rp=all`,
  });
});
