import { useLayoutEffect } from "react";
import { type Bindings, Keyboard } from "./keyboard.js";
import { useLatest } from "./latest.js";
import { boundAs, type Shortcut, SHORTCUTS } from "./shortcuts.js";

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** What the key of `Mod+` is called here. */
export const MOD = IS_MAC ? "⌘" : "Ctrl";
const NAMES: Record<string, string> = IS_MAC ? { Mod: MOD, Alt: "⌥", Shift: "⇧" } : { Mod: MOD };
/** What a key of the list of shortcuts is called here. */
export const nameOfKey = (key: string): string => NAMES[key] ?? key;
/** The keys of a shortcut, as assistive software reads them. */
export const ariaKeys = (keys: readonly string[]): string =>
  keys.map((key) => (key === "Mod" ? (IS_MAC ? "Meta" : "Control") : key)).join("+");

const OFF_KEY = "parley.shortcuts";

/** Whether single letters are shortcuts. Members who use speech input or a screen reader turn them off. */
export const areShortcutsOn = (): boolean => localStorage.getItem(OFF_KEY) !== "off";
export const turnShortcuts = (on: boolean): void =>
  on ? localStorage.removeItem(OFF_KEY) : localStorage.setItem(OFF_KEY, "off");

const keyboard = new Keyboard({
  isMac: IS_MAC,
  areShortcutsOn,
  isCovered: () => document.querySelector('[role="dialog"], :popover-open') !== null,
  isTyping: (target) =>
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName)),
  isControl: (target) => target instanceof Element && target.closest("a, button, summary") !== null,
  leave: (field) => (field as HTMLElement).blur(),
  focused: () => document.activeElement,
  type: (target, key) => {
    if (!(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)) return false;
    const text = key === "Enter" ? "\n" : key;
    if ([...text].length === 1) {
      target.setRangeText(text, target.selectionStart ?? 0, target.selectionEnd ?? 0, "end");
      target.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
    return true;
  },
});

/** Until `releaseKeys`, keys wait for the page that they are meant for. */
export const holdKeys = keyboard.hold;
/** Does what the keys that wait say. Not within an effect of React's: there it draws a field again only afterwards, with the last letter alone. */
export const releaseKeys = (isText?: boolean): void => queueMicrotask(() => keyboard.release(isText));
/** Actions without a row in the table of shortcuts. All but `Escape` are the command palette's alone. */
type Keyless =
  | "Escape"
  | "context"
  | "create-key"
  | "other-side"
  | "release"
  | "reopen"
  | "sign-out"
  | `priority-${string}`;
export type Actions = { [Name in Shortcut | Keyless]?: Bindings[string] };

const NAMES_OF = new Map<string, string>(SHORTCUTS.map(({ name, keys }) => [boundAs(keys), name]));
const BOUND = new Map<string, string>(SHORTCUTS.map(({ name, keys }) => [name, boundAs(keys)]));

/** What a name does at the moment. */
export const actionOf = (name: keyof Actions): Bindings[string] => keyboard.actionOf(BOUND.get(name) ?? name);

// What is pointed at next is not what the keys were meant for.
document.addEventListener("pointerdown", () => keyboard.forget(), true);
document.addEventListener("keydown", (event) => keyboard.press(event));

/** Binds shortcuts by their names while the component is on the page. Their keys do nothing while the member types. Those of the `shell` give way to all others. */
export function useKeys(actions: Actions, level: "page" | "shell" = "page"): void {
  const latest = useLatest<Bindings>(actions);
  // With the page: who sees it can press its keys, and those of the page before it are gone.
  useLayoutEffect(() => {
    const stable: Bindings = new Proxy(
      {},
      {
        get: (_, keys: string) => latest.current[NAMES_OF.get(keys) ?? keys],
        ownKeys: () => Object.keys(latest.current).map((name) => BOUND.get(name) ?? name),
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      },
    );
    return keyboard.bind(stable, level);
  }, [latest, level]);
}
