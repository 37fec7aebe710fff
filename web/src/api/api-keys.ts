import { queryOptions } from "@tanstack/react-query";
import { QUIET_MS } from "./paged.js";
import { parley } from "./parley.js";

export const apiKeysQuery = () =>
  queryOptions({
    queryKey: ["api-keys"],
    queryFn: async ({ signal }) => await parley.apiKeys.list({ signal }),
    staleTime: QUIET_MS,
  });
