import { environment } from "../../session/session.js";

const key = (): string => `parley.knowledge.${environment()}`;

/** The workspace that was picked last, on each side. This browser keeps it. */
export const lastWorkspace = (): string | null => localStorage.getItem(key());
export const keepWorkspace = (id: string): void => localStorage.setItem(key(), id);
