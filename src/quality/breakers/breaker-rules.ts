import type {
  BreakerAction,
  BreakerEntityType,
  WatchedMetric,
} from "../../platform/outcomes/circuit-breaker.entity.js";

/** An entity, for one of the metrics that it is watched by. */
export interface WatchedEntity {
  workspaceId: string;
  metric: WatchedMetric;
  entityType: BreakerEntityType;
  entityId: string;
}

export interface BreakerSetting {
  metric: WatchedMetric;
  enabled: boolean;
  threshold: number;
  windowDays: number;
  minimumSample: number;
  action: BreakerAction;
}

/** The entities that each metric watches. */
export const WATCHES: Readonly<Record<WatchedMetric, readonly BreakerEntityType[]>> = {
  answer: ["kb_entry"],
  csat: ["agent", "kb_entry", "channel"],
  delivery: ["channel"],
  handoff: ["agent"],
  tool: ["tool"],
};

/**
 * What a tripped breaker can do to each entity, besides `notify`: pause an agent, require approval for each use of an
 * agent's tools or of a tool, or send an entry back to review.
 */
const ACTIONS: Readonly<Record<BreakerEntityType, readonly BreakerAction[]>> = {
  agent: ["pause_assistant", "require_approval"],
  kb_entry: ["require_approval"],
  channel: [],
  tool: ["require_approval"],
};

/** The action on an entity under this setting: `notify` where the set action does not apply to it. */
export const actionOn = (entityType: BreakerEntityType, action: BreakerAction): BreakerAction =>
  ACTIONS[entityType].includes(action) ? action : "notify";

/** Whether the action applies to at least one of the entities that the metric watches. */
export const acts = (metric: WatchedMetric, action: BreakerAction): boolean =>
  action === "notify" || WATCHES[metric].some((type) => ACTIONS[type].includes(action));

/**
 * By default breakers only notify, but an entry whose answers do not help goes back to review. Handoffs are not watched: handing
 * over is part of an assistant's work.
 */
export const DEFAULTS: readonly BreakerSetting[] = [
  { metric: "answer", enabled: true, threshold: 0.5, windowDays: 30, minimumSample: 20, action: "require_approval" },
  { metric: "csat", enabled: true, threshold: 0.3, windowDays: 30, minimumSample: 20, action: "notify" },
  { metric: "delivery", enabled: true, threshold: 0.1, windowDays: 7, minimumSample: 20, action: "notify" },
  { metric: "handoff", enabled: false, threshold: 0.5, windowDays: 30, minimumSample: 20, action: "notify" },
  { metric: "tool", enabled: true, threshold: 0.2, windowDays: 7, minimumSample: 20, action: "notify" },
];
