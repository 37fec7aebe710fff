import { pagedQuery, QUIET_MS } from "../../../api/paged.js";
import { parley, type Schemas } from "../../../api/parley.js";

export type Procedure = Schemas["Procedure"];
export type Step = Schemas["ProcedureStep"];

export const proceduresQuery = (workspaceId: string) =>
  pagedQuery<Procedure>(
    ["procedures", workspaceId],
    (page, options) => parley.procedures.list(workspaceId, page, options),
    { staleTime: QUIET_MS },
  );
