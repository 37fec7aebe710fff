import { queryOptions } from "@tanstack/react-query";
import { pagedQuery, QUIET_MS } from "../../api/paged.js";
import { parley, type Schemas } from "../../api/parley.js";

export type AssistantTest = Schemas["AssistantTest"];
export type TestTurn = Schemas["TestTurn"];
export type TestRun = Schemas["AssistantTestRun"];
export type Draft = Schemas["AssistantDraft"];

export const testsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["assistant-tests", workspaceId],
    queryFn: async ({ signal }): Promise<AssistantTest[]> => await parley.assistantTests.list(workspaceId, { signal }),
    staleTime: QUIET_MS,
  });

const LOOK_AGAIN_MS = 1_000;
const isOver = (run: TestRun | undefined): boolean => run?.status === "done" || run?.status === "failed";
/** Until it is over, it is looked at again each second. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ["assistant-test-run", id],
    queryFn: ({ signal }) => parley.assistantTests.getRun(id, { signal }),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : LOOK_AGAIN_MS),
  });

export const changedQuery = (id: string) =>
  pagedQuery<Schemas["RehearsedConversation"]>(["assistant-test-run", id, "conversations"], (page, options) =>
    parley.assistantTests.listChanged(id, page, options),
  );
