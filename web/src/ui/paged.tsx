import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { failureOf } from "../api/failure.js";
import { type Page, readNextPage } from "../api/paged.js";
import { useKeys } from "../keyboard/keys.js";
import { Button } from "./button.js";
import { Empty, Failed, Skeleton } from "./states.js";

interface Props<Item> {
  query: UseInfiniteQueryResult<InfiniteData<Page<Item>>>;
  /** What the list is called for screen readers. */
  label: string;
  keyOf: (item: Item) => string;
  /** What is shown if there is nothing. */
  empty: ReactNode;
  row: (item: Item) => ReactNode;
  /** Only the first page, if the rest is elsewhere. */
  isExtract?: boolean;
}

/** A list in a frame, with its states and a button for the next page. `J` and `K` go through its rows. */
export function Paged<Item>({ query, label, keyOf, empty, row, isExtract }: Props<Item>): ReactNode {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  useKeys({ next: () => stepRow(1), previous: () => stepRow(-1) });
  const { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage, refetch } = query;
  const rows = data?.pages.flatMap(({ data: items }) => items);

  if (error && !rows && failureOf(error).kind === "forbidden") return <Empty text={failureOf(error).sentence} />;
  const showMore = async (): Promise<void> => {
    const from = rows?.length ?? 0;
    await readNextPage(query);
    // The button may be gone. Keyboards and screen readers continue at the first new row.
    requestAnimationFrame(() => focusRow(list.current?.children[from]));
  };
  return (
    <>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {!rows ? (
        !error && <Skeleton lines={5} />
      ) : rows.length === 0 ? (
        empty
      ) : (
        <ul
          ref={list}
          data-rows
          aria-label={label}
          aria-busy={isPlaceholderData}
          className="flex flex-col divide-y divide-line overflow-hidden rounded-lg border border-line"
        >
          {rows.map((item) => (
            <li key={keyOf(item)} data-row={keyOf(item)}>
              {row(item)}
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && !isExtract && (
        <div className="mt-4 flex justify-center">
          <Button disabled={isFetchingNextPage} onClick={() => void showMore()}>
            {t("list.more")}
          </Button>
        </div>
      )}
    </>
  );
}

/** Moves the focus to the link or button of a row. */
export const focusRow = (row: Element | null | undefined): void =>
  row?.querySelector<HTMLElement>("a, button")?.focus();

/** Before a row leaves its list, the focus goes to its neighbour, or to the page if it was the last one. */
export function leaveRow(row: Element | null | undefined): void {
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  if (neighbour) focusRow(neighbour);
  else document.getElementById("content")?.focus();
}

export const focusFirstRow = (): void => focusRow(document.querySelector("main [data-row]"));

/** Moves the focus to the next row of the page, or to the one before. */
export function stepRow(by: number): void {
  const rows = [...document.querySelectorAll("main [data-row]")];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  focusRow(at === -1 ? rows[0] : rows[at + by]);
}
