import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import type VoiceResponse from "twilio/lib/twiml/VoiceResponse.js";
import { provider } from "../../platform/caller/request-context.js";
import { type Answer, ChannelError, type ChannelKind, type OpenChannel, type Webhook } from "../channel-kind.js";
import { ChannelKinds } from "../channel-kinds.js";
import { IncomingMessagesService } from "../incoming-messages.service.js";
import { Config } from "../../platform/config/config.js";
import type { Sender } from "../../contacts/contacts.service.js";
import { WorkspaceEntity } from "../../workspaces/workspace.entity.js";
import { MessagesService } from "../../conversations/messages.service.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { duration, phoneOf } from "./caller-id.js";
import { type Greeting, greetingsIn } from "./greetings.js";
import { MediaService } from "./media.service.js";
import { assertOwnWebhook, type NumberWebhook, setWebhook, webhookOf } from "./number-webhooks.js";
import { type OwnNumber, ProviderClient, providerOf } from "./provider.client.js";
import { baseOf, type Params, verified } from "./signature.js";
import { type CallerOfCall, FIND_CALLER } from "./telephony.queries.js";
import { TelephonyCredentials, VoiceSettings } from "./telephony.settings.js";
import { NOTHING, say, twiml } from "./twiml.js";

const OPERATION = "channelWebhooks.receive";
const RING_SECONDS = 25;
const MAX_MESSAGE_SECONDS = 180;
/** The network reports that the caller's number is forged. */
const FORGED = /^TN-Validation-Failed/;

const ENDED: Record<string, string> = {
  busy: "The line was busy",
  "no-answer": "The call was not answered",
  canceled: "The caller hung up before the call was answered",
  failed: "The call failed",
};
/** Rejects a call that the channel does not accept. This is free of charge. */
const REJECTED = twiml((response) => response.reject());

/** A call in progress. */
interface Call {
  sid: string;
  /** Our own address, of an event. */ at(event: string): string;
}

/** Voice channels, with the API of Twilio. A call starts a conversation. It is forwarded to a number, or the caller leaves a message. */
@Injectable()
export class VoiceKind implements ChannelKind {
  readonly type = "voice";
  readonly addressed = "phone";
  readonly settings = VoiceSettings;
  readonly credentials = TelephonyCredentials;
  readonly mute = "A call cannot be answered in writing: call back, or write by SMS or email";

  constructor(
    kinds: ChannelKinds,
    private readonly client: ProviderClient,
    private readonly config: Config,
    private readonly db: Database,
    private readonly incoming: IncomingMessagesService,
    private readonly messages: MessagesService,
    private readonly media: MediaService,
  ) {
    kinds.plug(this);
  }

  /** The provider signs with the token who called or wrote. */
  credentialsVouch(): boolean {
    return true;
  }

  boundTo(settings: object): string {
    return (settings as VoiceSettings).apiUrl!;
  }

  async provision(channel: OpenChannel): Promise<void> {
    const number = await this.look(channel);
    await setWebhook(this.client, channel, number, numberWebhook(number), webhookOf(channel, this.config.PUBLIC_URL));
  }

  async test(channel: OpenChannel): Promise<string> {
    const number = await this.look(channel);
    return `${providerOf(channel.settings)} lets us in, and ${channel.address} can be called${assertOwnWebhook(numberWebhook(number), channel, webhookOf(channel, this.config.PUBLIC_URL))}`;
  }

  private async look(channel: OpenChannel): Promise<OwnNumber> {
    const [number] = await Promise.all([this.client.number(channel), this.client.assertActive(channel)]);
    if (number.capabilities?.voice === false) throw new ChannelError(`${channel.address} cannot be called`, true);
    return number;
  }

  async receive(channel: OpenChannel, webhook: Webhook): Promise<Answer> {
    const params = verified(channel, webhook);
    const { CallSid: sid } = params;
    if (!sid) throw new BadRequestException("CallSid is missing");
    const address = baseOf(channel, webhook) + webhook.path.split("?", 1)[0]!;
    const call: Call = { sid, at: (event) => `${address}?event=${event}` };
    switch (webhook.query.event) {
      case undefined:
        return this.begin(channel, call, params);
      case "dialled":
        return this.dialled(channel, call, params);
      case "recorded":
        return this.recorded(channel);
      case "recording":
        return this.recording(channel, call, params);
      case "transcription":
        return this.transcription(channel, call, params);
      case "status":
        return this.ended(channel, call, params);
      default:
        throw new BadRequestException("event is none that is known");
    }
  }

