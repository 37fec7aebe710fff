import { messagePart } from "../message-part.mjs";
import { inbound } from "../plain.mjs";

/** POST /api/conversations/{id}/messages with an Idempotency-Key, each to another conversation. */
export default messagePart(
  { name: "inbound", what: "a contact's message with Idempotency-Key", floor: 0.45, goal: 0.6 },
  "messages",
  inbound,
);
