/** Where the command palette lists an action. */
type Group = "conversation" | "list" | "page" | "general";

/**
 * What members do by a key. Help and the command palette are made from this table, the screens bind what each does by its name, and the
 * guide for members lists the same (`shortcuts.spec.ts`).
 */
export const SHORTCUTS = [
  { name: "palette", keys: ["Mod", "K"], group: "general" },
  { name: "next", keys: ["J"], group: "list" },
  { name: "previous", keys: ["K"], group: "list" },
  { name: "open", keys: ["Enter"], group: "list" },
  { name: "list", keys: ["U"], group: "list" },
  { name: "select", keys: ["X"], group: "list" },
  { name: "filter", keys: ["F"], group: "list" },
  { name: "approve", keys: ["Y"], group: "list" },
  { name: "reply", keys: ["R"], group: "conversation" },
  { name: "note", keys: ["N"], group: "conversation" },
  { name: "suggestions", keys: ["I"], group: "conversation" },
  { name: "copy", keys: ["Shift", "C"], group: "conversation" },
  { name: "send", keys: ["Mod", "Enter"], group: "conversation" },
  { name: "sendWait", keys: ["Mod", "Alt", "Enter"], group: "conversation" },
  { name: "sendResolve", keys: ["Mod", "Shift", "Enter"], group: "conversation" },
  { name: "sendSnooze", keys: ["Mod", "Alt", "Shift", "Enter"], group: "conversation" },
  { name: "takeOver", keys: ["T"], group: "conversation" },
  { name: "mine", keys: ["M"], group: "conversation" },
  { name: "assign", keys: ["A"], group: "conversation" },
  { name: "labels", keys: ["L"], group: "conversation" },
  { name: "snooze", keys: ["S"], group: "conversation" },
  { name: "wait", keys: ["W"], group: "conversation" },
  { name: "unread", keys: ["Shift", "U"], group: "conversation" },
  { name: "resolve", keys: ["E"], group: "conversation" },
  { name: "undo", keys: ["Z"], group: "conversation" },
  { name: "compose", keys: ["C"], group: "general" },
  { name: "search", keys: ["/"], group: "general" },
  { name: "goInbox", keys: ["G", "I"], group: "page" },
  { name: "goAttention", keys: ["G", "A"], group: "page" },
  { name: "goApprovals", keys: ["G", "P"], group: "page" },
  { name: "goContacts", keys: ["G", "C"], group: "page" },
  { name: "goCases", keys: ["G", "E"], group: "page" },
  { name: "goCalendar", keys: ["G", "D"], group: "page" },
  { name: "goKnowledge", keys: ["G", "K"], group: "page" },
  { name: "goQuality", keys: ["G", "Q"], group: "page" },
  { name: "goSettings", keys: ["G", "S"], group: "page" },
  { name: "help", keys: ["?"], group: "general" },
] as const satisfies { name: string; keys: string[]; group: Group }[];

export type Shortcut = (typeof SHORTCUTS)[number]["name"];

/** The keys of a shortcut. */
export const keysOf = (name: Shortcut): readonly string[] => SHORTCUTS.find((shortcut) => shortcut.name === name)!.keys;

/** Whether the keys are pressed at the same time, and not one after the other. */
export const isChord = ([first]: readonly string[]): boolean => first === "Mod" || first === "Shift";

/** The keys under the name that the keyboard has for them. */
export const boundAs = (keys: readonly string[]): string =>
  keys.map((key) => (key.length === 1 ? key.toLowerCase() : key)).join(isChord(keys) ? "+" : " ");
