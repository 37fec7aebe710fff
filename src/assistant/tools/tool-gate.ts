import { createHash } from "node:crypto";
import { Injectable, NotFoundException } from "@nestjs/common";
import { ASSURANCE_LEVELS, type DemandedLevel } from "../../conversations/assurance-level.js";
import type { DoneField } from "../../knowledge/policies/done.js";
import { EvaluationService } from "../../knowledge/policies/evaluation.service.js";
import type { Tx } from "../../platform/database/transaction.js";
import { namedEnum } from "../../platform/enums/named-enum.js";
import {
  boundOf,
  type BoundValue,
  canonical,
  faultOfArguments,
  isObject,
  MAX_ARGUMENT_BYTES,
  type Schema,
  storable,
} from "./argument-schema.js";
import { BUILT_IN, isBuiltIn } from "./built-in.js";
import { COUNT_DONE, LOCK_DONE } from "./done.queries.js";
import type { Bound } from "./tool-calls.queries.js";
import type { ToolEffect } from "./tool.entity.js";

export const VERDICTS = namedEnum("CallVerdict", "What was decided about a call of a tool.", {
  allow: "it is made",
  deny: "it is not made",
  escalate: "a person takes over",
  verify: "the contact has to prove who they are first",
  require_approval: "a person has to approve it",
});

/** What the policies, the guardrails, the breakers and the assurance level say about a call. */
export interface Verdict {
  /** `verify`: the contact has to prove who they are first. */
  effect: (typeof VERDICTS)[number];
  /** The decision in a sentence. */
  reason: string;
  requiredAssuranceLevel: DemandedLevel | null;
  /** The policies that apply and have the effect that was decided on, the deciding one first. None if something else decided. */
  policyEntryIds: string[];
}

/** Where a call is noted before it is decided about again. */
export interface Noted {
  runId?: string | null;
  actionId?: string | null;
  /** It is only looked at what would be decided: no use of a policy is counted. */
  played?: boolean;
}

/** A call whose arguments are valid. */
export interface Checked {
  effect: ToolEffect;
  /** It needs a value of the contact, and nothing proves that the contact wrote. It cannot be made as it stands. */
  lacksProof: boolean;
  arguments: Record<string, unknown>;
  /** SHA-256 of all that a decision about it rests on. */
  hash: string;
}

const GONE = {
  effect: "deny",
  reason: "The agent does not work in the workspace",
  requiredAssuranceLevel: null,
  decidedBy: null,
  applying: [],
} as const;
const TAINTED = "An argument may come out of a tool's answer";

/** Says whether a call may be made. It calls nothing and writes nothing. */
@Injectable()
export class ToolGate {
  constructor(private readonly evaluation: EvaluationService) {}

  /** @returns what is wrong, as a sentence, or the call as it would be made */
  check(tenantId: string, tool: string, given: unknown, bound: Bound): string | Checked {
    const { tool: own, contact, conversationId, policies } = bound;
    const builtIn = isBuiltIn(tool) ? BUILT_IN[tool] : undefined;
    if (!bound.tools.includes(tool) || !(builtIn ?? own)) return `There is no tool ${tool.slice(0, 100)}`;
    const schema = (builtIn?.parameters ?? own!.parameters) as Schema;
    if (typeof given !== "object" || given === null || Array.isArray(given)) return "The arguments must be an object";
    const size = sizeOf(given);
    if (size === undefined || size > MAX_ARGUMENT_BYTES)
      return `The arguments must be at most ${MAX_ARGUMENT_BYTES / 1_024} KiB of JSON`;
    const values = storable(given) as Record<string, unknown>;
    const proven = isProven(bound);
    let lacksProof = false;
    for (const [property, value] of boundOf(schema)) {
      const filled = proven ? valueOf(bound, value) : null;
      if (filled !== null) {
        values[property] = filled;
        continue;
      }
      delete values[property];
      if (!((schema.required ?? []) as string[]).includes(property)) continue;
      if (proven) return `The tool needs ${value}, which is not known`;
      lacksProof = true;
    }
    const version = builtIn ? 0 : own!.version;
    const fault = lacksProof ? undefined : faultOfArguments(`${builtIn ? tool : own!.id} ${version}`, schema, values);
    if (fault !== undefined) return fault;
    const about = {
      tool: { name: tool, id: own?.id ?? null, version },
      arguments: values,
      tenantId,
      conversationId,
      contactId: contact.id,
      policies,
    };
    return {
      effect: builtIn?.effect ?? own!.effect,
      lacksProof,
      arguments: values,
      hash: createHash("sha256").update(canonical(about)).digest("hex"),
    };
  }

