import { Injectable, type OnModuleInit } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { ActionApproved } from "../../assistant/pending-actions/pending-action-events.js";
import { RULES_FOR } from "../../knowledge/policies/policy-entries.queries.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { amountsOf, type Decision, MIN_APPROVALS, policyProposalOf, type Range, rangeOf } from "./policy-proposal.js";
import { GET_TOOL, HOLD_EVIDENCE, LIST_DECISIONS, PROPOSE, TAKE_TURN } from "./policy-proposals.queries.js";

/** No entry names more messages as its evidence. */
const MAX_EVIDENCE = 100;

/** Proposes policies from what people approve again and again. Nothing that a contact or a model says is part of one. */
@Injectable()
export class PolicyProposalsService implements OnModuleInit {
  constructor(private readonly events: DomainEvents) {}

  onModuleInit(): void {
    this.events.handle(ActionApproved, (tx, approved) => this.look(tx, approved));
  }

  private async look(tx: Tx, { workspaceId, tool }: ActionApproved): Promise<void> {
    const [found] = await tx.query(GET_TOOL, { workspaceId, tool });
    if (!found) return;
    const names = amountsOf(found.parameters).filter((name) => !found.proposed.includes(learnedFrom(tool, name)));
    if (!names.length) return;
    await tx.query(TAKE_TURN, { workspaceId });
    const decisions = await tx.query(LIST_DECISIONS, { workspaceId, tool, names });
    if (decisions.length < MIN_APPROVALS) return;
    for (const name of names) {
      const range = rangeOf(decisions, name);
      if (range) await this.propose(tx, workspaceId, tool, name, range);
    }
  }

  private async propose(tx: Tx, workspaceId: string, tool: string, argument: string, range: Range): Promise<void> {
    const { rules } = (await tx.read(RULES_FOR, { workspaceId, tool })).parse();
    const proposal = policyProposalOf(tool, argument, range, rules);
    if (!proposal) return;
    await tx.query(PROPOSE, {
      ...proposal,
      id: uuid(),
      workspaceId,
      tool,
      learnedFrom: learnedFrom(tool, argument),
      conditions: JSON.stringify(proposal.conditions),
      evidence: JSON.stringify(await this.evidenceOf(tx, range.approvals)),
    });
  }

  /** The messages behind the newest approvals, without those of conversations that may be about to be erased. */
  private async evidenceOf(tx: Tx, approvals: readonly Decision[]): Promise<object[]> {
    const named = new Map(
      approvals.flatMap(({ conversationId, messageId }) =>
        messageId === null ? [] : [[messageId, { conversationId, messageId }] as const],
      ),
    );
    const evidence = [...named.values()].slice(0, MAX_EVIDENCE);
    const ids = evidence.map(({ conversationId }) => conversationId);
    const held = new Set((await tx.query(HOLD_EVIDENCE, { ids })).map(({ id }) => id));
    return evidence.filter(({ conversationId }) => held.has(conversationId));
  }
}

/** What a proposal is about, as its entry keeps it. */
const learnedFrom = (tool: string, argument: string): string => `${tool} ${argument}`;
