import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button.js";
import { Failed, Skeleton } from "./states.js";

interface Props<Row> {
  query: UseInfiniteQueryResult<InfiniteData<{ data: Row[] }>>;
  label: string;
  /** What is shown if there are no rows. */
  empty: ReactNode;
  row: (row: Row) => ReactNode;
}

/** A list that comes in pages: its rows, and a button for the next ones. A failure leaves the rows that are there. */
export function Paged<Row extends { id: string }>({ query, label, empty, row }: Props<Row>): ReactNode {
  const { t } = useTranslation();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query;
  const rows = data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      {isPending ? (
        <Skeleton lines={4} />
      ) : rows.length === 0 ? (
        !error && empty
      ) : (
        <ul aria-label={label} className="flex flex-col divide-y divide-line rounded-lg border border-line">
          {rows.map((one) => (
            <li key={one.id}>{row(one)}</li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t("lists.more")}
          </Button>
        </div>
      )}
    </>
  );
}