  /**
   * Conditions about what was done count the call as if it were made. If it is, it has to be noted in the same transaction.
   * @param own what has noted this call already, and does not count
   */
  async decide(tx: Tx, tool: string, checked: Checked, bound: Bound, tainted: boolean, own: Noted): Promise<Verdict> {
    // What only reads approved entries, or gives the matter to people, needs nobody's leave.
    if (isBuiltIn(tool) && checked.effect === "read")
      return { effect: "allow", reason: "It changes nothing", requiredAssuranceLevel: null, policyEntryIds: [] };
    const { workspaceId, agentId, level } = bound;
    const guardrails = bound.guardrails
      .filter(({ tools }) => !tools.length || tools.includes(tool))
      .map(({ name, effect, conditions, requiredAssuranceLevel }) => ({
        id: name,
        title: name,
        rule: name,
        effect,
        priority: 0,
        conditions,
        requiredAssuranceLevel,
      }));
    const context = contextOf(tool, checked, bound);
    const { effect, reason, requiredAssuranceLevel, decidedBy, applying } = await this.evaluation
      .decide(tx, {
        workspaceId,
        tool,
        agentId,
        guardrails,
        context,
        counts: !own.played,
        done: (fields) => doneWith(tx, tool, checked, bound, own, fields),
      })
      .catch((error: unknown) => {
        if (error instanceof NotFoundException) return GONE;
        throw error;
      });
    const behind = decidedBy === null ? [] : applying.filter((rule) => rule.effect === effect);
    // Only a policy can say that a write needs no identity.
    const isUnruledWrite = checked.effect === "write" && !isBuiltIn(tool) && !applying.length;
    const demanded = requiredAssuranceLevel ?? (checked.lacksProof || isUnruledWrite ? "identified" : null);
    const decided = { reason, requiredAssuranceLevel: demanded, policyEntryIds: behind.map(({ id }) => id) };
    if (effect === "deny" || effect === "escalate") return { effect, ...decided };
    if (demanded && ASSURANCE_LEVELS.indexOf(level) < ASSURANCE_LEVELS.indexOf(demanded))
      return { effect: "verify", ...decided };
    if (effect === "allow" && tainted && checked.effect === "write")
      return { effect: "require_approval", ...decided, reason: TAINTED, policyEntryIds: [] };
    return { effect, ...decided };
  }
}

/** @returns what was done for the contact in each period, with this call */
async function doneWith(
  tx: Tx,
  tool: string,
  { arguments: values, hash }: Checked,
  { contact, workspaceId }: Bound,
  { runId = null, actionId = null }: Noted,
  fields: readonly DoneField[],
): Promise<(number | undefined)[]> {
  await tx.query(LOCK_DONE, { contactId: contact.id });
  const wanted = JSON.stringify(fields.map(({ tool: of, path, seconds }, n) => ({ n, tool: of, path, seconds })));
  const before = await tx.query(COUNT_DONE, { contactId: contact.id, workspaceId, wanted, runId, actionId, hash });
  return fields.map(({ tool: of, path }, n) => {
    const { count, sum } = before[n]!;
    const now = of === tool ? (path ? valueAt(values, path) : 1) : 0;
    return now === undefined ? undefined : (path ? sum : count) + now;
  });
}

function valueAt(value: unknown, path: readonly string[]): number | undefined {
  for (const name of path) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof value === "number" ? value : undefined;
}

/** In bytes of JSON; undefined for what is no JSON, or nested too deep to be written. */
function sizeOf(value: unknown): number | undefined {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

/** Somebody whom nothing proves to be the contact gets nothing of the contact's, unless they have proven it in the conversation. */
export const isProven = ({ senderProof, level }: Bound): boolean => senderProof !== "none" || level !== "none";

function valueOf({ contact, conversationId }: Bound, value: BoundValue): string | null {
  switch (value) {
    case "contact.id":
      return contact.id;
    case "contact.externalId":
      return contact.externalId;
    case "contact.email":
      return contact.emails[0] ?? null;
    case "contact.phone":
      return contact.phones[0] ?? null;
    case "conversation.id":
      return conversationId;
  }
}

/** What conditions are checked against: the arguments by their names, and what the server knows, which no argument can replace. */
function contextOf(tool: string, { arguments: values, effect }: Checked, bound: Bound): Record<string, unknown> {
  const { contact, conversationId, channelType, priority, labels, level, senderProof } = bound;
  return {
    ...values,
    arguments: values,
    tool: { name: tool, effect },
    done: {},
    // A condition about a contact whom nothing proves is one that the context does not tell.
    ...(isProven(bound) && { contact: { ...contact, email: contact.emails[0], phone: contact.phones[0] } }),
    conversation: { id: conversationId, channelType, priority, labels, assuranceLevel: level, senderProof },
  };
}
