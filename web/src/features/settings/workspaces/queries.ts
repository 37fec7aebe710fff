import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { parley, type Schemas } from "../../../api/parley.js";
import { pagedQuery, QUIET_MS } from "../../../api/paged.js";

export type Workspace = Schemas["Workspace"];
export type Brand = Schemas["Brand"];

export const brandsQuery = () =>
  queryOptions({
    queryKey: ["brands"],
    queryFn: async ({ signal }) => await parley.brands.list({ signal }),
    staleTime: QUIET_MS,
  });

export const workspaceQuery = (id: string) =>
  queryOptions({
    queryKey: ["workspace", id],
    queryFn: ({ signal }) => parley.workspaces.get(id, { signal }),
    staleTime: QUIET_MS,
  });

export const verificationQuery = (id: string) =>
  queryOptions({
    queryKey: ["identity-settings", id],
    queryFn: ({ signal }) => parley.identitySettings.get(id, { signal }),
    staleTime: QUIET_MS,
  });

export const retentionQuery = (id: string) =>
  queryOptions({
    queryKey: ["retention-settings", id],
    queryFn: ({ signal }) => parley.retentionSettings.get(id, { signal }),
    staleTime: QUIET_MS,
  });

export const surveyQuery = (id: string) =>
  queryOptions({
    queryKey: ["csat-config", id],
    queryFn: ({ signal }) => parley.csatConfig.get(id, { signal }),
    staleTime: QUIET_MS,
  });

/** Takes over what the server answered, and reads again the lists that show it. */
export function workspaceChanged(client: QueryClient, workspace: Workspace): void {
  client.setQueryData(["workspace", workspace.id], workspace);
  void client.invalidateQueries({ queryKey: ["workspaces"] });
}

export const sourcesQuery = (id: string) =>
  queryOptions({
    queryKey: ["verification-sources", id],
    queryFn: async ({ signal }) => (await parley.verificationSources.get(id, { signal })).sources,
    staleTime: QUIET_MS,
  });

export const schemesQuery = (id: string) =>
  queryOptions({
    queryKey: ["eid-schemes", id],
    queryFn: async ({ signal }) => (await parley.eidSchemes.get(id, { signal })).schemes,
    staleTime: QUIET_MS,
  });

export const breakersQuery = (id: string) =>
  queryOptions({
    queryKey: ["breaker-settings", id],
    queryFn: async ({ signal }) => (await parley.breakerSettings.get(id, { signal })).settings,
    staleTime: QUIET_MS,
  });

export const toolsQuery = (workspaceId: string) =>
  pagedQuery<Schemas["Tool"]>(
    ["tools", workspaceId],
    (page, options) => parley.tools.list(workspaceId, page, options),
    {
      staleTime: QUIET_MS,
    },
  );
