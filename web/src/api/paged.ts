import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type UseInfiniteQueryResult,
} from "@tanstack/react-query";

export interface Page<Item> {
  data: Item[];
  nextCursor?: string;
}

const PAGE = 50;
/** Lists that no event tells about are read again after this time, when somebody looks at them again. */
export const QUIET_MS = 10_000;

/** A list that is read page by page. What was found before stays on the screen until the answer arrives. */
export const pagedQuery = <Item>(
  queryKey: readonly unknown[],
  read: (
    page: { limit: number; cursor: string | undefined },
    options: { signal: AbortSignal },
  ) => PromiseLike<Page<Item>>,
  options: { limit?: number; staleTime?: number } = {},
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: async ({ pageParam, signal }) =>
      await read({ limit: options.limit ?? PAGE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }: Page<Item>) => nextCursor,
    placeholderData: keepPreviousData,
    ...(options.staleTime !== undefined && { staleTime: options.staleTime }),
  });

/**
 * Reads the next page. That and reading the whole list again would cancel each other: it comes after what is on its way, and
 * once more if the list was read again in its place.
 */
export async function readNextPage({
  data,
  fetchNextPage,
}: Pick<UseInfiniteQueryResult<InfiniteData<unknown>>, "data" | "fetchNextPage">): Promise<void> {
  for (let before = data?.pages.length ?? 0; ;) {
    const now = await fetchNextPage({ cancelRefetch: false });
    const pages = now.data?.pages.length ?? 0;
    // Of another list: what is searched for has changed.
    if (pages > before || now.error || !now.hasNextPage || now.isPlaceholderData) return;
    before = pages;
  }
}
