import { ConversationStatus } from "@parley/sdk/enums";
import type { Filter } from "../../api/views.js";

/** What the address of the inbox says if the list shows something else than its view. `status` is then always there. */
export interface InboxSearch {
  /** `any`, or statuses with commas between them. */
  status?: string;
  assignee?: string;
  handler?: string;
  channel?: string;
  label?: string;
  unread?: boolean;
  waiting?: boolean;
}

export function inboxSearch(search: Record<string, unknown>): InboxSearch {
  if (typeof search.status !== "string") return {};
  const found: Record<string, unknown> = { status: search.status };
  for (const name of ["assignee", "handler", "channel", "label"])
    // A number in an address is read as one.
    if (["string", "number"].includes(typeof search[name])) found[name] = String(search[name]);
  for (const name of ["unread", "waiting"]) if (typeof search[name] === "boolean") found[name] = search[name];
  return found;
}

/** What the list shows by it. */
export function filterOf({ status, assignee, handler, channel, label, unread, waiting }: InboxSearch): Filter {
  const statuses = ConversationStatus.filter((one) => status?.split(",").includes(one));
  return {
    ...(statuses.length > 0 && { status: statuses }),
    ...(assignee !== undefined && { assigneeId: assignee }),
    ...(handler !== undefined && { handlingMode: handler as NonNullable<Filter["handlingMode"]> }),
    ...(channel !== undefined && { channelType: channel as NonNullable<Filter["channelType"]> }),
    ...(label !== undefined && { label }),
    ...(unread !== undefined && { unread }),
    ...(waiting === true && { sort: "waiting" }),
  };
}
