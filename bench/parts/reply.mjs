import { messagePart } from "../message-part.mjs";
import { reply } from "../plain.mjs";

/** POST /api/conversations/{id}/reply with an Idempotency-Key, each to another conversation. */
export default messagePart(
  { name: "reply", what: "reply with Idempotency-Key", floor: 0.45, goal: 0.6 },
  "reply",
  reply,
);
