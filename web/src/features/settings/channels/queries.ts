import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { QUIET_MS } from "../../../api/paged.js";
import { parley, type Schemas } from "../../../api/parley.js";

export type Channel = Schemas["Channel"];
export type ChannelType = Channel["type"];

export const LOOKS = { active: "ok", provisioning: "warn", error: "danger", disabled: "plain" } as const;

/** A channel that is being set up changes by itself. */
const REFRESH_MS = 3_000;

export const channelsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["channels", workspaceId],
    queryFn: async ({ signal }) => await parley.channels.list(workspaceId, { signal }),
    staleTime: QUIET_MS,
  });

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ["channel", id],
    queryFn: ({ signal }) => parley.channels.get(id, { signal }),
    staleTime: QUIET_MS,
    refetchInterval: ({ state }) =>
      state.data?.status === "provisioning" && state.data.provisioning.nextRetryAt !== null ? REFRESH_MS : false,
  });

/** Takes over what the server answered, and reads again the list that shows it. */
export function channelChanged(client: QueryClient, channel: Channel): void {
  client.setQueryData(["channel", channel.id], channel);
  void client.invalidateQueries({ queryKey: ["channels", channel.workspaceId] });
}
