import { createHash } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { Config } from "../platform/config/config.js";
import { OutboundClient, OutboundError } from "../platform/outbound/outbound.client.js";
import { type VapidDetails, vapidOf } from "./vapid.js";

const TIMEOUT_MS = 10_000;
/** What a push service says is read no further. */
const ANSWER_BYTES = 1_024;

/** Where and how a browser takes notices. */
export interface PushTarget {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** What the service worker shows. web/src/service-worker.ts reads it. */
export interface PushedNotice {
  title: string;
  body?: string;
  /** A newer notice with the same tag replaces it. */
  tag: string;
  /** The page that it opens. */
  path: string;
}

/** The push service did not take a notice. The message names its status only. */
export class PushRefused extends Error {
  constructor(
    message: string,
    readonly status?: number,
    readonly retryAfter?: number,
  ) {
    super(message);
  }
  /** The browser has unsubscribed, or its user has taken the permission back. */
  get isGone(): boolean {
    return this.status === 404 || this.status === 410;
  }
  /** It refuses the same request each time: too large, or not with this key. */
  get isFinal(): boolean {
    const { status = 500 } = this;
    return status >= 300 && status < 500 && status !== 408 && status !== 429;
  }
}

/** Sends notices to the push services of browsers, encrypted for the browser alone (RFC 8291). */
@Injectable()
export class PushSender {
  readonly vapid: VapidDetails;

  constructor(
    config: Config,
    private readonly client: OutboundClient,
  ) {
    this.vapid = vapidOf(config);
  }

  /** @throws OutboundError for an endpoint that may not be called */
  check(endpoint: string): URL {
    return this.client.registrable(endpoint);
  }

  /**
   * @param seconds for which the push service keeps it while the browser is away
   * @throws PushRefused
   */
  async send(target: PushTarget, notice: PushedNotice, seconds: number, urgency: "normal" | "high"): Promise<void> {
    // Loaded for the first notice. It encrypts and signs; the request is our client's, which calls public addresses only.
    const { default: webPush } = await import("web-push");
    const { headers, body } = webPush.generateRequestDetails(target, JSON.stringify(notice), {
      vapidDetails: this.vapid,
      TTL: Math.max(0, Math.floor(seconds)),
      urgency,
      topic: createHash("sha256").update(notice.tag).digest("base64url").slice(0, 32),
      contentEncoding: "aes128gcm",
    });
    const { status, retryAfter } = await this.client
      .exchange(target.endpoint, {
        method: "POST",
        timeoutMs: TIMEOUT_MS,
        excerptBytes: ANSWER_BYTES,
        content: body,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      })
      .catch((error: unknown) => {
        throw new PushRefused(error instanceof OutboundError ? error.message : "The push service cannot be reached");
      });
    if (status < 200 || status > 299)
      throw new PushRefused(`The push service answered with status ${status}`, status, retryAfter);
  }
}
