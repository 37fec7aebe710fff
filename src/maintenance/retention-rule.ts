import type { WebchatSessionsService } from "../channels/webchat/webchat-sessions.service.js";
import type { AttachmentCleanupService } from "../conversations/attachments/attachment-cleanup.service.js";
import { type Environment, type SystemCaller, system } from "../platform/caller/caller.js";
import type { Config } from "../platform/config/config.js";
import type { Database } from "../platform/database/database.js";
import type { GlobalQuery, Query } from "../platform/database/statements.js";
import type { WebhookEndpointsService } from "../webhooks/endpoints.service.js";
import type { DeletionService } from "../contacts/deletion.service.js";
import type { Due } from "./retention.queries.js";

/** About a millisecond of work, so that no request waits for a batch (`npm run bench -- sweep`). */
export const BATCH = 500;
const UNIT_MS = { hour: 3_600_000, day: 86_400_000, month: 31 * 86_400_000 };

/** How long something is kept. */
export class Period {
  /** @param setting that replaces the period, where there is one */
  constructor(
    readonly amount: number,
    readonly unit: "hour" | "day" | "month",
    readonly setting?: string,
  ) {}

  /** As PostgreSQL and docs/privacy.md write it: `25 hours`. */
  get text(): string {
    return `${this.amount} ${this.unit}${this.amount === 1 ? "" : "s"}`;
  }

  /** Such a period ago, by this process's clock. For files, which know no database time. */
  ago(): Date {
    return new Date(Date.now() - this.amount * UNIT_MS[this.unit]);
  }
}

/** What the daily task counts, by name. */
export type Counts = Partial<
  Record<
    | "identityEvents"
    | "auditEntries"
    | "securityEvents"
    | "idempotencyKeys"
    | "drafts"
    | "bulkActions"
    | "assistantRuns"
    | "suggestions"
    | "pendingActions"
    | "learningEvidence"
    | "learningOrigins"
    | "magicLinks"
    | "oneTimeCodes"
    | "mailDeliveries"
    | "mailTokens"
    | "eidRequests"
    | "loginAttempts"
    | "rateWindows"
    | "memberSessions"
    | "memberLinks"
    | "removedMembers"
    | "webchatSessions"
    | "changes"
    | "webhookDeliveries"
    | "pendingSignIns"
    | "attachments"
    | "strayFiles"
    | "deletedContacts"
    | "deletedContactsEvents",
    number
  >
>;

/** What a rule's `remove` works with. */
export interface RetentionTools {
  db: Database;
  attachments: AttachmentCleanupService;
  deletions: DeletionService;
  webchat: WebchatSessionsService;
  webhooks: WebhookEndpointsService;
  config: Config;
  /** True once the process shuts down: return after the current batch. */
  stopping: () => boolean;
}
/** One side of one tenant. */
export interface Side {
  id: string;
  environment: Environment;
}

interface Rule {
  /** What is deleted, in the words of docs/privacy.md. */
  data: string;
  tables: readonly string[];
  keptFor: Period;
  /** When the period begins. */
  after: string;
  why: string;
  /**
   * The `.sql` file that has the period too. Its function runs as the owner of the schema and takes no period, so that the
   * application cannot delete younger rows. Change it there as well; a test compares.
   */
  alsoIn?: string;
}
/** Deletes, batch by batch, what is due on one side. */
interface SideRule extends Rule {
  per: "side";
  remove(tools: RetentionTools, side: Side, keptFor: Period): Promise<Counts>;
}
/** Deletes what is due in tables that belong to no tenant. */
interface InstallationRule extends Rule {
  per: "installation";
  remove(tools: RetentionTools, keptFor: Period): Promise<Counts>;
}
/** Deleted by the part of the code that `by` names, not by the daily task. */
interface ForeignRule extends Rule {
  per: "elsewhere";
  by: string;
}
export type RetentionRule = SideRule | InstallationRule | ForeignRule;

/** Deletes batch by batch, each in a transaction of its own. @returns how many rows */
export function deleteDue(
  tools: RetentionTools,
  side: Side,
  statement: Query<Due, unknown>,
  keptFor: Period,
): Promise<number> {
  const caller: SystemCaller = system("sweep", side.id, side.environment);
  return inBatches(tools, () =>
    tools.db.transaction(
      caller,
      async (tx) => (await tx.query(statement, { keptFor: keptFor.text, batch: BATCH })).length,
    ),
  );
}

export const countRemoved = async (
  db: Database,
  statement: GlobalQuery<{ keptFor: string }, unknown, "control">,
  keptFor: Period,
): Promise<number> => (await db.global(statement, { keptFor: keptFor.text })).length;

/** @param batch deletes up to `BATCH` rows and returns how many */
export async function inBatches({ stopping }: RetentionTools, batch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let removed = BATCH; removed === BATCH && !stopping(); total += removed) removed = await batch();
  return total;
}
