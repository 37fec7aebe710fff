import { QueryClient } from "@tanstack/react-query";

/** What keeps the answers that the pages show. */
export const newQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // Live events tell what has changed.
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        // The client has tried again already.
        retry: false,
        // Without a connection a request fails, and the page says so. A page that waited for one would say nothing.
        networkMode: "always",
        refetchOnReconnect: true,
      },
      mutations: { networkMode: "always" },
    },
  });
