import type {
  BreakerAction,
  BreakerEntityType,
  WatchedMetric,
} from "../../platform/outcomes/circuit-breaker.entity.js";

export interface BreakerSetting {
  metric: WatchedMetric;
  enabled: boolean;
  threshold: number;
  windowDays: number;
  minimumSample: number;
  action: BreakerAction;
}

/** Whose outcomes each metric watches. */
export const WATCHES: Readonly<Record<WatchedMetric, readonly BreakerEntityType[]>> = {
  csat: ["agent", "kb_entry", "channel"],
  delivery: ["channel"],
  handoff: ["agent"],
  tool: ["tool"],
};

/** What can be done to each, beside telling somebody: an agent paused; a use of an agent's tools, or of a tool, approved; an entry reviewed anew. */
const ACTIONS: Readonly<Record<BreakerEntityType, readonly BreakerAction[]>> = {
  agent: ["pause_assistant", "require_approval"],
  kb_entry: ["require_approval"],
  channel: [],
  tool: ["require_approval"],
};

/** What becomes of an entity under this setting: where the action is nothing to it, somebody is told. */
export const actionOn = (entityType: BreakerEntityType, action: BreakerAction): BreakerAction =>
  ACTIONS[entityType].includes(action) ? action : "notify";

/** Whether the action is anything to at least one of those that the metric watches. */
export const acts = (metric: WatchedMetric, action: BreakerAction): boolean =>
  action === "notify" || WATCHES[metric].some((type) => ACTIONS[type].includes(action));

/** Nothing is held back unless somebody wants it. That an assistant hands over is what it is there for, too. */
export const DEFAULTS: readonly BreakerSetting[] = [
  { metric: "csat", enabled: true, threshold: 0.3, windowDays: 30, minimumSample: 20, action: "notify" },
  { metric: "delivery", enabled: true, threshold: 0.1, windowDays: 7, minimumSample: 20, action: "notify" },
  { metric: "handoff", enabled: false, threshold: 0.5, windowDays: 30, minimumSample: 20, action: "notify" },
  { metric: "tool", enabled: true, threshold: 0.2, windowDays: 7, minimumSample: 20, action: "notify" },
];
