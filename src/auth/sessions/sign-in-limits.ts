import { createHmac, hash, hkdfSync } from "node:crypto";
import { HttpException, Injectable } from "@nestjs/common";
import { type Environment, system } from "../../platform/caller/caller.js";
import { beginRequest, type Sender } from "../../platform/caller/request-context.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { RetryLater } from "../../platform/http/errors.js";
import { clientOf } from "../../platform/http/rate-limit.js";
import { Afterwards } from "../../platform/jobs/afterwards.js";
import type { SecurityEventDetail, SecurityEventType } from "../security-log/security-event.js";
import { SecurityLogService } from "../security-log/security-log.service.js";
import { findMembers } from "./find-members.js";
import {
  COUNT_ATTEMPT,
  COUNT_FAILURE,
  FORGET_ATTEMPT,
  MAX_FAILURES_OF_ADDRESS,
  MAX_FAILURES_OF_PAIR,
  UNCOUNT_ADDRESS,
  UNCOUNT_ATTEMPT,
} from "./sign-in-limits.queries.js";

/** So many failures of one account within 15 minutes, from any addresses, are an event of its own. */
const MANY_FAILURES = 30;

/** Who tries to sign in to which account. */
export interface Attempt {
  email: string;
  environment: Environment;
  sender: Sender;
}

/**
 * Limits guesses at passwords for each pair of account and client address, and for each address. No account is ever
 * locked as a whole, because then a stranger could lock anybody out.
 */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly db: Database,
    private readonly afterwards: Afterwards,
    private readonly security: SecurityLogService,
    private readonly config: Config,
  ) {}

  /**
   * Call this before the password is compared: of any number of simultaneous guesses, no more than the limit are compared.
   * @throws RetryLater: ten sign-ins of this account from this address have failed within 15 minutes, or fifty from this address
   */
  async count(attempt: Attempt): Promise<void> {
    const [counted] = await this.db.global(COUNT_ATTEMPT, subjectsOf(attempt));
    const { pair, address } = counted!;
    const [limit, over, max] = address
      ? (["address", address, MAX_FAILURES_OF_ADDRESS] as const)
      : (["account and address", pair, MAX_FAILURES_OF_PAIR] as const);
    if (over.attempts <= max) return;
    // Once a window, not once for each further attempt.
    if (over.attempts === max + 1)
      this.afterwards.do(() => this.tell("locked", attempt, { limit, seconds: over.wait }));
    throw new RetryLater("Too many failed sign-ins; wait before the next", Math.max(over.wait, 1));
  }

  /**
   * Counts an attempt and makes it. If it ends because something is down, it says nothing of the password, and does not count: people
   * who try again and again during an outage would be locked out behind it.
   * @throws RetryLater as `count`
   */
  async counted<T>(attempt: Attempt, make: () => Promise<T>): Promise<T> {
    await this.count(attempt);
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof HttpException))
        await this.db.global(UNCOUNT_ATTEMPT, subjectsOf(attempt)).catch(() => undefined);
      throw error;
    }
  }

  /** The password was right. */
  async forget(attempt: Attempt): Promise<void> {
    await this.db.global(FORGET_ATTEMPT, subjectsOf(attempt));
  }

  /** The password was right, and a second factor is still to come. The try stays counted for the pair. */
  async passwordWasRight(attempt: Attempt): Promise<void> {
    await this.db.global(UNCOUNT_ADDRESS, { address: subjectsOf(attempt).address });
  }

  /** The password was wrong. What follows does not hold up the answer, which would tell that the email is known. */
  failed(attempt: Attempt): void {
    this.afterwards.do(async () => {
      await this.tell("sign_in_failed", attempt);
      const [row] = await this.db.global(COUNT_FAILURE, { account: hash("sha256", `account ${attempt.email}`) });
      if (row!.attempts === MANY_FAILURES) await this.tell("many_failures", attempt, { failures: MANY_FAILURES });
    });
  }

  /** Members who have this email see the event. If there are none, only the process log has it, without the email. */
  private async tell(type: SecurityEventType, attempt: Attempt, detail: SecurityEventDetail = {}): Promise<void> {
    const { email, environment, sender } = attempt;
    const members = await findMembers(this.db, email, environment);
    if (!members.length) {
      const key = Buffer.from(hkdfSync("sha256", this.config.secretKeys[0]!, "", "parley unknown emails", 32));
      const account = createHmac("sha256", key).update(email).digest("hex").slice(0, 16);
      this.security.recordUnowned(type, sender, { account, environment, ...detail });
    }
    for (const { tenantId, memberId } of members)
      await this.db.transaction(beginRequest(system("login", tenantId, environment), "login", sender), async (tx) => {
        tx.changesNothingVisible();
        await this.security.record(tx, { type, memberId, detail });
      });
  }
}

function subjectsOf({ email, sender }: Attempt): { pair: string; address: string } {
  const client = clientOf(sender.address);
  return { pair: hash("sha256", `pair ${client} ${email}`), address: hash("sha256", `address ${client}`) };
}
