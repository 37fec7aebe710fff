import { boundAs, keysOf, SHORTCUTS } from "./shortcuts.js";

/**
 * What a key does: `j`, `?`, `Escape`, `Mod+k`, or a sequence such as `g i`. A word that is no key, such as `release`, is an action of
 * the command palette alone.
 */
export type Bindings = Record<string, ((event?: KeyboardEvent) => void) | undefined>;

/** Within this time the second letter of a sequence has to follow. */
const SEQUENCE_MS = 1_000;
/** After the last of them, keys wait so long for the page that they are meant for. Then they are forgotten, and the member is told. */
const HELD_MS = 10_000;
/** These act at once, so that somebody who holds one down is not behind the page. */
const STEPS: ReadonlySet<string> = new Set([boundAs(keysOf("next")), boundAs(keysOf("previous"))]);

/** Letters that do something else with Shift. With any other letter, Shift makes no difference. */
const SHIFTED: ReadonlySet<string> = new Set(
  SHORTCUTS.map(({ keys }) => boundAs(keys)).filter((bound) => bound.startsWith("Shift+")),
);

/** What keys need to know of the page. */
export interface Surface {
  isMac: boolean;
  /** Whether single letters are shortcuts. */
  areShortcutsOn: () => boolean;
  /** Whether a dialog or a menu is open. Then keys belong to it. */
  isCovered: () => boolean;
  isTyping: (target: EventTarget | null) => boolean;
  /** Whether Enter presses it. */
  isControl: (target: EventTarget | null) => boolean;
  leave: (field: EventTarget | null) => void;
  focused: () => EventTarget | null;
  /** Writes a key into what has the focus. @returns false if nobody can write there */
  type: (target: EventTarget | null, key: string) => boolean;
}

/** What keys are bound to, and which of them wait. */
export class Keyboard {
  #active: Bindings[] = [];
  #prefix: { key: string; at: number } | undefined;
  #held: KeyboardEvent[] | undefined;
  #forgetting: ReturnType<typeof setTimeout> | undefined;
  #tell: (keys: string) => void = () => undefined;
  #isText = false;

  constructor(private readonly surface: Surface) {}

  /**
   * Those of the `shell` give way to all others: a page that is there from the beginning binds its own before the shell does.
   * @returns how to unbind them
   */
  bind(bindings: Bindings, level: "page" | "shell" = "page"): () => void {
    if (level === "shell") this.#active.unshift(bindings);
    else this.#active.push(bindings);
    return () => void this.#active.splice(this.#active.indexOf(bindings), 1);
  }

  /** What a name does at the moment. What was bound last is nearest to the member. */
  actionOf = (name: string): Bindings[string] =>
    this.#active.findLast((bindings) => bindings[name] !== undefined)?.[name];

  /**
   * Until `release`, keys wait: the page that they are meant for is not there yet, and the one that goes must not get them.
   * @param forgotten gets the letters that were not used, because the page did not come or the member went elsewhere
   * @param first the key that is pressed now, if it waits, too
   * @param isText they are meant for a window with a field, and never shortcuts
   */
  hold = (forgotten: (keys: string) => void, first?: KeyboardEvent, isText = false): void => {
    this.#held ??= first ? [first] : [];
    this.#tell = forgotten;
    this.#isText = isText;
    this.#forgetLater();
  };

  #forgetLater(): void {
    clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => this.forget(), HELD_MS);
  }

  /** What waits does nothing any more. */
  forget(): void {
    const keys = this.#held?.map(({ key }) => key).filter((key) => [...key].length === 1) ?? [];
    this.#held = undefined;
    clearTimeout(this.#forgetting);
    if (keys.length > 0) this.#tell(keys.join(""));
  }

  /**
   * Does what the keys that wait say. Once one of them has led into a field, the others are its letters.
   * @param isText a window with a field is there, and not a page. Keys that are meant for the other wait on
   */
  release(isText = false): void {
    if (this.#isText !== isText) return;
    const waiting = this.#held ?? [];
    if (isText && !this.surface.isTyping(this.surface.focused())) return this.forget();
    this.#held = undefined;
    clearTimeout(this.#forgetting);
    for (const [i, event] of waiting.entries()) {
      const focused = this.surface.focused();
      if (!this.surface.type(focused, event.key)) this.#act(event, focused);
      // It has opened the next page, which the others are meant for.
      if (this.#held) {
        this.#held = waiting.slice(i + 1);
        return;
      }
    }
  }

  press(event: KeyboardEvent): void {
    const { surface } = this;
    const { key, target } = event;
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const mod = surface.isMac ? event.metaKey : event.ctrlKey;
    const isCombined = mod && !event.shiftKey && !surface.isCovered();
    const combined = isCombined ? this.actionOf(`Mod+${key.toLowerCase()}`) : undefined;
    if (combined) {
      event.preventDefault();
      // It opens a window, which must not get what was typed for the page.
      if (!this.#isText) this.forget();
      combined(event);
      return;
    }
    if (surface.isTyping(target)) {
      // Escape leaves a field, never the thread.
      if (key === "Escape") surface.leave(target);
      return;
    }
    if (event.ctrlKey || event.metaKey || surface.isCovered()) return;
    if (this.#held && (this.#isText || this.#held[0] || !STEPS.has(key))) {
      event.preventDefault();
      this.#held.push(event);
      this.#forgetLater();
      return;
    }
    this.#act(event, target);
  }

  /** Does what the key is bound to. */
  #act(event: KeyboardEvent, target: EventTarget | null): void {
    const { key } = event;
    const isLetter = [...key].length === 1;
    if (isLetter && !this.surface.areShortcutsOn()) return;
    // Enter and Space on a control are the control's.
    if (key === "Enter" && this.surface.isControl(target)) return;
    const letter = isLetter ? key.toLowerCase() : key;
    const name = event.shiftKey && SHIFTED.has(`Shift+${letter}`) ? `Shift+${letter}` : letter;
    const prefix = this.#prefix;
    // When it was pressed, not when a busy page gets to it.
    const at = event.timeStamp;
    const sequence = prefix && at - prefix.at < SEQUENCE_MS ? `${prefix.key} ${name}` : undefined;
    this.#prefix = undefined;
    const action = this.actionOf(sequence ?? name);
    if (action) {
      event.preventDefault();
      action(event);
      return;
    }
    if (this.#active.some((bindings) => Object.keys(bindings).some((bound) => bound.startsWith(`${name} `))))
      this.#prefix = { key: name, at };
  }
}
