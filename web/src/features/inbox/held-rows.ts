import { useMemo, useState } from "react";
import type { Conversation } from "../../api/parley.js";
import { arrange, type Pages } from "./rows.js";

interface HeldRows {
  rows: Conversation[];
  /** How many new ones wait. */
  waiting: number;
  /** A pointer comes onto the list. A finger that has touched it does not stay there. */
  enter: (isMouse: boolean) => void;
  leave: () => void;
  /** Shows those that wait. */
  showNew: () => void;
}

/** The rows that a list shows. While the pointer is on it or something is selected, they stay where they are, and new ones wait. */
export function useHeldRows(pages: Pages, latest: Conversation[], isSelecting: boolean): HeldRows {
  const [held, hold] = useState(isSelecting ? pages : undefined);
  const [isPointedAt, setPointedAt] = useState(false);
  const { rows, waiting } = useMemo(() => arrange(held, pages, latest), [held, pages, latest]);

  const [seen, setSeen] = useState({ isSelecting, pages: pages.length });
  if (seen.isSelecting !== isSelecting || seen.pages !== pages.length) {
    setSeen({ isSelecting, pages: pages.length });
    const kept =
      seen.isSelecting === isSelecting ? held : isSelecting ? (held ?? pages) : isPointedAt ? held : undefined;
    hold(kept && withAdded(kept));
  }
  /** A page that the member scrolled to is not held back. What is above stays where it is. */
  function withAdded(kept: Pages): Pages {
    const added = pages.slice(seen.pages).flatMap((page) => page.data);
    if (added.length === 0) return kept;
    if (rows === latest) return pages;
    const known = new Set(rows.map(({ id }) => id));
    return [...kept, { data: added.filter(({ id }) => !known.has(id)) }];
  }

  return {
    rows,
    waiting,
    enter: (isMouse) => {
      setPointedAt(isMouse);
      if (isMouse && !isSelecting) hold(pages);
    },
    leave: () => {
      setPointedAt(false);
      if (!isSelecting) hold(undefined);
    },
    showNew: () => hold(isPointedAt || isSelecting ? pages : undefined),
  };
}
