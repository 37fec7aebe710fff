import type { DemandedLevel } from "../../conversations/assurance-level.js";
import { joined, sql, TENANT } from "../../platform/database/sql.js";
import { one, projection } from "../../platform/database/statements.js";
import { openBreaker } from "../../platform/outcomes/tripped-breakers.js";
import { isVisibleWorkspace, type Kind, OMITTED, REVIEWED_FIELDS } from "../review/entries.queries.js";
import type { SearchedEntries } from "../review/entry-search.service.js";
import { reviewStatements } from "../review/review-workflow.js";
import { sameAnswer } from "../review/contradiction.js";
import { type Searched, searchesOf } from "../review/search.queries.js";
import type { Condition } from "./conditions.js";
import type { PolicyEntryDto, PolicyEntryVersionDto } from "./policy-entries.dto.js";
import type { Effect } from "./policy-entry.entity.js";

export const POLICY_ENTRIES: Kind<PolicyEntryDto> = {
  name: "policy-entries",
  table: "policy_entry",
  projection: projection<PolicyEntryDto>(
    {
      ...REVIEWED_FIELDS,
      title: sql`r.title`,
      rule: sql`r.rule`,
      category: sql`r.category`,
      effect: sql`r.effect`,
      tools: sql`r.tools`,
      conditions: sql`r.conditions`,
      requiredAssuranceLevel: sql`r.required_assurance_level`,
      priority: sql`r.priority`,
    },
    OMITTED,
  ),
  // It holds a number and names, and no words of the person. It is not to be proposed again.
  remembered: sql`(k.status = 'rejected' and k.learned_from is not null)`,
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
  lines: {
    title: "text",
    rule: "text",
    category: "text",
    effect: "text",
    tools: "list",
    conditions: "json",
    requiredAssuranceLevel: "text",
    priority: "json",
    validUntil: "text",
    status: "text",
  },
};

/** The fields that a search uses and compares. */
export type PolicySaid = Pick<PolicyEntryDto, "title" | "rule" | "effect">;

const SEARCHED: Searched<PolicyEntryDto, PolicySaid> = {
  kind: POLICY_ENTRIES,
  index: { said: "policy_text", postings: "policy_posting" },
  question: ({ title }) => title,
  agree: (one, other) => one.effect === other.effect && sameAnswer(one.rule, other.rule),
};

export const POLICY_STATEMENTS = reviewStatements<PolicyEntryDto, PolicyEntryVersionDto>(POLICY_ENTRIES);
export const POLICIES_SEARCHED: SearchedEntries<PolicyEntryDto, PolicySaid> = {
  ...SEARCHED,
  searches: searchesOf(SEARCHED),
  changes: POLICY_STATEMENTS.changes,
};

/** A rule about the tool, whether its conditions are met or not. */
export interface Rule {
  id: string;
  title: string;
  rule: string;
  effect: Effect;
  priority: number;
  conditions: Condition | null;
  requiredAssuranceLevel: DemandedLevel | null;
}

/** Reasons to restrict the agent or the tool, whatever the rules say. */
export interface Held {
  paused: boolean;
  breakers: { id: string; entityType: "agent" | "tool"; action: "pause_assistant" | "require_approval" }[];
}
export interface RulesFor extends Held {
  rules: Rule[];
}

/**
 * Finds the rules by tool and then by id, so that rules about other tools are not read. Returns no row if the agent
 * does not work in the workspace.
 */
export const RULES_FOR = one<RulesFor, { workspaceId: string; tool: string; agentId?: string }>(
  "policy-entries.rules",
  "restricted",
  ({ workspaceId, tool, agentId }) => {
    const agent = sql`${agentId}::uuid::text`;
    const breakers = [
      openBreaker("agent", agent, "pause_assistant"),
      openBreaker("agent", agent, "require_approval"),
      openBreaker("tool", sql`${tool}::text`, "require_approval"),
    ].map(
      (breaker) => sql`
          select b.id, b.entity_type as "entityType", b.action
          from circuit_breaker b where ${breaker} and b.workspace_id = ${workspaceId}`,
    );
    return sql`
      select
        (
          select coalesce(json_agg(i), '[]') from (
            select r.id, r.title, r.rule, r.effect, r.priority, r.conditions,
              r.required_assurance_level as "requiredAssuranceLevel"
            from policy_tool t cross join lateral (
              select e.* from policy_entry e where e.tenant_id = ${TENANT} and e.id = t.entry_id limit 1
            ) r
            where t.tenant_id = ${TENANT} and t.workspace_id = ${workspaceId} and t.tool in (${tool}, '*')
              and (r.valid_until is null or r.valid_until > now())
            order by r.priority desc, r.id
          ) i
        ) as rules,
        coalesce(a.status = 'paused', false) as paused,
        (
          select coalesce(json_agg(i order by i.id), '[]') from (${joined(breakers, " union all ")}) i
        ) as breakers
      from (select) here left join agent a on a.tenant_id = ${TENANT} and a.id = ${agentId}::uuid
      where ${isVisibleWorkspace(workspaceId)} and (
        ${agentId}::uuid is null or a.kind = 'platform' or exists (
          select from agent_workspace p
          where p.tenant_id = ${TENANT} and p.agent_id = a.id and p.workspace_id = ${workspaceId}
        )
      )`;
  },
);
