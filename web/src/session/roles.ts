import type { Member } from "./session.js";

/** Whether a member may change contacts, accounts, conversations and attention items. Observers only read them. */
export const mayWrite = ({ role }: Member): boolean => role === "owner" || role === "admin" || role === "agent";

/** Whether a member manages what concerns the whole organisation. */
export const manages = ({ role }: Member): boolean => role === "owner" || role === "admin";
