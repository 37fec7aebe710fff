import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { boundAs, SHORTCUTS } from "../../../web/src/keyboard/shortcuts.js";
import { type Bindings, Keyboard } from "../../../web/src/keyboard/keyboard.js";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** A field, whose text keys that waited become, or a control. */
class Place extends EventTarget {
  text = "";
  isLeft = false;
  constructor(readonly kind: "field" | "button") {
    super();
  }
}
const is = (target: EventTarget | null, kind: Place["kind"]): target is Place =>
  target instanceof Place && target.kind === kind;

function keyboardOf({ isMac = false }: { isMac?: boolean } = {}) {
  const page = { areOn: true, isCovered: false, focused: null as Place | null };
  const keyboard = new Keyboard({
    isMac,
    areShortcutsOn: () => page.areOn,
    isCovered: () => page.isCovered,
    isTyping: (target) => is(target, "field"),
    isControl: (target) => is(target, "button"),
    leave: (field) => void ((field as Place).isLeft = true),
    focused: () => page.focused,
    type: (target, key) => {
      if (!is(target, "field")) return false;
      target.text += key;
      return true;
    },
  });
  const done: string[] = [];
  /** Binds names to notes of what was done. */
  const bind = (names: string[], label = "", level?: "page" | "shell"): (() => void) =>
    keyboard.bind(Object.fromEntries(names.map((name) => [name, () => void done.push(label + name)])), level);
  /** @returns whether the browser must not act on it as well */
  const press = (key: string, part: Partial<KeyboardEvent> = {}): boolean => {
    let isPrevented = false;
    const event = {
      key,
      target: page.focused,
      defaultPrevented: false,
      altKey: false,
      ctrlKey: false,
      metaKey: false,
      shiftKey: false,
      isComposing: false,
      timeStamp: Date.now(),
      ...part,
      preventDefault: () => void (isPrevented = true),
    } as KeyboardEvent;
    keyboard.press(event);
    return isPrevented;
  };
  return { keyboard, page, done, bind, press };
}

