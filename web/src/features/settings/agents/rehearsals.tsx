import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import type { Schemas } from "../../../api/parley.js";
import { workspacesQuery } from "../../../api/queries.js";
import { type Agent, agentsQuery, answersIn } from "./queries.js";

const Rehearsal = lazy(() => import("../../rehearsal/rehearsal.js"));

/** What the agent as it is typed would change, in each workspace where it answers. */
export function Rehearsals({
  agent,
  draft,
}: {
  agent: Agent;
  /** Undefined: it cannot be sent. */
  draft: () => Schemas["DraftAgent"] | undefined;
}): ReactNode {
  const { data: agents = [] } = useQuery(agentsQuery());
  const { data: workspaces } = useQuery(workspacesQuery());
  const places = answersIn(agent, agents);
  return (
    <Suspense>
      {places.map((workspaceId) => (
        <div key={workspaceId} className="flex flex-col gap-2">
          {places.length > 1 && (
            <h3 dir="auto" className="font-medium">
              {workspaces?.find(({ id }) => id === workspaceId)?.name}
            </h3>
          )}
          <Rehearsal
            workspaceId={workspaceId}
            draft={() => {
              const given = draft();
              return given && { agent: given };
            }}
          />
        </div>
      ))}
    </Suspense>
  );
}
