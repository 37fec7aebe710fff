import type { OwnTool } from "../../assistant/tools/tool-calls.queries.js";
import type { Thresholds } from "../../assistant/context/decision.js";
import type { Step } from "../../assistant/procedures/definition.js";
import type { ProcedureStatus, StartsWith } from "../../assistant/procedures/procedure.entity.js";
import type { Guardrail } from "../../knowledge/agents/agent.entity.js";
import type { KbEntryDto } from "../../knowledge/kb-entries/kb-entries.dto.js";
import type { Draft } from "../../knowledge/review/draft.js";

interface SceneAgent {
  id: string;
  /** Null for the platform's agent, which has no name of its own. */
  name: string | null;
  tools: string[];
  guardrails: Guardrail[];
}
export interface SceneProcedure {
  id: string;
  name: string;
  version: number;
  status: ProcedureStatus;
  startsWith: StartsWith;
  steps: Step[];
}
/** A tool of the workspace. */
interface SceneTool extends Omit<OwnTool, "url" | "statusUrl"> {
  name: string;
  publicFields: string[];
}
/** What an entry that a procedure says is asked and answers. */
type SaidEntry = Pick<KbEntryDto, "id" | "question" | "answer">;

/** All that the assistant of a workspace goes by, as it is or as it would be. */
export interface Scene {
  workspaceId: string;
  primaryLanguage: string;
  thresholds: Thresholds;
  agent: SceneAgent;
  /** Those of the agent. */
  procedures: SceneProcedure[];
  tools: SceneTool[];
  /** The approved entries that procedures say. */
  said: SaidEntry[];
  /** YYYY-MM-DD, in UTC. */
  today: string;
  /** Undefined: the entries as they are. */
  draft?: Draft<KbEntryDto>;
}
