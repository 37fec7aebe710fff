import type { KeyboardEvent } from "react";
import { keysOf } from "../../keyboard/shortcuts.js";

/** The ways to send a reply: what becomes of the conversation, and the name of the shortcut. */
export const WAYS = [
  { way: "send", name: "send" },
  { way: "pending", name: "sendWait" },
  { way: "resolve", name: "sendResolve" },
  { way: "snooze", name: "sendSnooze" },
] as const;
export type Way = (typeof WAYS)[number]["way"];
/** Which list of the menu is open: the ways to send, or for how long the conversation is snoozed. */
export type SendList = "ways" | "times" | undefined;

/** What the keys say that a member presses in the field. */
export function wayOf(event: KeyboardEvent, sendsWithEnter: boolean): Way | undefined {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  // On some keyboards AltGr is Ctrl and Alt, and may still be down from a letter.
  if (key !== "Enter" || event.nativeEvent.isComposing || event.getModifierState("AltGraph")) return undefined;
  if (!ctrlKey && !metaKey) return sendsWithEnter && !shiftKey && !altKey ? "send" : undefined;
  return WAYS.find(({ name }) => {
    const keys = keysOf(name);
    return keys.includes("Alt") === altKey && keys.includes("Shift") === shiftKey;
  })?.way;
}
