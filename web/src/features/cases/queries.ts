import { CaseStatus } from "@parley/sdk/enums";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { pagedQuery, QUIET_MS } from "../../api/paged.js";
import { parley, type Schemas } from "../../api/parley.js";

export type Case = Schemas["Case"];
export type CaseType = Schemas["CaseType"];

/** The states that a case may go to, and the one that it has. */
export const nextStates = (status: CaseStatus): CaseStatus[] =>
  status === "resolved"
    ? ["resolved", "in_progress"]
    : CaseStatus.filter((one) => one === status || one !== "submitted");

type CaseFilter = NonNullable<Parameters<typeof parley.cases.list>[0]>;

export const casesQuery = (filter: CaseFilter, limit?: number) =>
  pagedQuery<Case>(
    ["cases", filter, limit ?? "all"],
    (page, options) => parley.cases.list({ ...page, ...filter }, options),
    { limit, staleTime: QUIET_MS },
  );

export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: ["case", id],
    queryFn: ({ signal }) => parley.cases.get(id, { signal }),
    staleTime: QUIET_MS,
  });

export const caseEventsQuery = (id: string) =>
  pagedQuery<Schemas["CaseEvent"]>(["case-events", id], (page, options) => parley.cases.listEvents(id, page, options), {
    staleTime: QUIET_MS,
  });

const LONG_MS = 5 * 60_000;
export const caseTypesQuery = () =>
  queryOptions({
    queryKey: ["case-types"],
    queryFn: async ({ signal }) => await parley.caseTypes.list({ signal }),
    staleTime: LONG_MS,
  });

/** Takes over what the server answered, and reads again what shows it. */
export function caseChanged(client: QueryClient, changed: Case): void {
  client.setQueryData(["case", changed.id], changed);
  void client.invalidateQueries({ queryKey: ["cases"] });
  void client.invalidateQueries({ queryKey: ["case-events", changed.id] });
}

/** Adds a conversation to a case, or takes it out. The API takes the whole list, so it is read just before. */
export async function linkConversation(id: string, conversationId: string, isLinked: boolean): Promise<Case> {
  const { conversationIds } = await parley.cases.get(id);
  const others = conversationIds.filter((one) => one !== conversationId);
  return parley.cases.update(id, { conversationIds: isLinked ? [...others, conversationId] : others });
}
