import type { SystemCaller } from "../../platform/caller/caller.js";

/** A tool as the model is told about it. */
export interface OfferedTool {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: object;
  effect: "read" | "write";
}

/** What came of a call. */
export type ToolOutcome =
  /** What the tool answered: the model is told. */
  | { kind: "result"; value: unknown }
  /** It was not called: the arguments are wrong, or the policies deny it. The model is told once. */
  | { kind: "refused"; reason: string }
  /** It is called later, once a person approved it or the contact has verified who they are. The run ends. */
  | { kind: "waits"; for: "approval" | "verification"; pendingActionId: string | null }
  /** People take over. */
  | { kind: "escalated"; reason: string };

/** What a run wants to call. Whom and what it is about is bound by the server. */
export interface ToolRequest {
  tool: string;
  arguments: unknown;
}

/** A call of this conversation since its last resolution. */
export interface MadeCall extends ToolRequest {
  runId: string;
  outcome: ToolOutcome;
}

/** The run that calls. */
export interface ToolRun {
  id: string;
  conversationId: string;
  agentId: string;
}

/** A step of the run's activity, as it is stored. */
export interface ToolStep {
  type: "policy" | "tool";
  at: string;
  durationMs: number;
  detail: object;
}

/** Decides about the calls that a model asks for, and makes them. */
export abstract class ToolCalls {
  /** The tools that the run's agent lists and that exist. Ask before any text of the contact is read. */
  abstract offered(caller: SystemCaller, run: ToolRun): Promise<OfferedTool[]>;

  /**
   * The calls of the conversation since its last resolution, oldest first: those of a process that died, and those that were
   * approved meanwhile. The model is told about them as if it had just made them.
   */
  abstract made(caller: SystemCaller, run: ToolRun): Promise<MadeCall[]>;

  /**
   * @param tainted an argument comes out of a tool's answer
   * @returns also the steps, which end in the run's activity
   */
  abstract call(
    caller: SystemCaller,
    run: ToolRun,
    request: ToolRequest,
    about: { tainted: boolean },
  ): Promise<{ outcome: ToolOutcome; steps: ToolStep[] }>;
}