describe("a key", () => {
  test("does what it is bound to, in either case, and nothing once it is unbound", () => {
    const { bind, press, done } = keyboardOf();
    const unbind = bind(["j", "?", "Escape"]);
    expect(press("j")).toBe(true);
    expect(press("J")).toBe(true);
    expect(press("?")).toBe(true);
    expect(press("Escape")).toBe(true);
    expect(press("x")).toBe(false);
    expect(done).toEqual(["j", "j", "?", "Escape"]);
    unbind();
    expect(press("j")).toBe(false);
    expect(done).toHaveLength(4);
  });

  test("of several bindings does the one that is nearest: the last one, and the shell's only if no page has it", () => {
    const { bind, press, done } = keyboardOf();
    bind(["e"], "list ");
    const unbind = bind(["e"], "thread ");
    bind(["e", "s"], "shell ", "shell");
    press("e");
    press("s");
    unbind();
    press("e");
    expect(done).toEqual(["thread e", "shell s", "list e"]);
  });

  test("that does nothing at the moment leaves it to a binding further away", () => {
    const { keyboard, bind, press, done } = keyboardOf();
    bind(["z"], "far ");
    const near: Bindings = { z: undefined };
    keyboard.bind(near);
    press("z");
    near.z = () => void done.push("near z");
    press("z");
    expect(done).toEqual(["far z", "near z"]);
    expect(keyboard.actionOf("y")).toBeUndefined();
  });

  test.each<[string, Partial<KeyboardEvent>]>([
    ["with Alt", { altKey: true }],
    ["with Ctrl", { ctrlKey: true }],
    ["with ⌘", { metaKey: true }],
    ["while characters are composed", { isComposing: true }],
    ["that something else has handled", { defaultPrevented: true }],
  ])("%s is no shortcut", (_, part) => {
    const { bind, press, done } = keyboardOf();
    bind(["j"]);
    expect(press("j", part)).toBe(false);
    expect(done).toEqual([]);
  });

  test("in a field is a letter, and Escape leaves the field and nothing else", () => {
    const { bind, press, page, done } = keyboardOf();
    bind(["j", "Escape"]);
    page.focused = new Place("field");
    expect(press("j")).toBe(false);
    expect(press("Escape")).toBe(false);
    expect(done).toEqual([]);
    expect(page.focused.isLeft).toBe(true);
  });

  test("belongs to a dialog or a menu while one is open", () => {
    const { bind, press, page, done } = keyboardOf();
    bind(["j", "Escape", "Mod+k"]);
    page.isCovered = true;
    for (const key of ["j", "Escape"]) expect(press(key)).toBe(false);
    expect(press("k", { ctrlKey: true })).toBe(false);
    expect(done).toEqual([]);
  });

  test("Enter on a control presses it, and elsewhere does what it is bound to", () => {
    const { bind, press, page, done } = keyboardOf();
    bind(["Enter"]);
    page.focused = new Place("button");
    expect(press("Enter")).toBe(false);
    page.focused = null;
    expect(press("Enter")).toBe(true);
    expect(done).toEqual(["Enter"]);
  });

  test("turned off, letters do nothing, and Escape, Enter and the palette work still", () => {
    const { bind, press, page, done } = keyboardOf();
    bind(["j", "g i", "Escape", "Enter", "Mod+k"]);
    page.areOn = false;
    for (const key of ["j", "g", "i"]) press(key);
    expect(done).toEqual([]);
    for (const key of ["Escape", "Enter"]) press(key);
    press("k", { ctrlKey: true });
    expect(done).toEqual(["Escape", "Enter", "Mod+k"]);
  });

  test.each([
    [false, { ctrlKey: true }, { metaKey: true }],
    [true, { metaKey: true }, { ctrlKey: true }],
  ])("with Mod works in a field too, and never with Shift; on a Mac (%s) it is ⌘, elsewhere Ctrl", (isMac, mod, no) => {
    const { bind, press, page, done } = keyboardOf({ isMac });
    bind(["Mod+k", "k"]);
    page.focused = new Place("field");
    expect(press("K", mod)).toBe(true);
    expect(press("k", { ...mod, shiftKey: true })).toBe(false);
    expect(press("k", no)).toBe(false);
    expect(done).toEqual(["Mod+k"]);
  });
});

describe("a sequence", () => {
  test("of two letters is not what the second one does alone", () => {
    const { bind, press, done } = keyboardOf();
    bind(["i", "g i", "g e", "e"]);
    expect(press("g")).toBe(false);
    expect(press("i")).toBe(true);
    press("i");
    for (const key of ["G", "E"]) press(key);
    expect(done).toEqual(["g i", "i", "g e"]);
  });

  test("has to follow within a second", () => {
    const { bind, press, done } = keyboardOf();
    bind(["g i", "i"]);
    press("g");
    vi.setSystemTime(999);
    press("i");
    press("g");
    vi.setSystemTime(999 + 1_000);
    press("i");
    expect(done).toEqual(["g i", "i"]);
    // It counts when the keys are pressed, not when a busy page gets to them.
    press("g", { timeStamp: 3_000 });
    vi.setSystemTime(60_000);
    press("i", { timeStamp: 3_100 });
    expect(done).toEqual(["g i", "i", "g i"]);
  });

  test("that nobody has bound does nothing, and the letter after it is by itself again", () => {
    const { bind, press, done } = keyboardOf();
    bind(["g i", "j", "x"]);
    press("g");
    press("x");
    expect(done).toEqual([]);
    press("j");
    expect(done).toEqual(["j"]);
    // No sequence begins with it.
    for (const key of ["j", "i"]) press(key);
    expect(done).toEqual(["j", "j"]);
  });
});

