import type { QueryClient } from "@tanstack/react-query";
import { changeRow, placeRow, refreshLists } from "../api/lists.js";
import type { Conversation, Schemas } from "../api/parley.js";
import { membersQuery } from "../api/queries.js";
import { signedInAs } from "../session/session.js";
import type { Heard } from "./live.js";
import { paced } from "./pace.js";

type Viewer = Schemas["Viewer"];

/** What is read again how often, however much happens: forty operators may share one address and its rate limit. */
const LISTS = { burst: 2, workingMs: 30_000, idleMs: 60_000 };
const COUNTS = { burst: 1, workingMs: 60_000, idleMs: 150_000 };
/** Each saved view is a request. */
const VIEW_COUNTS = { burst: 1, workingMs: 300_000, idleMs: 900_000 };

interface Viewing {
  conversationId: string;
  memberId: string;
  state: Viewer["state"] | "left";
  until: string | null;
}

/** Keeps what is loaded fresh: a row by what the event says, the rest by reading again what is on the screen. */
export function applyEvents(client: QueryClient): (event: Heard) => void {
  const readAgain = (...queryKey: string[]) => void client.invalidateQueries({ queryKey });
  const lists = paced(() => void refreshLists(client), LISTS);
  const builtIn = paced(() => readAgain("counts"), COUNTS);
  const saved = paced(() => readAgain("view-count"), VIEW_COUNTS);
  const counts = (): void => {
    builtIn();
    saved();
  };

  /** @returns whether it is open here, and in its place in the lists */
  const readConversation = async (id: string): Promise<boolean> => {
    const queryKey = ["conversation", id];
    await client.invalidateQueries({ queryKey });
    const query = client.getQueryCache().find<Conversation>({ queryKey });
    return query?.isActive() === true && query.state.data !== undefined && placeRow(client, query.state.data);
  };

  /** The member's conversations, of those that events told about. */
  const mine = new Set<string>();

  return ({ type, data }) => {
    const { conversationId: id } = data;
    switch (type) {
      case "reset":
        void client.invalidateQueries();
        return;
      case "conversation.created":
        lists();
        counts();
        return;
      case "conversation.updated": {
        if (id === undefined) return;
        const { status, handlingMode, assigneeId, priority, messageCount } = data as unknown as Conversation;
        changeRow(client, id, { status, handlingMode, assigneeId, priority, messageCount });
        void readConversation(id).then((isPlaced) => isPlaced || lists());
        const isMine = assigneeId !== null && assigneeId === signedInAs();
        if (data.previousStatus !== undefined || isMine !== mine.has(id)) counts();
        if (isMine) mine.add(id);
        else mine.delete(id);
        return;
      }
      case "message.created":
      case "message.updated":
        if (id !== undefined) readAgain("thread", id);
        return;
      case "viewing.changed":
        changeViewers(client, data as unknown as Viewing);
        return;
      case "presence.changed":
        readAgain("members");
        return;
    }
    if (type.startsWith("identity_event.") && id !== undefined) {
      readAgain("identity-events", id);
      readAgain("assurance", id);
    } else if (type.startsWith("attention_item.")) readAgain("attention");
    else if (type.startsWith("kb_entry.")) readAgain("knowledge");
    else if (type.startsWith("policy_entry.")) readAgain("policies");
  };
}

/** The event says it all but the name, and a colleague's lease is renewed every few seconds. */
function changeViewers(client: QueryClient, { conversationId, memberId, state, until }: Viewing): void {
  const queryKey = ["viewers", conversationId];
  if (!client.getQueryData(queryKey)) return;
  const name = client.getQueryData(membersQuery().queryKey)?.get(memberId)?.name;
  if (name === undefined) return void client.invalidateQueries({ queryKey });
  client.setQueryData<Viewer[]>(queryKey, (viewers = []) => [
    ...viewers.filter((viewer) => viewer.memberId !== memberId),
    ...(state === "left" || until === null ? [] : [{ memberId, name, state, until }]),
  ]);
}
