import { Webhook } from "standardwebhooks";

/** The delivery does not come from Parley, was changed, or is older than five minutes. Answer 401. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** What a delivery says. It holds ids and states; read the resource for more. */
export interface WebhookEvent {
  /** The same for every attempt, for a redelivery, and for each of your endpoints. */
  id: string;
  /** Such as `message.received`. */
  type: string;
  occurredAt: string;
  /** The delivery's. It may arrive twice, so remember it. */
  idempotencyKey: string;
  data: {
    workspaceId?: string;
    conversationId?: string;
    messageId?: string;
    status?: string;
    /** The event's place in the feed: give it as `after` to `changes.follow`. */
    cursor?: string;
    [name: string]: unknown;
  };
}

/**
 * Checks that a delivery comes from Parley and is not older than five minutes, and returns its event.
 * @param body as it arrived, before it is parsed
 * @param headers of the request
 * @param secret of the endpoint, `whsec_…`
 * @throws WebhookVerificationError
 */
export function verify(
  body: string | Uint8Array,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string,
): WebhookEvent {
  const single: Record<string, string> = {};
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  for (const [name, value] of entries) if (typeof value === "string") single[name.toLowerCase()] = value;
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const webhook = new Webhook(secret);
  try {
    return webhook.verify(text, single) as WebhookEvent;
  } catch (cause) {
    throw new WebhookVerificationError("The delivery is not signed with this secret, or it is too old", { cause });
  }
}
