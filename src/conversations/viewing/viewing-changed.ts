import type { Signal } from "../../platform/database/changes.js";
import type { ViewerState } from "./conversation-viewer.entity.js";

const TYPE = "viewing.changed";

/** A member looks at a conversation, types in it, or has left it. */
export interface ViewingChanged {
  conversationId: string;
  workspaceId: string;
  memberId: string;
  state: ViewerState | "left";
  /** When this ends, unless it is said again. Null if the member has left. */
  until: string | null;
}

export const viewingChanged = (tenantId: string, data: ViewingChanged): Signal<ViewingChanged> => ({
  tenantId,
  workspaceId: data.workspaceId,
  type: TYPE,
  data,
});

export const isViewingChanged = (signal: Signal): signal is Signal<ViewingChanged> => signal.type === TYPE;
