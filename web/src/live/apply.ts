import type { QueryClient } from "@tanstack/react-query";
import { findRow } from "../api/lists.js";
import type { Contact, Conversation, Message, Schemas } from "../api/parley.js";
import { contactQuery } from "../api/contacts.js";
import { membersQuery } from "../api/queries.js";
import { signedInAs } from "../session/session.js";
import type { Heard } from "./live.js";
import { looksAt } from "./looking.js";
import { paced } from "./pace.js";
import { changeCounts, placeConversation, placeMessage } from "./place.js";
import { tellQueries } from "./told.js";

type Viewer = Schemas["Viewer"];

/** What cannot be known from events is read again this often, however much happens: forty operators may share one address and its rate limit. */
const COUNTS = { burst: 1, workingMs: 60_000, idleMs: 150_000 };
/** Each saved view is a request. */
const VIEW_COUNTS = { burst: 1, workingMs: 300_000, idleMs: 900_000 };

interface Viewing {
  conversationId: string;
  memberId: string;
  state: Viewer["state"] | "left";
  until: string | null;
}

/** Keeps what is loaded fresh: conversations and messages by what the event carries, the rest by reading again what is on the screen. */
export function applyEvents(client: QueryClient): (event: Heard) => void {
  const readAgain = (...queryKey: string[]) => void client.invalidateQueries({ queryKey });
  const { tell, begin } = tellQueries(client);
  const readCounts = paced(() => readAgain("counts"), COUNTS);
  const readViewCounts = paced(() => readAgain("view-count"), VIEW_COUNTS);

  const conversation = (id: string, now: Conversation | null, { type, data }: Heard): void => {
    const before = client.getQueryData<Conversation>(["conversation", id]) ?? findRow(client, id);
    if (data.contact) client.setQueryData(contactQuery(now!.contactId).queryKey, data.contact as unknown as Contact);
    tell((query) => placeConversation(client, query, id, now));
    const isNew = type === "conversation.created";
    if (now && (before ?? isNew)) changeCounts(client, before, now);
    else if (!now || data.previousStatus !== undefined || now.assigneeId === signedInAs()) readCounts();
    if (isNew || !now || data.previousStatus !== undefined) readViewCounts();
  };

  return (event) => {
    const { type, data } = event;
    const { conversationId: id } = data;
    const [resource] = type.split(".");
    switch (type) {
      case "begin":
        begin();
        return;
      case "reset":
        void client.invalidateQueries();
        return;
      case "viewing.changed":
        changeViewers(client, data as unknown as Viewing);
        return;
      case "presence.changed":
        readAgain("members");
        return;
    }
    if (resource === "conversation" && id !== undefined)
      conversation(id, data.resource as unknown as Conversation | null, event);
    else if (resource === "message" && id !== undefined)
      tell((query) => placeMessage(client, query, id, data.resource as unknown as Message | null));
    else if (resource === "identity_event" && id !== undefined) {
      readAgain("identity-events", id);
      readAgain("assurance", id);
    } else if (resource === "attention_item") readAgain("attention");
    else if (resource === "pending_action") readAgain("pending-actions");
    else if (resource === "kb_entry") readAgain("knowledge");
    else if (resource === "policy_entry") readAgain("policies");
  };
}

/** The event says it all but the name, and a colleague's lease is renewed every few seconds. */
function changeViewers(client: QueryClient, { conversationId, memberId, state, until }: Viewing): void {
  looksAt(conversationId, memberId, until);
  const queryKey = ["viewers", conversationId];
  if (!client.getQueryData(queryKey)) return;
  const name = client.getQueryData(membersQuery().queryKey)?.get(memberId)?.name;
  if (name === undefined) return void client.invalidateQueries({ queryKey });
  client.setQueryData<Viewer[]>(queryKey, (viewers = []) => [
    ...viewers.filter((viewer) => viewer.memberId !== memberId),
    ...(state === "left" || until === null ? [] : [{ memberId, name, state, until }]),
  ]);
}
