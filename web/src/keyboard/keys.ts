import { useEffect, useRef } from "react";

/**
 * What a key does: `j`, `?`, `Escape`, `Mod+k`, or a sequence such as `g i`. A word that is no key, such as `release`, is an action of
 * the command palette alone.
 */
export type Bindings = Record<string, ((event?: KeyboardEvent) => void) | undefined>;

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** What the key of `Mod+` is called here. */
export const MOD = IS_MAC ? "⌘" : "Ctrl";

const OFF_KEY = "parley.shortcuts";
/** Within this time the second letter of a sequence has to follow. */
const SEQUENCE_MS = 1_000;

/** Whether single letters are shortcuts. Members who use speech input or a screen reader turn them off. */
export const areShortcutsOn = (): boolean => localStorage.getItem(OFF_KEY) !== "off";
export const turnShortcuts = (on: boolean): void =>
  on ? localStorage.removeItem(OFF_KEY) : localStorage.setItem(OFF_KEY, "off");

/** After the last of them, keys wait so long for the page that they are meant for. Then they are forgotten, and the member is told. */
const HELD_MS = 10_000;
/** These act at once, so that somebody who holds one down is not behind the page. */
const STEPS: ReadonlySet<string> = new Set(["j", "k"]);
let held: KeyboardEvent[] | undefined;
let forgetting: ReturnType<typeof setTimeout> | undefined;
let tell: (keys: string) => void = () => undefined;

/**
 * Until `releaseKeys`, keys wait: the page that they are meant for is not there yet, and the one that goes must not get them.
 * @param first the key that is pressed now, if it waits, too
 * @param forgotten gets the letters that were not used, because the page did not come or the member went elsewhere
 */
export function holdKeys(forgotten: (keys: string) => void, first?: KeyboardEvent): void {
  held ??= first ? [first] : [];
  tell = forgotten;
  forgetLater();
}

function forgetLater(): void {
  clearTimeout(forgetting);
  forgetting = setTimeout(forget, HELD_MS);
}

function forget(): void {
  const keys = held?.map(({ key }) => key).filter((key) => [...key].length === 1) ?? [];
  held = undefined;
  clearTimeout(forgetting);
  if (keys.length > 0) tell(keys.join(""));
}
// What is pointed at next is not what the keys were meant for.
document.addEventListener("pointerdown", () => held && forget(), true);

/**
 * Does what the keys that wait say. Once one of them has led into a field, the others are its letters. Not within an effect of
 * React's: there it draws a field again only afterwards, with the last letter alone.
 */
export const releaseKeys = (): void => queueMicrotask(release);

function release(): void {
  const waiting = held ?? [];
  held = undefined;
  clearTimeout(forgetting);
  for (const [i, event] of waiting.entries()) {
    const field = document.activeElement;
    if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) type(field, event.key);
    else act(event, field);
    // It has opened the next page, which the others are meant for.
    if (held) {
      held = waiting.slice(i + 1);
      return;
    }
  }
}

function type(field: HTMLTextAreaElement | HTMLInputElement, key: string): void {
  const text = key === "Enter" ? "\n" : key;
  if ([...text].length !== 1) return;
  field.setRangeText(text, field.selectionStart ?? 0, field.selectionEnd ?? 0, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}

const active: Bindings[] = [];
let prefix: { key: string; at: number } | undefined;

/** What a name does at the moment. What was bound last is nearest to the member. */
export const actionOf = (name: string): Bindings[string] =>
  active.findLast((bindings) => bindings[name] !== undefined)?.[name];

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName));

/** Whether a dialog or a menu is open. Then keys belong to it. */
const isCovered = (): boolean => document.querySelector('[role="dialog"], :popover-open') !== null;

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.defaultPrevented || event.altKey || event.isComposing) return;
  const mod = IS_MAC ? event.metaKey : event.ctrlKey;
  const combined = mod && !event.shiftKey && !isCovered() ? actionOf(`Mod+${key.toLowerCase()}`) : undefined;
  if (combined) {
    event.preventDefault();
    combined(event);
    return;
  }
  if (isTyping(target)) {
    // Escape leaves a field, never the thread.
    if (key === "Escape") (target as HTMLElement).blur();
    return;
  }
  if (event.ctrlKey || event.metaKey || isCovered()) return;
  if (held && !(held.length === 0 && STEPS.has(key))) {
    event.preventDefault();
    held.push(event);
    forgetLater();
    return;
  }
  act(event, target);
});

/** Does what the key is bound to. */
function act(event: KeyboardEvent, target: EventTarget | null): void {
  const { key } = event;
  const isLetter = [...key].length === 1;
  if (isLetter && !areShortcutsOn()) return;
  // Enter and Space on a control are the control's.
  if (key === "Enter" && target instanceof Element && target.closest("a, button, summary")) return;
  const name = isLetter ? key.toLowerCase() : key;
  const sequence = prefix && Date.now() - prefix.at < SEQUENCE_MS ? `${prefix.key} ${name}` : undefined;
  prefix = undefined;
  const action = actionOf(sequence ?? name);
  if (action) {
    event.preventDefault();
    action(event);
    return;
  }
  if (active.some((bindings) => Object.keys(bindings).some((bound) => bound.startsWith(`${name} `))))
    prefix = { key: name, at: Date.now() };
}

/**
 * Binds keys while the component is on the page. They do nothing while the member types. Those of the `shell` give way to
 * all others: a page that is there from the beginning binds its own before the shell does.
 */
export function useKeys(bindings: Bindings, level: "page" | "shell" = "page"): void {
  const latest = useRef(bindings);
  latest.current = bindings;
  useEffect(() => {
    const stable: Bindings = new Proxy(
      {},
      {
        get: (_, name: string) => latest.current[name],
        ownKeys: () => Object.keys(latest.current),
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      },
    );
    if (level === "shell") active.unshift(stable);
    else active.push(stable);
    return () => void active.splice(active.indexOf(stable), 1);
  }, []);
}
