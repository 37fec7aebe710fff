import { Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Tx } from "../platform/database/transaction.js";
import { plainText } from "../platform/markdown/plain-text.js";
import type { Mail, OutboxEntry, OutboxKind, OutboxPayload, Send } from "../platform/outbox/outbox-kind.js";
import { OutboxService, Undeliverable } from "../platform/outbox/outbox.service.js";
import { NOTICE_TO_SEND, type NoticeToSend } from "./notices.queries.js";
import { PushRefused, PushSender, type PushedNotice } from "./push-sender.js";
import { PushService } from "./push.service.js";
import { isQuiet } from "./quiet-hours.js";
import type { Reason } from "./reason.js";
import { textsIn } from "./texts.js";
import { wantsOf } from "./wants.js";

/** How long after something happened a notice of it is still of use. */
const OF_USE_SECONDS = 4 * 3_600;
/** How long to wait after each attempt. After the last one the notice is given up. */
const WAITS_SECONDS = [15, 60, 300, 1_200];
/** A push service may ask us to wait, but no longer than this. */
const MAX_RETRY_AFTER_SECONDS = 3_600;
const MAX_NAME = 100;
const MAX_TEXT = 200;

/** Ids and times. What the notice says is read when it is sent, and is kept nowhere. */
interface Payload extends OutboxPayload {
  deviceId: string;
  reason: Reason;
  conversationId: string | null;
  at: string;
}
export type Notice = Omit<Payload, "to">;

/** What a push service answered, if not that it failed. */
interface Answered {
  deviceId: string;
  outcome: "taken" | "gone";
}

/** Sends notices to the browsers of members. */
@Injectable()
export class PushKind implements OutboxKind<Payload> {
  readonly name = "push";
  readonly available = true;

  constructor(
    private readonly outbox: OutboxService,
    private readonly sender: PushSender,
    private readonly push: PushService,
  ) {
    outbox.register(this);
  }

  /** Each browser is a receiver of its own, so that a slow push service delays no other. */
  async enqueue(
    tx: Tx,
    { id: deviceId, name: to }: { id: string; name: string },
    notices: readonly Omit<Notice, "deviceId">[],
  ): Promise<void> {
    const shared = {
      channel: this.name,
      channelId: null,
      conversationId: null,
      position: null,
      receiver: `${this.name} ${deviceId}`,
    };
    await this.outbox.addAll(
      tx,
      this,
      shared,
      notices.map((notice) => ({ id: uuid(), payload: { to, deviceId, ...notice } })),
    );
  }

  show({ to, reason }: Payload): Mail {
    return { to, subject: reason, body: "" };
  }

  async prepare(tx: Tx, _entry: OutboxEntry, { deviceId, reason, conversationId, at }: Payload): Promise<Send> {
    const left = OF_USE_SECONDS - (Date.now() - Date.parse(at)) / 1_000;
    const [found] = left > 0 ? await tx.query(NOTICE_TO_SEND, { id: deviceId, conversationId }) : [];
    const wants = wantsOf(found?.preferences ?? null);
    if (!found || !wants.notifications[reason] || isQuiet(wants.quietHours)) return () => Promise.resolve();
    const notice = noticeOf(reason, conversationId, wants.language ?? found.language, found);
    const target = this.push.open(found.sealed, found.organisationId, deviceId);
    return async (): Promise<Answered> => {
      try {
        await this.sender.send(target, notice, left, reason === "urgent" ? "high" : "normal");
        return { deviceId, outcome: "taken" };
      } catch (error) {
        if (!(error instanceof PushRefused)) throw error;
        if (error.isGone) return { deviceId, outcome: "gone" };
        throw error.isFinal ? new Undeliverable(error.message) : error;
      }
    };
  }

  retryAfterSeconds(attempts: number, error: unknown): number | undefined {
    const wait = WAITS_SECONDS[attempts - 1];
    if (wait === undefined || error instanceof Undeliverable) return undefined;
    const asked = error instanceof PushRefused ? (error.retryAfter ?? 0) : 0;
    return Math.max(wait * (0.75 + Math.random() / 2), Math.min(asked, MAX_RETRY_AFTER_SECONDS));
  }

  async settle(tx: Tx, _entry: OutboxEntry, outcome: "sent" | "postponed" | "dead", result: unknown): Promise<void> {
    if (outcome !== "sent" || !result) return;
    const { deviceId, outcome: answered } = result as Answered;
    await this.push.note(tx, deviceId, answered);
  }
}

const cut = (text: string, most: number): string => text.replace(/\s+/g, " ").trim().slice(0, most).toWellFormed();

/** What a conversation is about, in one line, as the dashboard says it. */
function headlineOf({ subject, summary, preview }: NoticeToSend): string {
  if (subject !== null) return subject;
  const [line = ""] = (summary ?? "").trim().split("\n", 1);
  return plainText(line === "" ? (preview ?? "") : line);
}

function noticeOf(reason: Reason, conversationId: string | null, language: string, found: NoticeToSend): PushedNotice {
  const { titles, nameless } = textsIn(language);
  const name = conversationId === null ? "Parley" : (found.name ?? nameless);
  const text = reason === "urgent" ? headlineOf(found) : plainText(found.preview ?? "");
  return {
    title: titles[reason](cut(name, MAX_NAME)),
    // A note is not a customer's text, and says more than a lock screen should.
    ...(conversationId !== null && reason !== "mentions" && { body: cut(text, MAX_TEXT) }),
    tag: `live-${conversationId ?? reason}`,
    path: conversationId === null ? "/attention" : `/inbox/all/${conversationId}`,
  };
}
