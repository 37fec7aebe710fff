import { Injectable, type OnModuleInit } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { raiseAbout, settleAbout } from "../../conversations/attention/raise.js";
import { type Caller, callerId } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { notFound } from "../../platform/http/errors.js";
import { AgentEntity } from "../../knowledge/agents/agent.entity.js";
import { type Json, type Ok, ok } from "../../platform/http/json.js";
import { KbEntriesService } from "../../knowledge/kb-entries/kb-entries.service.js";
import type {
  BreakerAction,
  BreakerEntityType,
  WatchedMetric,
} from "../../platform/outcomes/circuit-breaker.entity.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { OutcomesCounted, type Touched } from "../../platform/outcomes/outcome-events.js";
import { OutcomesService } from "../../platform/outcomes/outcomes.service.js";
import { type Finding, judge } from "./sequential-test.js";
import type { CircuitBreakerDto, ListCircuitBreakersDto, ResolveCircuitBreakerDto } from "./breakers.dto.js";
import { FIND_WATCHED, listBreakers, RESOLVE, TRIP, type WatchedCounts } from "./breakers.queries.js";
import { actionOn, WATCHES } from "./breaker-rules.js";

const ATTENTION = "circuit_breaker_tripped";
const BAD: Readonly<Record<WatchedMetric, string>> = {
  answer: "answers did not help",
  csat: "ratings are low",
  delivery: "messages are not delivered",
  handoff: "conversations are handed over to people",
  tool: "calls fail",
};
const DONE: Readonly<Record<BreakerEntityType, Partial<Record<BreakerAction, string>>>> = {
  agent: {
    pause_assistant: " The agent is paused in this workspace.",
    require_approval: " Each use of its tools needs approval.",
  },
  kb_entry: { require_approval: " The entry waits for review." },
  channel: {},
  tool: { require_approval: " Each use of it needs approval." },
};
const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;

/** Circuit breakers. They trip in the transaction that counts the outcomes. */
@Injectable()
export class BreakersService implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly outcomes: OutcomesService,
    private readonly entries: KbEntriesService,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.handle(OutcomesCounted, async (tx, counted) => {
      if (await this.watch(tx, counted.touched)) counted.visible = true;
    });
  }

  /** Newest first. */
  list(
    caller: Caller,
    { state, workspaceId, limit = 500 }: ListCircuitBreakersDto,
  ): Promise<Json<CircuitBreakerDto[]>> {
    return this.db.read(caller, listBreakers(state), { workspaceId, limit });
  }

  /** Settles the outcomes that tripped it, so that only later ones can trip it again. @throws NotFoundException */
  resolve(caller: Caller, id: string, { note }: ResolveCircuitBreakerDto): Promise<Json<Ok>> {
    return this.db.transaction(caller, async (tx) => {
      await this.outcomes.takeTurn(tx);
      const [found] = await tx.query(RESOLVE, {
        id,
        note: note ?? null,
        by: callerId(caller),
      });
      if (!found) throw notFound();
      if (!found.resolved) {
        tx.changesNothingVisible();
        return ok();
      }
      await this.outcomes.settle(tx, found);
      await settleAbout(tx, { circuitBreakerId: id }, ATTENTION);
      return ok();
    });
  }

  /** @returns whether a breaker has tripped */
  private async watch(tx: Tx, touched: readonly Touched[]): Promise<boolean> {
    const ours = touched.filter(
      ({ metric, entityType }) =>
        metric in WATCHES && WATCHES[metric as WatchedMetric].includes(entityType as BreakerEntityType),
    );
    if (!ours.length) return false;
    let tripped = false;
    // Ordered by type: agents are locked before entries, as an answer does.
    for (const watched of await tx.query(FIND_WATCHED, { touched: JSON.stringify(ours) })) {
      const [totals, bads] = [new Int32Array(watched.windowDays), new Int32Array(watched.windowDays)];
      for (const [ago, total, bad] of watched.days) {
        // The day may lie in the future when clocks differ around midnight. It counts as today.
        const day = Math.max(ago, 0);
        totals[day]! += total;
        bads[day]! += bad;
      }
      const finding = judge(totals, bads, watched);
      if (finding) tripped = (await this.trip(tx, watched, finding)) || tripped;
    }
    return tripped;
  }

  private async trip(tx: Tx, watched: WatchedCounts, finding: Finding): Promise<boolean> {
    const { workspaceId, entityType, entityId, metric, threshold, windowDays } = watched;
    const action = actionOn(entityType, watched.action);
    // An answer as this agent locks it, too: it is stored before the breaker trips, or finds it tripped.
    if (entityType === "agent") await tx.findOne(AgentEntity, { id: entityId }, { lock: "no key update" });
    const id = uuid();
    const [breaker] = await tx.query(TRIP, {
      days: finding.days,
      total: finding.total,
      low: finding.low,
      id,
      workspaceId,
      entityType,
      entityId,
      metric,
      action,
      threshold,
      windowDays,
      observed: finding.bad / finding.total,
    });
    if (!breaker) return false;
    if (entityType === "kb_entry" && action === "require_approval")
      await this.entries.workflow.returnToReview(tx, entityId);
    await raiseAbout(
      tx,
      { circuitBreakerId: id },
      {
        type: ATTENTION,
        severity: action === "notify" ? "high" : "urgent",
        reason: `${(breaker.name ?? entityId).slice(0, 200)}: ${finding.bad} of ${finding.total} ${BAD[metric]} (${percent(finding.bad / finding.total)}; accepted: ${percent(threshold)}).${DONE[entityType][action] ?? ""}`,
      },
    );
    return true;
  }
}
