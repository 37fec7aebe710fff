import type { KeyboardEvent } from "react";
import { keysOf } from "../../keyboard/shortcuts.js";

/** The ways to send a reply: what becomes of the conversation, and the name of the shortcut. */
export const SEND_OPTIONS = [
  { option: "send", name: "send" },
  { option: "pending", name: "sendWait" },
  { option: "resolve", name: "sendResolve" },
  { option: "snooze", name: "sendSnooze" },
] as const;
export type SendOption = (typeof SEND_OPTIONS)[number]["option"];
/** Which list of the menu is open: the options, or for how long the conversation is snoozed. */
export type SendList = "options" | "times" | undefined;

/** What the keys say that a member presses in the field. */
export function sendOptionOf(event: KeyboardEvent, sendsWithEnter: boolean): SendOption | undefined {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  // On some keyboards AltGr is Ctrl and Alt, and may still be down from a letter.
  if (key !== "Enter" || event.nativeEvent.isComposing || event.getModifierState("AltGraph")) return undefined;
  // In Safari, only this code says that Enter ends a composed character.
  if (event.keyCode === 229) return undefined;
  if (!ctrlKey && !metaKey) return sendsWithEnter && !shiftKey && !altKey ? "send" : undefined;
  return SEND_OPTIONS.find(({ name }) => {
    const keys = keysOf(name);
    return keys.includes("Alt") === altKey && keys.includes("Shift") === shiftKey;
  })?.option;
}
