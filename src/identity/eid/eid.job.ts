import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { DueQueue, DueRow } from "../../platform/jobs/due-queue.js";
import { JobRunner } from "../../platform/jobs/job-runner.js";
import { type EidAnswer, EidProvider } from "./eid-provider.js";
import { type Ending, EidRequests } from "./eid-requests.js";

const CONCURRENCY = 50;
/** Longer than any poll takes. */
const LEASE_SECONDS = 30;
/** Added to a request's interval when the provider answers "slow down". */
const SLOW_DOWN_SECONDS = 5;

const CLAIM = `update eid_due set due_at = clock_timestamp() + make_interval(secs => $1)
  where (tenant_id, request_id) in (
    select n.tenant_id, n.request_id from eid_due n where n.due_at <= clock_timestamp() order by n.due_at limit $2 for update skip locked)
  returning tenant_id as "tenantId", request_id as id`;

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
      claim: (limit) => ({ sql: CLAIM, values: [LEASE_SECONDS, limit] }),
      concurrency: CONCURRENCY,
      work: (caller, due) => this.poll(caller, due),
    });
  }

  /** Does not wait for the tick before: a slow provider does not delay the requests of others. */
  @Interval(1_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }

  private async poll(caller: SystemCaller, { tenantId, id }: DueRow): Promise<void> {
    const request = await this.requests.find<{ authReqId: string }>(caller, id);
    if (request?.status !== "pending") {
      await this.db.global("delete from eid_due where tenant_id = $1 and request_id = $2", [tenantId, id]);
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
    if (isFinal(answer)) await this.db.transaction(caller, (tx) => this.requests.end(tx, id, answer));
    else {
      await this.db.global(
        "update eid_due set interval_seconds = interval_seconds + $3::int, due_at = least(clock_timestamp() + make_interval(secs => interval_seconds + $3::int), ends_at) where tenant_id = $1 and request_id = $2",
        [tenantId, id, answer === "slower" ? SLOW_DOWN_SECONDS : 0],
      );
    }
  }
}

const isFinal = (answer: EidAnswer): answer is Ending =>
  typeof answer === "object" || !["waiting", "slower", "unknown"].includes(answer);