  private async begin(
    channel: OpenChannel,
    call: Call,
    { From: from = "", StirVerstat: verdict = "", CallerName: name }: Params,
  ): Promise<Answer> {
    if (channel.status === "disabled") return REJECTED;
    const forged = FORGED.test(verdict);
    // A forged number must not lead to the contact who owns the number.
    const callerId = forged ? null : phoneOf(from);
    const body = `Call from ${callerId ?? (forged ? `${from}, says the caller; the network has found that to be false` : "a withheld number")}`;
    try {
      const taken = await this.db.transaction(provider(OPERATION, channel), async (tx) => {
        tx.changesWorkspace(channel.workspaceId);
        const sender: Sender | null = callerId
          ? { kind: "phone", value: callerId, name: name?.slice(0, 200).toWellFormed() || null }
          : null;
        const made = await this.incoming.receive(tx, channel, {
          from: sender,
          senderProof: callerId ? "channel" : "none",
          conversationId: null,
          externalId: call.sid,
          callerId,
          subject: callerId ? body : "Call",
          body,
        });
        if (made?.created && channel.environment === "test" && this.forwardTo(channel))
          await this.messages.noteWithin(tx, made.conversationId, {
            body: `On the test side calls are not put through: this one would have rung at ${this.forwardTo(channel)}`,
          });
        return made !== undefined;
      });
      if (!taken) return REJECTED;
    } catch (error) {
      // The workspace is archived.
      if (error instanceof ConflictException) return REJECTED;
      throw error;
    }
    return this.greet(channel, call);
  }

  private forwardTo(channel: OpenChannel): string | null {
    return (channel.settings as VoiceSettings).forwardTo ?? null;
  }

  private async greet(channel: OpenChannel, call: Call): Promise<Answer> {
    const { greeting } = channel.settings as VoiceSettings;
    const words = await this.greetingFor(channel);
    const { language, hello, connecting } = words;
    const forwardTo = channel.environment === "test" ? null : this.forwardTo(channel);
    if (forwardTo)
      return twiml((response) => {
        say(response, greeting ?? `${hello} ${connecting}`, language);
        response.dial({ timeout: RING_SECONDS, answerOnBridge: true, action: call.at("dialled") }).number(forwardTo);
      });
    return twiml((response) => {
      say(response, greeting ?? hello, language);
      voicemail(response, channel, call, words);
    });
  }

  private async recorded(channel: OpenChannel): Promise<Answer> {
    const { goodbye, language } = await this.greetingFor(channel);
    return twiml((response) => {
      say(response, goodbye, language);
      response.hangup();
    });
  }

  /** Forwarding the call has ended. */
  private async dialled(
    channel: OpenChannel,
    call: Call,
    { DialCallStatus: status, DialCallDuration: seconds }: Params,
  ): Promise<Answer> {
    const answered = status === "completed" || status === "answered";
    await this.note(
      channel,
      call,
      "dialled",
      answered
        ? `Put through to ${this.forwardTo(channel)}: they spoke for ${duration(Number(seconds ?? 0))}`
        : `Nobody answered at ${this.forwardTo(channel)} (${status})`,
    );
    if (answered) return twiml((response) => response.hangup());
    const words = await this.greetingFor(channel);
    return twiml((response) => voicemail(response, channel, call, words));
  }

  private async recording(
    channel: OpenChannel,
    call: Call,
    { RecordingSid: externalId, RecordingUrl: url, RecordingStatus: status, RecordingDuration: seconds = "0" }: Params,
  ): Promise<Answer> {
    if (!externalId || !url) throw new BadRequestException("RecordingSid and RecordingUrl are missing");
    const caller = provider(OPERATION, channel);
    if (
      status === "completed" &&
      (await this.db.transaction(caller, (tx) => this.callerOf(tx, channel, call.sid, externalId)))
    ) {
      await this.media.bring(
        channel,
        caller,
        [{ url: `${url}.mp3`, type: "audio/mpeg" }],
        "message",
        (tx, attachmentIds, missing) =>
          this.spoken(tx, channel, call, {
            externalId,
            body: [`Voice message, ${duration(Number(seconds))}`, ...missing].join("\n\n"),
            attachmentIds,
          }),
      );
    }
    return NOTHING;
  }

