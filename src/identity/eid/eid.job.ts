import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { sql } from "../../platform/database/sql.js";
import { globalQuery } from "../../platform/database/statements.js";
import type { DueQueue, DueRow } from "../../platform/jobs/due-queue.js";
import { dueInTurn, lagOf, type Room } from "../../platform/jobs/due-rows.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { type EidAnswer, EidProvider } from "./eid-provider.js";
import { type Ending, EidRequests } from "./eid-requests.js";

const CONCURRENCY = 50;
/** Longer than any poll takes. */
const LEASE_SECONDS = 30;
/** Added to a request's interval when the provider answers "slow down". */
const SLOW_DOWN_SECONDS = 5;

const CLAIM = globalQuery<Room & { leaseSeconds: number }, DueRow>()(
  "eidJob.claim",
  "everywhere",
  (room) => sql`
    update eid_due set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds})
    where (tenant_id, request_id) in (
      ${dueInTurn({ table: sql`eid_due`, id: sql`request_id` }, room)}
    )
    returning tenant_id as "tenantId", request_id as id`,
);
const LAG = lagOf("eidJob", sql`eid_due`);
const FORGET = globalQuery<{ tenantId: string; requestId: string }>()(
  "eidJob.forget",
  "tenant",
  ({ tenantId, requestId }) => sql`delete from eid_due where tenant_id = ${tenantId} and request_id = ${requestId}`,
);
const POLL_LATER = globalQuery<{ tenantId: string; requestId: string; moreSeconds: number }>()(
  "eidJob.pollLater",
  "tenant",
  ({ tenantId, requestId, moreSeconds }) => sql`
    update eid_due
    set interval_seconds = interval_seconds + ${moreSeconds}::int,
      due_at = least(
        clock_timestamp() + make_interval(secs => interval_seconds + ${moreSeconds}::int), ends_at)
    where tenant_id = ${tenantId} and request_id = ${requestId}`,
);

/** Polls the providers for answers to eID requests, and ends requests that expired. */
@Injectable()
export class EidJob {
  private readonly queue: DueQueue<DueRow>;

  constructor(
    jobs: JobRunner,
    private readonly db: Database,
    private readonly requests: EidRequests,
    private readonly provider: EidProvider,
  ) {
    this.queue = jobs.queue({
      name: "eid",
      claim: (room) => jobs.acrossTenants(CLAIM, { leaseSeconds: LEASE_SECONDS, ...room }),
      lag: LAG,
      concurrency: CONCURRENCY,
      work: (caller, due) => this.poll(caller, due),
    });
  }

  /** Does not wait for the tick before: a slow provider does not delay the requests of others. */
  @Interval(1_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }

  private async poll(caller: SystemCaller, { tenantId, id: requestId }: DueRow): Promise<void> {
    const request = await this.requests.find<{ authReqId: string }>(caller, requestId);
    if (request?.status !== "pending") {
      await this.db.globalOf(tenantId, FORGET, { tenantId, requestId });
      return;
    }
    const { expired, mode, scheme, secret } = request;
    // A scheme that was removed or replaced can confirm nothing. A link is not polled; it only expires.
    const answer =
      expired || !scheme
        ? "expired"
        : mode === "link"
          ? "waiting"
          : await this.provider.poll(scheme, secret!.authReqId);
    if (isFinal(answer)) await this.db.transaction(caller, (tx) => this.requests.end(tx, requestId, answer));
    else {
      const moreSeconds = answer === "slower" ? SLOW_DOWN_SECONDS : 0;
      await this.db.globalOf(tenantId, POLL_LATER, { tenantId, requestId, moreSeconds });
    }
  }
}

const isFinal = (answer: EidAnswer): answer is Ending =>
  typeof answer === "object" || !["waiting", "slower", "unknown"].includes(answer);
