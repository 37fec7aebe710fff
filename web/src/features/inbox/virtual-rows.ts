import { type RefCallback, useCallback, useState } from "react";
import { flushSync } from "react-dom";

/** Rows come and go by so many, so that a slow scroll does not render in each frame. As many are rendered above and below what is seen. */
const BLOCK = 2;

/**
 * Which rows of a long list are rendered, if all have the same height. The others are neither elements nor computed, so a list of
 * 100,000 costs what one of fifty costs.
 * @param count how many rows there are
 * @param height of a row, in pixels
 * @returns the first row and the one after the last, and the ref of the box that scrolls
 */
export function useVirtualRows(
  count: number,
  height: number,
): { from: number; to: number; ref: RefCallback<HTMLElement> } {
  const [seen, setSeen] = useState({ first: 0, last: 0 });
  const ref = useCallback(
    (box: HTMLElement) => {
      const block = BLOCK * height;
      const look = (): void => {
        const first = Math.floor(box.scrollTop / block);
        const last = Math.floor((box.scrollTop + box.clientHeight) / block);
        setSeen((before) => (before.first === first && before.last === last ? before : { first, last }));
      };
      // In the same frame: a frame later, a fast scroll would show nothing.
      const scrolled = (): void => flushSync(look);
      box.addEventListener("scroll", scrolled, { passive: true });
      const resizes = new ResizeObserver(look);
      resizes.observe(box);
      look();
      return () => {
        box.removeEventListener("scroll", scrolled);
        resizes.disconnect();
      };
    },
    [height],
  );
  const to = Math.min((seen.last + 2) * BLOCK, count);
  return { from: Math.min(Math.max(0, (seen.first - 1) * BLOCK), to), to, ref };
}

/**
 * Keys for the rows that are rendered. A row that scrolls in gets the element of one that scrolled out, because to change the
 * text of an element is cheaper than to make one. A row keeps its element while it is rendered.
 */
export function useElementKeys(ids: readonly string[]): number[] {
  const [given, setGiven] = useState(() => keysFor(ids, NO_KEYS));
  if (ids.length === given.ids.length && ids.every((id, i) => id === given.ids[i])) return given.keys;
  const now = keysFor(ids, given);
  setGiven(now);
  return now.keys;
}

interface ElementKeys {
  ids: readonly string[];
  keys: number[];
  /** How many there are, with those that no row has. */
  made: number;
}
const NO_KEYS: ElementKeys = { ids: [], keys: [], made: 0 };

function keysFor(ids: readonly string[], before: ElementKeys): ElementKeys {
  const given = new Map(before.ids.map((id, i) => [id, before.keys[i]!]));
  const rendered = new Set(ids);
  // An element that has the focus is not reused. Otherwise Enter would open a conversation that the member did not choose.
  const focused = document.activeElement?.closest<HTMLElement>("[data-conversation]")?.dataset.conversation;
  const free = [...given].filter(([id]) => !rendered.has(id) && id !== focused).map(([, key]) => key);
  let { made } = before;
  const keys = ids.map((id) => given.get(id) ?? free.shift() ?? made++);
  return { ids, keys, made };
}
