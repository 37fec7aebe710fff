import { Parley as Client } from "./client.js";
import { verify } from "./webhooks.js";

export * from "./generated/enums.js";
export * from "./core.js";
export { type WebhookEvent, WebhookVerificationError } from "./webhooks.js";

/** The client of Parley. Its methods are grouped as the operations are: `parley.conversations.reply(…)`. */
export class Parley extends Client {
  /** For servers that receive webhooks. */
  static readonly webhooks = { verify };
}
