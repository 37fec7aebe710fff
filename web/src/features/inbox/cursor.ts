import { useRef, useState } from "react";

/** The conversation of the list that the keys go on from, and their steps through it. */
interface Cursor {
  /** While none is open. */
  cursor: string | undefined;
  step: (by: number) => void;
  /** Takes the step that waits for its row to load. */
  takeStep: () => void;
  /** Takes what the list shows, which is not the newest while its rows are held, and at which row the cursor is. */
  remember: (rows: readonly { id: string }[], at: number) => void;
}

export function useCursor({
  open,
  query: { hasNextPage, isPending },
  onOpen,
}: {
  open: string | undefined;
  query: { hasNextPage: boolean; isPending: boolean };
  onOpen: (id: string) => void;
}): Cursor {
  const [{ cursor, before }, setCursors] = useState<{ cursor?: string; before?: string }>({});
  // Back in the list, the cursor is on the conversation that was open. It is set here and not by the key that opens the next
  // one, because the list would then be rendered twice.
  if (before !== open) setCursors({ cursor: before ?? cursor, before: open });
  /** With where the cursor is, or was until its conversation left the list. */
  const shown = useRef<{ rows: readonly { id: string }[]; index: number }>({ rows: [], index: 0 });
  // A step onto a row that has not loaded yet. It is forgotten if the member goes elsewhere before the row comes.
  const stepLater = useRef<{ by: number; from: string | undefined }>(undefined);
  const current = open ?? cursor;
  const step = (by: number): void => {
    const { rows, index } = shown.current;
    const at = current === undefined ? -1 : rows.findIndex(({ id }) => id === current);
    // What was resolved may be gone, and the next one in its place.
    const to = at >= 0 ? at + by : by > 0 ? index : index - 1;
    const isPastEnd = to >= rows.length && hasNextPage;
    const next = isPastEnd ? undefined : rows[Math.min(Math.max(to, 0), rows.length - 1)];
    if (!next) {
      stepLater.current = isPastEnd || isPending ? { by, from: current } : undefined;
      return;
    }
    if (open === undefined) setCursors({ cursor: next.id });
    else onOpen(next.id);
  };
  return {
    cursor,
    step,
    takeStep: () => {
      const later = stepLater.current;
      stepLater.current = undefined;
      if (later && later.from === current) step(later.by);
    },
    remember: (rows, at) => {
      shown.current = { rows, index: at >= 0 ? at : shown.current.index };
    },
  };
}
