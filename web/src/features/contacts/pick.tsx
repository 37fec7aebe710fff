import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Page } from "../../api/paged.js";
import { FIRST_FIELD } from "../../ui/focus.js";
import { Empty, Failed, Skeleton } from "../../ui/states.js";
import { SearchField } from "../../ui/search-field.js";

/** A search of which the member picks one result. */
export function Pick<Item extends { id: string }>({
  label,
  placeholder,
  q,
  onSearch,
  query,
  leaveOut,
  empty,
  item,
  onPick,
}: {
  label: string;
  placeholder: string;
  q: string;
  onSearch: (q: string) => void;
  query: UseInfiniteQueryResult<InfiniteData<Page<Item>>>;
  /** The id of one that cannot be picked. */
  leaveOut?: string | null;
  empty: string;
  item: (item: Item) => ReactNode;
  onPick: (item: Item) => void;
}): ReactNode {
  const { data, error, refetch } = query;
  const items = data?.pages.flatMap((page) => page.data).filter(({ id }) => id !== leaveOut);
  return (
    <div className="flex flex-col gap-3">
      <SearchField label={label} placeholder={placeholder} value={q} onSearch={onSearch} {...FIRST_FIELD} />
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!items ? (
        !error && <Skeleton lines={3} />
      ) : items.length === 0 ? (
        <Empty text={empty} />
      ) : (
        <ul aria-label={label} className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {items.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                onClick={() => onPick(one)}
                className="flex w-full items-center gap-3 px-3 py-2 text-start -outline-offset-2 hover:bg-hover"
              >
                {item(one)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A result: its name, and what tells it from others of that name. */
export const Picked = ({ name, rest }: { name: string; rest: string }): ReactNode => (
  <span className="flex min-w-0 flex-1 flex-col">
    <span dir="auto" className="truncate font-medium">
      {name}
    </span>
    <span dir="auto" className="truncate text-sm text-muted empty:hidden">
      {rest}
    </span>
  </span>
);
