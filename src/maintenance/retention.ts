import { SWEEP_FEED } from "../feed/feed.queries.js";
import { system } from "../platform/caller/caller.js";
import { IDENTITY_RETENTION_MONTHS } from "../workspaces/workspace.entity.js";
import { sweepIdentityEvents } from "./identity-event-retention.js";
import {
  REMOVE_DRAFTS,
  REMOVE_ASSISTANT_RUNS,
  REMOVE_BULK_ACTIONS,
  REMOVE_EID_REQUESTS,
  REMOVE_IDEMPOTENCY_KEYS,
  REMOVE_LEARNING_EVIDENCE,
  REMOVE_LEARNING_ORIGINS,
  REMOVE_LOGIN_ATTEMPTS,
  REMOVE_MAGIC_LINKS,
  REMOVE_MAIL_DELIVERIES,
  REMOVE_MAIL_TOKENS,
  FORGET_REMOVED_MEMBERS,
  REMOVE_MEMBER_LINKS,
  REMOVE_MEMBER_SESSIONS,
  REMOVE_ONE_TIME_CODES,
  REMOVE_PENDING_ACTIONS,
  REMOVE_PENDING_SIGN_INS,
  REMOVE_RATE_WINDOWS,
  REMOVE_SUGGESTIONS,
  REMOVE_WEBHOOK_DELIVERIES,
  SWEEP_AUDIT_LOG,
  SWEEP_SECURITY_LOG,
} from "./retention.queries.js";
import { BATCH, countRemoved, deleteDue, inBatches, Period, type RetentionRule } from "./retention-rule.js";

/**
 * Everything that is deleted because of its age: what, after how long, and why. The daily task deletes it. To change a
 * period, change its row, and the table in docs/privacy.md, which a test compares with this one.
 */
