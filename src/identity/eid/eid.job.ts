import { Injectable, Logger } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { system } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { type EidAnswer, EidProvider } from "./eid-provider.js";
import { type Ending, EidRequests } from "./eid-requests.js";

const MOST_AT_ONCE = 50;
/** A process that dies over a request leaves it to others after this. No poll takes as long. */
const LEASE_SECONDS = 30;
/** What a provider that says "slower" wants to be added to the interval. */
const SLOWER_SECONDS = 5;

interface Due {
  tenantId: string;
  id: string;
}

/** Polls for the answers to prompts, and ends requests that nobody answered. Any number of processes share the work: each request is one's at a time. */
@Injectable()
export class EidJob {
  private readonly log = new Logger("eid");
  private underWay = 0;

  constructor(
    private readonly db: Database,
    private readonly requests: EidRequests,
    private readonly provider: EidProvider,
  ) {}

  /** Does not wait for the one before: a provider that takes its time keeps nobody waiting for the others. */
  @Interval(1_000)
  async tick(): Promise<void> {
    const room = MOST_AT_ONCE - this.underWay;
    this.underWay += room;
    const claimed = await this.claim(room).catch((error: unknown) => {
      this.log.warn(`requests cannot be read: ${(error as Error).message}`);
      return [];
    });
    this.underWay -= room - claimed.length;
    await Promise.all(
      claimed.map((one) =>
        this.lookAfter(one)
          .catch((error: unknown) =>
            this.log.warn(`request ${one.id} is looked after again later: ${(error as Error).message}`),
          )
          .finally(() => {
            this.underWay--;
          }),
      ),
    );
  }

  private claim(most: number): Promise<Due[]> {
    return this.db.global<Due>(
      `update eid_due set due_at = clock_timestamp() + make_interval(secs => $1)
      where (tenant_id, request_id) in (
        select n.tenant_id, n.request_id from eid_due n where n.due_at <= clock_timestamp() order by n.due_at limit $2 for update skip locked)
      returning tenant_id as "tenantId", request_id as id`,
      [LEASE_SECONDS, most],
    );
  }

  private async lookAfter({ tenantId, id }: Due): Promise<void> {
    // Which side it is on makes no difference to what is done here.
    const caller = system("eid", tenantId, "live");
    const request = await this.requests.find<{ authReqId: string }>(caller, id);
    if (request?.status !== "pending") {
      await this.db.global("delete from eid_due where tenant_id = $1 and request_id = $2", [tenantId, id]);
      return;
    }
    const { expired, mode, scheme, secret } = request;
    // A scheme that is gone, or another one by now, can confirm nothing. Of a link only the end is looked after.
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
        [tenantId, id, answer === "slower" ? SLOWER_SECONDS : 0],
      );
    }
  }
}

const isFinal = (answer: EidAnswer): answer is Ending =>
  typeof answer === "object" || !["waiting", "slower", "unknown"].includes(answer);
