import type { Schemas } from "./parley.js";

// Which conversations each view has.

export const VIEWS = ["mine", "unassigned", "waiting", "all", "snoozed", "resolved"] as const;
export type View = (typeof VIEWS)[number];
export const isView = (text: string): text is View => (VIEWS as readonly string[]).includes(text);

export type SavedView = Schemas["View"];
/** Which conversations a list shows, and in which order. `assigneeId` is a member's id, `none`, or `me`. */
export type Filter = Schemas["ViewFilter"] & { sort?: "waiting" };

const FILTERS: Record<View, Filter> = {
  mine: { assigneeId: "me", status: ["open", "pending"] },
  unassigned: { assigneeId: "none", status: ["open", "pending"] },
  waiting: { sort: "waiting", status: ["open", "pending"] },
  all: { status: ["open", "pending"] },
  snoozed: { status: ["snoozed"] },
  resolved: { status: ["resolved"] },
};
export const viewFilter = (view: View | SavedView): Filter =>
  typeof view === "string"
    ? FILTERS[view]
    : { ...view.filter, ...(view.sort === "waiting" && { sort: "waiting" as const }) };

/** The filter with the member in the place of `me`, as lists and bulk actions want it. */
export const forMember = ({ assigneeId, ...rest }: Filter, memberId: string): Filter => ({
  ...rest,
  ...(assigneeId !== undefined && { assigneeId: assigneeId === "me" ? memberId : assigneeId }),
});