export const RETENTION: readonly RetentionRule[] = [
  {
    data: "Identity events",
    tables: ["identity_event"],
    keptFor: new Period(
      IDENTITY_RETENTION_MONTHS.default,
      "month",
      `\`identityRetentionMonths\` of the workspace, ${IDENTITY_RETENTION_MONTHS.min} to ${IDENTITY_RETENTION_MONTHS.max}`,
    ),
    after: "they happened",
    why: "Evidence of who was verified how. Calendar months in UTC, from the event's own date.",
    per: "side",
    remove: async ({ db, stopping }, side) => ({
      identityEvents: await sweepIdentityEvents(db, system("sweep", side.id, side.environment), stopping),
    }),
  },
  {
    data: "Audit log entries",
    tables: ["audit_entry"],
    keptFor: new Period(24, "month"),
    after: "the change",
    why: "Who changed what can be shown for two years. It names ids and fields, never their content.",
    alsoIn: "src/audit/audit-log.sql",
    per: "side",
    remove: async (tools, side) => ({
      auditEntries: await inBatches(tools, async () => {
        const [row] = await tools.db.transaction(system("sweep", side.id, side.environment), (tx) =>
          tx.query(SWEEP_AUDIT_LOG, { batch: BATCH }),
        );
        return row!.removed;
      }),
    }),
  },
  {
    data: "Security log events, with client addresses",
    tables: ["security_event"],
    keptFor: new Period(24, "month"),
    after: "they happened",
    why: "Who signed in and whose credentials changed can be shown for as long as who changed what.",
    alsoIn: "src/auth/security-log/security-log.sql",
    per: "side",
    remove: async (tools, side) => ({
      securityEvents: await inBatches(tools, async () => {
        const [row] = await tools.db.transaction(system("sweep", side.id, side.environment), (tx) =>
          tx.query(SWEEP_SECURITY_LOG, { batch: BATCH }),
        );
        return row!.removed;
      }),
    }),
  },
  {
    data: "Deleted contacts, with the identity events that are bound to them",
    tables: ["contact", "contact_point", "identity_event"],
    keptFor: new Period(30, "day"),
    after: "the deletion",
    why: "Promised by `DELETE /api/contacts/{id}`. An erasure does not wait.",
    alsoIn: "src/identity/events/append-only.sql",
    per: "side",
    remove: async ({ deletions }, side, keptFor) => {
      const { contacts, identityEvents } = await deletions.purge(
        system("purge", side.id, side.environment),
        keptFor.text,
      );
      return { deletedContacts: contacts, deletedContactsEvents: identityEvents };
    },
  },
  {
    data: "Rows of the change feed",
    tables: ["resource_change"],
    keptFor: new Period(7, "day", "`CHANGES_KEPT_DAYS` of the server, 1 to 90"),
    after: "the change",
    why: "A reader that was away for a week can continue. Rows name ids and states, never what a resource says.",
    per: "side",
    remove: async (tools, side) => ({
      changes: await inBatches(tools, async () => {
        const [row] = await tools.db.transaction(system("sweep", side.id, side.environment), (tx) => {
          tx.changesNothingVisible();
          return tx.query(SWEEP_FEED, { keptFor: `${tools.config.CHANGES_KEPT_DAYS} days`, batch: BATCH });
        });
        return row!.removed;
      }),
    }),
  },
  {
    data: "Deliveries of webhooks, with the start of the receiver's answer",
    tables: ["webhook_delivery", "outbox_message"],
    keptFor: new Period(30, "day"),
    after: "the event",
    why: "They can be read and sent again. They name ids and states, never what a resource says.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      webhookDeliveries:
        (await deleteDue(tools, side, REMOVE_WEBHOOK_DELIVERIES, keptFor)) +
        (await tools.webhooks.removeDeliveriesOfDeleted(system("sweep", side.id, side.environment), tools.stopping)),
    }),
  },
  {
    data: "Answers kept for repeats with the same Idempotency-Key",
    tables: ["idempotency_key"],
    keptFor: new Period(25, "hour"),
    after: "the request",
    why: "A repeat within 24 hours gets the first answer; the hour is for one that is under way.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      idempotencyKeys: await deleteDue(tools, side, REMOVE_IDEMPOTENCY_KEYS, keptFor),
    }),
  },
  {
    data: "What mails came by webhook: hashes, and tokens that a provider signed",
    tables: ["mail_delivery", "mail_token"],
    keptFor: new Period(2, "day"),
    after: "the webhook",
    why: "A signature is refused after a day. Later, a mail that comes again is known by its Message-ID.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      mailDeliveries: await deleteDue(tools, side, REMOVE_MAIL_DELIVERIES, keptFor),
      mailTokens: await deleteDue(tools, side, REMOVE_MAIL_TOKENS, keptFor),
    }),
  },
  {
    data: "Drafts",
    tables: ["draft"],
    keptFor: new Period(90, "day"),
    after: "the last change",
    why: "Nobody comes back to them, and they hold what somebody thought of writing.",
    per: "side",
    remove: async (tools, side, keptFor) => ({ drafts: await deleteDue(tools, side, REMOVE_DRAFTS, keptFor) }),
  },
  {
    data: "Bulk actions, with what could not be changed",
    tables: ["bulk_action"],
    keptFor: new Period(30, "day"),
    after: "the request",
    why: "Their result can be read. They name ids and labels.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      bulkActions: await deleteDue(tools, side, REMOVE_BULK_ACTIONS, keptFor),
    }),
  },
  {
    data: "What the assistant did, with what it was asked",
    tables: ["assistant_run", "assistant_step", "procedure_run"],
    keptFor: new Period(90, "day"),
    after: "the message",
    why: "It can be seen why the assistant answered as it did. The messages themselves stay.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      assistantRuns: await deleteDue(tools, side, REMOVE_ASSISTANT_RUNS, keptFor),
    }),
  },
  {
    data: "Which entries were suggested to operators, and what came of it",
    tables: ["suggestion"],
    keptFor: new Period(90, "day"),
    after: "the suggestion",
    why: "It can be seen what fitted. What an entry was good for stays in its counts.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      suggestions: await deleteDue(tools, side, REMOVE_SUGGESTIONS, keptFor),
    }),
  },
  {
    data: "Pending actions that are over, with who decided what",
    tables: ["pending_action"],
    keptFor: new Period(90, "day"),
    after: "the agent asked",
    why: "It can be seen what people decided. Who decided stays in the audit log.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      pendingActions: await deleteDue(tools, side, REMOVE_PENDING_ACTIONS, keptFor),
    }),
  },
  {
    data: "What the assistant missed and people answered, without personal data",
    tables: ["learning_evidence"],
    keptFor: new Period(90, "day"),
    after: "the resolution",
    why: "The same question of another contact makes a proposal. The entry that comes of it stays.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      learningEvidence: await deleteDue(tools, side, REMOVE_LEARNING_EVIDENCE, keptFor),
    }),
  },
  {
    data: "Where a visitor wrote from who did not prove who they are, as a keyed hash",
    tables: ["learning_origin"],
    keptFor: new Period(90, "day"),
    after: "the conversation began",
    why: "One visitor in several sessions counts once where questions are learned.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      learningOrigins: await deleteDue(tools, side, REMOVE_LEARNING_ORIGINS, keptFor),
    }),
  },
  {
    data: "Magic links",
    tables: ["magic_link"],
    keptFor: new Period(1, "day"),
    after: "they expired",
    why: "Until then a late click is told from one on an unknown link.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      magicLinks: await deleteDue(tools, side, REMOVE_MAGIC_LINKS, keptFor),
    }),
  },
  {
    data: "One-time codes",
    tables: ["one_time_code"],
    keptFor: new Period(1, "day"),
    after: "they expired",
    why: "They count towards the limit of codes a day, and a late code is told from an unknown one.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      oneTimeCodes: await deleteDue(tools, side, REMOVE_ONE_TIME_CODES, keptFor),
    }),
  },
  {
    data: "eID requests",
    tables: ["eid_request"],
    keptFor: new Period(1, "day"),
    after: "they ended",
    why: "Their result stays as an identity event.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      eidRequests: await deleteDue(tools, side, REMOVE_EID_REQUESTS, keptFor),
    }),
  },
  {
    data: "Sessions of the web chat",
    tables: ["webchat_session"],
    keptFor: new Period(30, "day"),
    after: "their last token expired",
    why: "A browser that comes back within 30 days goes on in its conversation.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      webchatSessions: await inBatches(tools, () =>
        tools.db.transaction(system("sweep", side.id, side.environment), (tx) =>
          tools.webchat.removeExpired(tx, keptFor.text, BATCH),
        ),
      ),
    }),
  },
  {
    data: "Sessions of members",
    tables: ["member_session"],
    keptFor: new Period(76, "day"),
    after: "they expired",
    why: "Members are told of a sign-in with a device that none of their sessions of 90 days had.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      memberSessions: await deleteDue(tools, side, REMOVE_MEMBER_SESSIONS, keptFor),
    }),
  },
  {
    data: "Sign-ins that wait for a second factor",
    tables: ["pending_sign_in"],
    keptFor: new Period(1, "day"),
    after: "they expired",
    why: "An expired one is refused at once; its row is no longer needed.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      pendingSignIns: await deleteDue(tools, side, REMOVE_PENDING_SIGN_INS, keptFor),
    }),
  },
  {
    data: "Links that were mailed to members to prove an email or set a password",
    tables: ["member_link"],
    keptFor: new Period(1, "day"),
    after: "they expired",
    why: "They limit how many are mailed within an hour.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      memberLinks: await deleteDue(tools, side, REMOVE_MEMBER_LINKS, keptFor),
    }),
  },
  {
    data: "Names and email addresses of removed members",
    tables: ["member"],
    keptFor: new Period(24, "month"),
    after: "the removal",
    why: "As long as the audit log names the member's id, it can be shown who that was.",
    per: "side",
    remove: async (tools, side, keptFor) => ({
      removedMembers: await deleteDue(tools, side, FORGET_REMOVED_MEMBERS, keptFor),
    }),
  },
  {
    data: "Uploads that were not attached to a message",
    tables: ["attachment"],
    keptFor: new Period(24, "hour"),
    after: "the upload",
    why: "An upload waits that long for its message. A draft keeps the files that it names.",
    per: "side",
    remove: async ({ attachments }, side, keptFor) => ({
      attachments: await attachments.removeUnattached(system("attachments", side.id, side.environment), keptFor.text),
    }),
  },
  {
    data: "Files of attachments without a row",
    tables: [],
    keptFor: new Period(1, "day"),
    after: "they were written",
    why: "Left by a process that was killed during an upload. A younger one may still get its row.",
    per: "side",
    remove: async ({ attachments }, side, keptFor) => ({
      strayFiles: await attachments.removeStrays(system("attachments", side.id, side.environment), keptFor.ago()),
    }),
  },
  {
    data: "Failed sign-ins of email and client addresses, hashed",
    tables: ["login_attempt"],
    keptFor: new Period(1, "day"),
    after: "the first of them",
    why: "They limit guesses within 15 minutes.",
    per: "installation",
    remove: async ({ db }, keptFor) => ({ loginAttempts: await countRemoved(db, REMOVE_LOGIN_ATTEMPTS, keptFor) }),
  },
  {
    data: "Request counts of client addresses",
    tables: ["rate_window"],
    keptFor: new Period(1, "day"),
    after: "the minute that they count",
    why: "They limit requests within one minute.",
    per: "installation",
    remove: async ({ db }, keptFor) => ({ rateWindows: await countRemoved(db, REMOVE_RATE_WINDOWS, keptFor) }),
  },
  {
    data: "Busy times read from connected calendars",
    tables: ["calendar_event", "calendar_busy"],
    keptFor: new Period(8, "day"),
    after: "they ended, at the most",
    why: "The calendar is listed anew once a week, from yesterday on; what is not in the new list is removed.",
    per: "elsewhere",
    by: "src/calendar/sync/connection-sync.ts",
  },
];
