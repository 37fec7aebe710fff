import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { Raw } from "typeorm";
import type { SystemCaller } from "../platform/caller/caller.js";
import { Database } from "../platform/database/database.js";
import type { DueQueue } from "../platform/jobs/due-queue.js";
import { JobRunner } from "../platform/jobs/job-runner.js";
import { MentionMailKind } from "./mention-mail.kind.js";
import { UnreadMentionEntity } from "./notices.entity.js";
import { CLAIM_MENTIONS, type DueMention, MENTION_MAIL, MENTIONS_LAG } from "./notices.queries.js";
import { endOfQuiet, isQuiet } from "./quiet-hours.js";
import { wantsOf } from "./wants.js";

const LEASE_SECONDS = 30;
const CONCURRENCY = 4;
const BATCH = 20;

/** Mails members what names them, ten minutes later, if they have not read it by then. */
@Injectable()
export class MentionMailsJob {
  private readonly queue: DueQueue<DueMention>;

  constructor(
    jobs: JobRunner,
    private readonly db: Database,
    private readonly kind: MentionMailKind,
  ) {
    this.queue = jobs.queue<DueMention>({
      name: "mentions",
      claim: (room) => jobs.acrossTenants(CLAIM_MENTIONS, { ...room, leaseSeconds: LEASE_SECONDS }),
      lag: MENTIONS_LAG,
      concurrency: CONCURRENCY,
      batch: BATCH,
      work: (caller, mention) => this.mail(caller, mention),
    });
  }

  @Interval(5_000)
  tick(): Promise<void> {
    return this.queue.tick();
  }

  /** The row and the mail in one transaction, so that each is mailed once. Opening the conversation deletes the row first, or waits. */
  private mail(caller: SystemCaller, { id, until }: DueMention): Promise<void> {
    return this.db.transaction(caller, async (tx) => {
      tx.changesNothingVisible();
      const leased = { id, dueAt: Raw((column) => `${column} = :until::timestamptz`, { until }) };
      const [mention] = await tx.deleteReturning(UnreadMentionEntity, leased, [
        "memberId",
        "conversationId",
        "sequence",
      ]);
      if (!mention) return;
      const [found] = await tx.query(MENTION_MAIL, mention);
      if (!found) return;
      const { notifications, quietHours } = wantsOf(found.preferences);
      if (!notifications.mailMentions) return;
      if (quietHours && isQuiet(quietHours))
        await tx.insert(UnreadMentionEntity, { id, ...mention, dueAt: endOfQuiet(quietHours) });
      else await this.kind.enqueue(tx, found.email, mention);
    });
  }
}
