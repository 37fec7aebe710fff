import { one, projection, toNamed } from "../../platform/database/statement.js";
import type { BreakerAction } from "../../platform/outcomes/circuit-breaker.entity.js";
import { Parameter, sql } from "../../platform/database/sql.js";
import { openBreaker } from "../../platform/outcomes/tripped-breakers.js";
import { IN_VISIBLE_WORKSPACE, type Kind, LIFE } from "../review/entries.queries.js";
import { sameAnswer } from "../review/same-answer.js";
import type { Searched } from "../review/search.queries.js";
import type { Condition } from "./conditions.js";
import type { PolicyEntryDto } from "./policy-entries.dto.js";
import type { DemandedLevel, Effect } from "./policy-entry.entity.js";

export const POLICY_ENTRIES: Kind<PolicyEntryDto> = {
  name: "policy-entries",
  table: "policy_entry",
  projection: projection<PolicyEntryDto>({
    ...LIFE,
    title: "r.title",
    rule: "r.rule",
    category: "r.category",
    effect: "r.effect",
    tools: "r.tools",
    conditions: "r.conditions",
    requiredAssuranceLevel: "r.required_assurance_level",
    priority: "r.priority",
  }),
  content: [
    "title",
    "rule",
    "category",
    "effect",
    "tools",
    "conditions",
    "requiredAssuranceLevel",
    "priority",
    "validUntil",
  ],
};

/** What it is found by, and what it then says. */
export type PolicySaid = Pick<PolicyEntryDto, "title" | "rule" | "effect">;

export const POLICIES_SEARCHED: Searched<PolicyEntryDto, PolicySaid> = {
  kind: POLICY_ENTRIES,
  index: { said: "policy_text", postings: "policy_posting" },
  question: ({ title }) => title,
  agree: (one, other) => one.effect === other.effect && sameAnswer(one.rule, other.rule),
};

/** A rule about the tool, whether its conditions hold or not. */
export interface Rule {
  id: string;
  title: string;
  rule: string;
  effect: Effect;
  priority: number;
  conditions: Condition | null;
  requiredAssuranceLevel: DemandedLevel | null;
}

/** What holds the agent or the tool back, whatever the rules say. */
export interface Held {
  paused: boolean;
  breakers: { id: string; entityType: "agent" | "tool"; action: "pause_assistant" | "require_approval" }[];
}
export interface RulesFor extends Held {
  rules: Rule[];
}

const BREAKERS = ["pause_assistant", "require_approval"]
  .map((action) => toNamed(openBreaker("agent", sql`${new Parameter("agentId")}::uuid::text`, action as BreakerAction)))
  .concat(toNamed(openBreaker("tool", sql`${new Parameter("tool")}::text`, "require_approval")));
/** Found by the tool, and each then by its id: what is about other tools is not looked at. Nothing where the agent does not work in the workspace. */
export const RULES_FOR = one<RulesFor, { workspaceId: string; tool: string; agentId?: string }>(
  "policy-entries.rules",
  "workspace",
  `select
    (select coalesce(json_agg(i), '[]') from (
      select r.id, r.title, r.rule, r.effect, r.priority, r.conditions, r.required_assurance_level as "requiredAssuranceLevel"
      from policy_tool t cross join lateral (select e.* from policy_entry e where e.tenant_id = t.tenant_id and e.id = t.entry_id limit 1) r
      where t.tenant_id = :tenant and t.workspace_id = :workspaceId and t.tool in (:tool, '*') and (r.valid_until is null or r.valid_until > now())
      order by r.priority desc, r.id) i) as rules,
    coalesce(a.status = 'paused', false) as paused,
    (select coalesce(json_agg(i order by i.id), '[]') from (${BREAKERS.map((breaker) => `select b.id, b.entity_type as "entityType", b.action from circuit_breaker b where ${breaker} and b.workspace_id = :workspaceId`).join(" union all ")}) i) as breakers
  from (select) here left join agent a on a.tenant_id = :tenant and a.id = :agentId::uuid
  where ${IN_VISIBLE_WORKSPACE} and (:agentId::uuid is null or a.kind = 'platform' or exists (select from agent_workspace p where p.tenant_id = :tenant and p.agent_id = a.id and p.workspace_id = :workspaceId))`,
);
