import { Injectable } from "@nestjs/common";
import { JobRunner } from "../jobs/job-runner.js";
import { Metrics } from "../metrics/metrics.js";
import { DEPTH } from "./outbox.queries.js";
import { OutboxService } from "./outbox.service.js";

const NOTHING = { waiting: 0, parked: 0, age: 0 };

/** What `/metrics` shows of the outbox: how much waits, since when, and what became of the attempts. */
@Injectable()
export class OutboxMetrics {
  /** Tells the outcome of an attempt to send a message of a kind. */
  readonly attempted: (kind: string, result: "sent" | "postponed" | "dead") => void;

  constructor(
    metrics: Metrics,
    private readonly jobs: JobRunner,
    private readonly outbox: OutboxService,
  ) {
    const attempts = metrics.counter("parley_outbox_attempts_total", "Attempts to send a message, by their outcome", [
      "kind",
      "result",
    ]);
    this.attempted = (kind, result) => {
      attempts.inc({ kind, result });
    };
    const read = metrics.shared(() => this.depth());
    metrics.gauge(
      "parley_outbox_messages",
      "Messages in the outbox that are not sent yet: waiting, or parked because their channel is disabled",
      async () =>
        (await read()).flatMap(({ kind, waiting, parked }) => [
          { labels: { kind, state: "waiting" }, value: waiting },
          { labels: { kind, state: "parked" }, value: parked },
        ]),
      ["kind", "state"],
    );
    metrics.gauge(
      "parley_outbox_oldest_age_seconds",
      "How long the oldest waiting message has waited to be sent",
      async () => (await read()).map(({ kind, age }) => ({ labels: { kind }, value: age })),
      ["kind"],
    );
  }

  /** Every kind is there, also where nothing waits: an alert must not confuse that with a metric that is missing. */
  private async depth() {
    const rows = await this.jobs.acrossTenants(DEPTH);
    return this.outbox.kindNames.map((kind) =>
      rows
        .filter((row) => row.kind === kind)
        .reduce(
          (sum, { waiting, parked, age }) => ({
            kind,
            waiting: sum.waiting + waiting,
            parked: sum.parked + parked,
            age: Math.max(sum.age, age),
          }),
          { ...NOTHING, kind },
        ),
    );
  }
}