  private async transcription(
    channel: OpenChannel,
    call: Call,
    { TranscriptionSid: externalId, TranscriptionText: text, TranscriptionStatus: status }: Params,
  ): Promise<Answer> {
    if (status === "completed" && externalId && text)
      await this.db.transaction(provider(OPERATION, channel), (tx) =>
        this.spoken(tx, channel, call, { externalId, body: text }),
      );
    return NOTHING;
  }

  private async ended(
    channel: OpenChannel,
    call: Call,
    { CallStatus: status = "", CallDuration: seconds }: Params,
  ): Promise<Answer> {
    if (status === "completed" || ENDED[status])
      await this.note(
        channel,
        call,
        "ended",
        ENDED[status] ?? `The call ended after ${duration(Number(seconds ?? 0))}`,
      );
    return NOTHING;
  }

  /** Adds what the caller said to the conversation of the call, once. */
  private async spoken(
    tx: Tx,
    channel: OpenChannel,
    { sid }: Call,
    message: { externalId: string; body: string; attachmentIds?: string[] },
  ): Promise<true | undefined> {
    const known = await this.callerOf(tx, channel, sid, message.externalId);
    const taken =
      known &&
      (await this.incoming.receive(tx, channel, {
        from: { contactId: known.contactId },
        senderProof: known.senderProof,
        conversationId: known.conversationId,
        ...message,
      }));
    return taken?.created ? true : undefined;
  }

  /** @returns undefined if the call was refused, its contact is gone or blocked, or the message came before */
  private async callerOf(
    tx: Tx,
    channel: OpenChannel,
    sid: string,
    externalId: string,
  ): Promise<CallerOfCall | undefined> {
    tx.changesNothingVisible();
    const thread = await this.incoming.find(tx, [channel.id], [sid]);
    if (!thread || (await this.incoming.find(tx, [channel.id], [externalId]))) return undefined;
    const [found] = await tx.query(FIND_CALLER, { conversationId: thread.conversationId });
    return found;
  }

  /** Adds a note to the conversation of the call, once. */
  private note(channel: OpenChannel, { sid }: Call, event: string, body: string): Promise<void> {
    return this.db.transaction(provider(OPERATION, channel), async (tx) => {
      tx.changesNothingVisible();
      const thread = await this.incoming.find(tx, [channel.id], [sid]);
      if (thread) await this.messages.noteWithin(tx, thread.conversationId, { body, externalId: `${event} ${sid}` });
    });
  }

  /** In the workspace's language. */
  private greetingFor(channel: OpenChannel): Promise<Greeting> {
    return this.db.transaction(provider(OPERATION, channel), async (tx) => {
      tx.changesNothingVisible();
      const workspace = await tx.findOrThrow(WorkspaceEntity, { id: channel.workspaceId });
      return greetingsIn(workspace.primaryLanguage);
    });
  }
}

/** The provider transcribes the message if it can, which is only in English. */
function voicemail(
  response: VoiceResponse,
  { settings }: OpenChannel,
  call: Call,
  { language, leaveMessage, nobody, goodbye }: Greeting,
): void {
  const { voicemail: wanted, transcribe } = settings as VoiceSettings;
  if (!wanted) {
    say(response, nobody, language);
    response.hangup();
    return;
  }
  say(response, leaveMessage, language);
  response.record({
    maxLength: MAX_MESSAGE_SECONDS,
    finishOnKey: "#",
    playBeep: true,
    action: call.at("recorded"),
    recordingStatusCallback: call.at("recording"),
    ...(transcribe && language === "en-US" && { transcribe: true, transcribeCallback: call.at("transcription") }),
  });
  say(response, goodbye, language);
}

const numberWebhook = (number: OwnNumber): NumberWebhook => ({
  what: "calls",
  now: number.voice_url,
  set: (url) => ({
    VoiceUrl: url,
    VoiceMethod: "POST",
    StatusCallback: url.replace("#", "?event=status#"),
    StatusCallbackMethod: "POST",
  }),
});
