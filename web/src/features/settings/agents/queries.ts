import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { pagedQuery, QUIET_MS } from "../../../api/paged.js";
import { parley, type Schemas } from "../../../api/parley.js";

export type Agent = Schemas["Agent"];

export const agentsQuery = () =>
  queryOptions({
    queryKey: ["agents"],
    queryFn: async ({ signal }) => await parley.agents.list({ signal }),
    staleTime: QUIET_MS,
  });

export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: ["agent", id],
    queryFn: ({ signal }) => parley.agents.get(id, { signal }),
    staleTime: QUIET_MS,
  });

export const versionsQuery = (id: string) =>
  pagedQuery<Schemas["InstructionVersion"]>(
    ["agent-versions", id],
    (page, options) => parley.agents.listInstructionVersions(id, page, options),
    { limit: 20, staleTime: QUIET_MS },
  );

/** Where this agent answers: in a workspace the oldest active one of your own that lists it does. @param agents the oldest first */
export const answersIn = ({ id, workspaceIds }: Agent, agents: readonly Agent[]): string[] => {
  const own = agents.filter(
    ({ kind, role, status }) => kind === "custom" && role === "assistant" && status === "active",
  );
  return workspaceIds.filter((place) => own.find((agent) => agent.workspaceIds.includes(place))?.id === id);
};

/** Takes over what the server answered, and reads again what else shows it. */
export function agentChanged(client: QueryClient, agent: Agent): void {
  client.setQueryData(["agent", agent.id], agent);
  void client.invalidateQueries({ queryKey: ["agents"] });
  void client.invalidateQueries({ queryKey: ["agent-versions", agent.id] });
}