describe("keys for a page that is not there yet", () => {
  const told: string[] = [];
  beforeEach(() => void (told.length = 0));
  const tell = (keys: string): void => void told.push(keys);
  const keyEvent = (key: string): KeyboardEvent => ({ key, preventDefault: () => undefined }) as KeyboardEvent;

  test("wait, and work in their order once it is there", () => {
    const { keyboard, bind, press, done } = keyboardOf();
    bind(["e", "x", "l"], "old ");
    keyboard.hold(tell);
    expect(press("e")).toBe(true);
    press("x");
    expect(done).toEqual([]);
    bind(["e", "x"], "new ");
    keyboard.release();
    expect(done).toEqual(["new e", "new x"]);
    press("l");
    expect(done).toEqual(["new e", "new x", "old l"]);
    vi.advanceTimersByTime(60_000);
    expect(told).toEqual([]);
  });

  test("become the text of a field as soon as one of them has led there", () => {
    const { keyboard, bind, press, page } = keyboardOf();
    const field = new Place("field");
    keyboard.bind({ r: () => void (page.focused = field) });
    bind(["e", "z"], "no ");
    keyboard.hold(tell, keyEvent("r"));
    for (const key of "zere") press(key);
    keyboard.release();
    expect(field.text).toBe("zere");
  });

  test("of which one opens the next page: those behind it wait for that", () => {
    const { keyboard, bind, press, done } = keyboardOf();
    bind(["e"]);
    keyboard.bind({ o: () => keyboard.hold(tell) });
    keyboard.hold(tell, keyEvent("e"));
    for (const key of "oee") press(key);
    keyboard.release();
    expect(done).toEqual(["e"]);
    keyboard.release();
    expect(done).toEqual(["e", "e", "e"]);
  });

  test("are the text of a window that has a field, and never shortcuts, also if it does not come", () => {
    const { keyboard, bind, press, done, page } = keyboardOf();
    bind(["j", "e"]);
    keyboard.hold(tell, undefined, true);
    for (const key of "jane") press(key);
    const field = new Place("field");
    page.focused = field;
    keyboard.release(true);
    expect(field.text).toBe("jane");
    page.focused = null;
    keyboard.hold(tell, undefined, true);
    press("e");
    keyboard.release(true);
    expect([told, done]).toEqual([["e"], []]);
    keyboard.hold(tell);
    press("j");
    expect(done).toEqual(["j"]);
  });

  test("that were pressed before a window was opened are not its text, and those behind it wait for the window alone", () => {
    const { keyboard, press, page } = keyboardOf();
    keyboard.bind({ "Mod+k": () => keyboard.hold(tell, undefined, true) });
    keyboard.hold(tell);
    for (const key of "rset") press(key);
    press("k", { ctrlKey: true });
    expect(told).toEqual(["rset"]);
    for (const key of "jane") press(key);
    // The page that the first ones were for.
    keyboard.release();
    page.focused = new Place("field");
    keyboard.release(true);
    expect(page.focused.text).toBe("jane");
    expect(told).toEqual(["rset"]);
  });

  test("j and k act at once as long as nothing waits before them", () => {
    const { keyboard, bind, press, done } = keyboardOf();
    bind(["j", "k", "e"]);
    keyboard.hold(tell);
    for (const key of "jk") press(key);
    expect(done).toEqual(["j", "k"]);
    for (const key of "ej") press(key);
    expect(done).toEqual(["j", "k"]);
  });

  test("are forgotten ten seconds after the last of them, or when the member points elsewhere, and the letters are told", () => {
    const { keyboard, bind, press, done } = keyboardOf();
    bind(["e"]);
    keyboard.hold(tell);
    press("e");
    vi.advanceTimersByTime(9_000);
    press("Escape");
    press("e");
    vi.advanceTimersByTime(9_999);
    expect(told).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(told).toEqual(["ee"]);
    keyboard.hold(tell);
    press("e");
    keyboard.forget();
    expect(told).toEqual(["ee", "e"]);
    keyboard.release();
    keyboard.hold(tell);
    keyboard.forget();
    expect(told).toHaveLength(2);
    expect(done).toEqual([]);
  });
});

test("no two shortcuts have the same keys, and none is the beginning of another one", () => {
  const names = SHORTCUTS.map(({ keys }) => boundAs(keys));
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(names.filter((other) => other.startsWith(`${name} `))).toEqual([]);
  expect(boundAs(["G", "I"])).toBe("g i");
  expect(boundAs(["Enter"])).toBe("Enter");
  expect(boundAs(["Mod", "K"])).toBe("Mod+k");
});
