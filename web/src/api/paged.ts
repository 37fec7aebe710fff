import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";

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
