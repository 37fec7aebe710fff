import type { QueryClient } from "@tanstack/react-query";
import { findRow, readAgain } from "../api/lists.js";
import type { Contact, Conversation, Message, Schemas } from "../api/parley.js";
import type { Member } from "../session/session.js";
import type { Heard } from "./heard.js";
import { contactTypes } from "./visitors.js";
import { looksAt } from "./looking.js";
import { type AtWork, paced } from "./pace.js";
import { changeCounts, updateContact, updateConversation, updateMessage } from "./update-query.js";
import { queryUpdates } from "./query-updates.js";

type Viewer = Schemas["Viewer"];

/** What cannot be known from events is read again this often, however much happens: forty operators may share one address and its rate limit. */
const COUNTS = { burst: 1, workingMs: 60_000, idleMs: 150_000 };
/** Each saved view is a request. */
const VIEW_COUNTS = { burst: 1, workingMs: 300_000, idleMs: 900_000 };
/** Only while a list of contacts is on the screen. */
const CONTACTS = { burst: 1, workingMs: 5_000, idleMs: 15_000 };

interface Viewing {
  conversationId: string;
  memberId: string;
  state: Viewer["state"] | "left";
  until: string | null;
}

/** Keeps what is loaded fresh: conversations and messages by what the event carries, the rest by reading again what is on the screen. */
export function applyEvents(client: QueryClient, memberId: string, atWork: AtWork): (event: Heard) => void {
  // Hundreds of events can come at once, and each read of a list is a request.
  const wanted = new Map<string, string[]>();
  const again = (...queryKey: string[]): void => {
    if (wanted.size === 0)
      setTimeout(() => {
        for (const key of wanted.values()) readAgain(client, { queryKey: key });
        wanted.clear();
      });
    wanted.set(queryKey.join(), queryKey);
  };
  const { apply, begin } = queryUpdates(client);
  const readCounts = paced(() => again("counts"), COUNTS, atWork);
  const readViewCounts = paced(() => again("view-count"), VIEW_COUNTS, atWork);
  const readContacts = paced(() => again("contacts"), CONTACTS, atWork);

  const conversation = (id: string, now: Conversation | null, { type, data }: Heard): void => {
    const before = client.getQueryData<Conversation>(["conversation", id]) ?? findRow(client, id);
    if (data.contact) client.setQueryData<Contact>(["contact", now!.contactId], data.contact as unknown as Contact);
    apply((query) => updateConversation(client, query, id, now));
    // Polling does not say which status it was.
    const isMoved = data.previousStatus !== undefined || (before && now && before.status !== now.status);
    const isNew = type === "conversation.created";
    if (now && (before ?? isNew)) changeCounts(client, before, now, memberId);
    else if (!now || isMoved || now.assigneeId === memberId) readCounts();
    if (isNew || !now || isMoved) readViewCounts();
    // A new contact has no event of its own.
    if (isNew) readContacts();
  };

  const message = (id: string, now: Message | null): void => {
    // Whom a mail names may take part from now on.
    if (now?.to.length || now?.cc.length) again("participants", id);
    apply((query) => updateMessage(client, query, id, now));
  };

  return (event) => {
    const { type, data } = event;
    const { conversationId: id } = data;
    const [resource] = type.split(".");
    hearTyping(event);
    switch (type) {
      case "begin":
        begin();
        return;
      case "reset":
        readAgain(client);
        return;
      case "viewing.changed":
        changeViewers(client, data as unknown as Viewing);
        return;
      case "presence.changed":
        again("members");
        return;
    }
    if (resource === "conversation" && id !== undefined)
      conversation(id, data.resource as unknown as Conversation | null, event);
    else if (resource === "contact") {
      const now = data.resource as unknown as Contact | null;
      apply((query) => updateContact(client, query, data.contactId as string, now));
      if (!now) readContacts();
    } else if (resource === "message" && id === undefined) again("thread");
    else if (resource === "message" && id !== undefined) message(id, data.resource as unknown as Message | null);
    else if (resource === "identity_event" && id !== undefined) {
      again("identity-events", id);
      again("assurance", id);
    } else if (resource === "attention_item") again("attention");
    else if (resource === "pending_action") again("pending-actions");
    else if (resource === "kb_entry") again("knowledge");
    else if (resource === "policy_entry") again("policies");
  };
}

/** Who has written does not type any more. */
function hearTyping({ type, data: { conversationId: id, until, direction } }: Heard): void {
  if (id === undefined) return;
  if (type === "typing") contactTypes(id, (until ?? null) as string | null);
  else if (type === "message.created" && direction === "inbound") contactTypes(id, null);
}

/** The event says it all but the name, and a colleague's lease is renewed every few seconds. */
function changeViewers(client: QueryClient, { conversationId, memberId, state, until }: Viewing): void {
  looksAt(conversationId, memberId, until);
  const queryKey = ["viewers", conversationId];
  if (!client.getQueryData(queryKey)) return;
  const name = client.getQueryData<Map<string, Member>>(["members"])?.get(memberId)?.name;
  if (name === undefined) return void client.invalidateQueries({ queryKey });
  client.setQueryData<Viewer[]>(queryKey, (viewers = []) => [
    ...viewers.filter((viewer) => viewer.memberId !== memberId),
    ...(state === "left" || until === null ? [] : [{ memberId, name, state, until }]),
  ]);
}
