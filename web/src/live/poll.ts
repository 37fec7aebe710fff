import { type Change, CursorExpiredError, type ParleyEvent } from "@parley/sdk/core";
import type { parley } from "../api/parley.js";
import type { Heard } from "./heard.js";

/** What events tell about, so what polling asks for. */
const TYPES = "conversation,message,contact,identity_event,attention_item,pending_action,kb_entry,policy_entry";
/** The first wait. It grows to twice as much while nothing changes. An unchanged feed is a 304. */
const INTERVAL_MS = 7_500;

const RETRY_MS = 5_000;

/** Asks for what changed behind a position, until the signal ends it. Without a position it begins now, and tells that it does. */
export async function poll(
  changes: Pick<(typeof parley)["changes"], "follow">,
  after: string | undefined,
  onEvent: (event: Heard) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = after;
  const onCursor = (id: string): void => {
    if (last === undefined) onEvent({ type: "begin", id, data: {} });
    last = id;
  };
  while (!signal.aborted) {
    try {
      const options = { types: TYPES, limit: 500, intervalMs: INTERVAL_MS, signal, onCursor };
      for await (const change of changes.follow({ ...options, after: last ?? "now" })) onEvent(asEvent(change));
    } catch (error) {
      if (error instanceof CursorExpiredError) {
        last = undefined;
        onEvent({ type: "reset", data: {} });
      } else await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** A change as the event that a stream would send of it. */
function asEvent({ cursor, type, workspaceId, resourceType, resourceId, resource }: Change): ParleyEvent {
  const id = { [`${resourceType}Id`]: resourceId };
  return { id: cursor, type, data: { ...resource, ...id, ...(workspaceId !== null && { workspaceId }), resource } };
}
