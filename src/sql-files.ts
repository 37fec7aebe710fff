/**
 * Functions and triggers. Each file holds the current definition of what it creates. It is applied after the
 * migrations whenever it has changed. List a file after the files whose functions it needs when it is applied. This
 * concerns functions in the language `sql` and indexes.
 */
const FILES = [
  "platform/database/acting-role.sql",
  "platform/database/homes.sql",
  "platform/derived/derived.sql",
  "audit/audit-log.sql",
  "audit/audit-triggers.sql",
  "auth/reserve-known.sql",
  "auth/security-log/security-log.sql",
  "workspaces/tenants/reseal-signing-key.sql",
  "conversations/search/search-words.sql",
  "conversations/search/search-index.sql",
  "conversations/search/search-conversations.sql",
  "conversations/cases/search-cases.sql",
  "contacts/directory-index.sql",
  "contacts/list-order.sql",
  "contacts/search-directory.sql",
  "contacts/blocked-contacts.sql",
  "conversations/open-workspaces.sql",
  "conversations/assignees.sql",
  "conversations/labels.sql",
  "conversations/attention/end-attention.sql",
  "conversations/copied-columns.sql",
  "conversations/attachments/attachment-removal.sql",
  "conversations/consumption/count-messages.sql",
  "identity/events/append-only.sql",
  "knowledge/review/search-terms.sql",
  "knowledge/kb-entries/kb-index.sql",
  "knowledge/policies/policy-index.sql",
  "knowledge/agents/platform-agents.sql",
  "channels/email/mailbox-leases.sql",
  "quality/csat/csat-due.sql",
  "quality/outcomes.sql",
  "quality/reports/report-times.sql",
  "assistant/tools/open-questions.sql",
  "assistant/waits.sql",
  "assistant/procedures/procedure-ends.sql",
  "learning/learning.sql",
  "learning/rehearsal/rehearsal.sql",
  "maintenance/purge-workspace.sql",
  "feed/feed-triggers.sql",
  "notices/notices.sql",
];

export const SQL_FILES: readonly URL[] = FILES.map((file) => new URL(file, import.meta.url));
