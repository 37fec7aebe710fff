import { Injectable } from "@nestjs/common";
import { Interval } from "@nestjs/schedule";
import { v7 as uuid } from "uuid";
import type { Happened } from "../feed/feed.queries.js";
import { FeedService, type Occurrences } from "../feed/feed.service.js";
import { FeedFollower } from "../feed/follower.js";
import { Changes } from "../platform/database/changes.js";
import { Database } from "../platform/database/database.js";
import type { Tx } from "../platform/database/transaction.js";
import { JobRunner } from "../platform/jobs/job-runner.js";
import { NoticeDueEntity } from "./notices.entity.js";
import {
  CLAIM,
  type Detail,
  DETAILS,
  LAG,
  type Recipient,
  RECIPIENTS,
  RELEASE,
  REMEMBER_MENTIONS,
  SIDES,
  WAKE,
} from "./notices.queries.js";
import { PushKind } from "./push.kind.js";
import { isQuiet } from "./quiet-hours.js";
import { type Happening, type Reason, reasonFor } from "./reason.js";
import { type Wants, wantsOf } from "./wants.js";

/** So many happenings become notices in one transaction. It is short, because the feed waits for its end. */
const HAPPENINGS = 100;
/** When a mention that nobody read is mailed. */
const MAIL_AFTER_SECONDS = 600;
/** A process that was away makes no notices of what is older. */
const OF_USE_SECONDS = 30 * 60;

interface Known {
  step: Happened;
  detail: Detail;
  happening: Happening;
}
interface Told {
  reason: Reason;
  conversationId: string | null;
  at: string;
}
interface Mention {
  conversationId: string;
  memberId: string;
  sequence: number;
  at: string;
}

/** Turns the feed of each live side into notices for its members, by the rule of `reason.ts`. */
@Injectable()
export class NoticeDispatcher {
  private readonly follower: FeedFollower<Happened>;

  constructor(
    jobs: JobRunner,
    db: Database,
    feed: FeedService,
    private readonly kind: PushKind,
    changes: Changes,
  ) {
    this.follower = new FeedFollower<Happened>(jobs, db, feed, changes, {
      name: "notices",
      table: NoticeDueEntity,
      claim: CLAIM,
      lag: LAG,
      sides: SIDES,
      wake: WAKE,
      release: RELEASE,
      read: (caller, after) => feed.happenings(caller, after, HAPPENINGS),
      store: (tx, found) => this.store(tx, found),
      goesOn: "notices go on",
    });
  }

  @Interval(1_000)
  poll(): Promise<void> {
    return this.follower.poll();
  }

  tick(): Promise<void> {
    return this.follower.tick();
  }

  /** @returns false if no member has a device or wants mails any more */
  private async store(tx: Tx, { rows }: Occurrences<Happened>): Promise<boolean> {
    const recipients = await tx.query(RECIPIENTS);
    if (!recipients.length) return false;
    const recent = rows.filter(({ secondsAgo }) => secondsAgo < OF_USE_SECONDS);
    if (!recent.length) return true;
    const known = await this.known(tx, recent);
    const mentions: Mention[] = [];
    for (const recipient of recipients) {
      const wants = wantsOf(recipient.preferences);
      const told = known.filter((one) => concerns(recipient, one));
      if (wants.notifications.mailMentions) mentions.push(...mentionsOf(recipient.memberId, told));
      const notices = noticesOf(recipient.memberId, wants, told);
      for (const device of notices.length ? recipient.devices : []) await this.kind.enqueue(tx, device, notices);
    }
    if (mentions.length) await remember(tx, mentions);
    return true;
  }

  private async known(tx: Tx, steps: readonly Happened[]): Promise<Known[]> {
    const details = await tx.query(DETAILS, {
      types: steps.map(({ resourceType }) => resourceType),
      ids: steps.map(({ resourceId }) => resourceId),
      conversationIds: steps.map(({ conversationId }) => conversationId),
      times: steps.map(({ occurredAt }) => occurredAt),
    });
    const byId = new Map(details.map((detail) => [detail.id, detail]));
    return steps.flatMap((step) => {
      const detail = byId.get(step.resourceId);
      const happening = detail && happeningOf(step, detail);
      return happening ? [{ step, detail, happening }] : [];
    });
  }
}

/** Undefined if its conversation is gone. */
function happeningOf(
  { resourceType, conversationId, state }: Happened,
  { conversation }: Detail,
): Happening | undefined {
  if (conversationId !== null && !conversation) return undefined;
  if (resourceType !== "message") return { kind: "urgent" };
  const memberIds = state?.mentions as string[] | undefined;
  if (memberIds) return { kind: "mention", memberIds };
  return conversation ? { kind: "received", conversation } : undefined;
}

/** Within reach, not done by the member, and not before their eyes. */
const concerns = ({ memberId, workspaceIds }: Recipient, { step, detail }: Known): boolean =>
  (workspaceIds === null || (step.workspaceId !== null && workspaceIds.includes(step.workspaceId))) &&
  detail.by !== memberId &&
  !detail.viewers.includes(memberId);

/** One for each conversation: the newest. */
function noticesOf(memberId: string, { notifications, quietHours }: Wants, told: readonly Known[]): Told[] {
  if (isQuiet(quietHours)) return [];
  const notices = new Map<string, Told>();
  for (const { step, happening } of told) {
    const reason = reasonFor(memberId, happening);
    const { conversationId, occurredAt: at } = step;
    if (reason && notifications[reason]) notices.set(conversationId ?? reason, { reason, conversationId, at });
  }
  return [...notices.values()];
}

/** The first in each conversation. */
function mentionsOf(memberId: string, told: readonly Known[]): Mention[] {
  const mentions = new Map<string, Mention>();
  for (const { step, detail, happening } of told) {
    const { conversationId, occurredAt: at } = step;
    const { sequence } = detail;
    if (conversationId === null || sequence === null || reasonFor(memberId, happening) !== "mentions") continue;
    if (!mentions.has(conversationId)) mentions.set(conversationId, { conversationId, memberId, sequence, at });
  }
  return [...mentions.values()];
}

async function remember(tx: Tx, mentions: readonly Mention[]): Promise<void> {
  await tx.query(REMEMBER_MENTIONS, {
    ids: mentions.map(() => uuid()),
    conversationIds: mentions.map(({ conversationId }) => conversationId),
    memberIds: mentions.map(({ memberId }) => memberId),
    sequences: mentions.map(({ sequence }) => sequence),
    times: mentions.map(({ at }) => at),
    waitSeconds: MAIL_AFTER_SECONDS,
  });
}
