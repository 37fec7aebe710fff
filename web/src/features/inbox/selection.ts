import { useRef, useState } from "react";

/** The conversations that are selected in a list: some by name, or all that it would show. */
export interface Selection {
  ids: ReadonlySet<string>;
  isAll: boolean;
  /** Anything at all is selected. */
  isActive: boolean;
  has: (id: string) => boolean;
  /** `rows` are those that the member sees. With `range`: from the one that was changed before. */
  toggle: (id: string, rows: readonly { id: string }[], range?: boolean) => void;
  all: () => void;
  clear: () => void;
}

const NONE = { ids: new Set<string>(), isAll: false };

/** `list` names what is shown. A selection belongs to one list, so it ends where another one is shown. */
export function useSelection(list: string): Selection {
  const [kept, keep] = useState({ ...NONE, list });
  const anchor = useRef<string>(undefined);
  const { ids, isAll } = kept.list === list ? kept : NONE;
  const change = (next: { ids: Set<string>; isAll: boolean }): void => keep({ ...next, list });
  return {
    ids,
    isAll,
    isActive: isAll || ids.size > 0,
    has: (id) => isAll || ids.has(id),
    toggle: (id, rows, range = false) => {
      const next = new Set(isAll ? rows.map((row) => row.id) : ids);
      const [from, to] = [anchor.current, id].map((end) => rows.findIndex((row) => row.id === end));
      if (range && from !== undefined && to !== undefined && from >= 0 && to >= 0)
        for (const row of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(row.id);
      else if (!next.delete(id)) next.add(id);
      anchor.current = id;
      change({ ids: next, isAll: false });
    },
    all: () => change({ ids: new Set(), isAll: true }),
    clear: () => change({ ids: new Set(), isAll: false }),
  };
}
