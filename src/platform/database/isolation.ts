/**
 * How each table is isolated. A table that is not listed here belongs to one tenant and to its live or test side: its
 * keys start with `tenant_id`, and row-level security is forced. A test compares this list with the database.
 */
export const ORGANISATION_TABLES: Readonly<Record<string, string>> = {
  member: "shared by the live and the test side of a tenant: keys begin with organisation_id",
  member_link: "of a member: keys begin with organisation_id",
  member_session: "of a member: keys begin with organisation_id",
  member_preferences: "of a member, on both sides: keys begin with organisation_id",
  push_subscription: "of a member, on both sides: keys begin with organisation_id",
  second_factor: "as member_session",
  recovery_code: "as member_session",
  pending_sign_in: "as member_session",
};

/**
 * These tables have no row-level security, because they are read before a tenant is known or for all tenants
 * together. They hold no content. The exceptions are the four search tables, on which the application's role has no
 * rights.
 */
export const GLOBAL_TABLES: Readonly<Record<string, string>> = {
  tenant: "the list of tenants itself",
  api_key_lookup: "a key arrives before its tenant is known: hash and ids",
  widget_lookup: "a page knows a widget by its public key: key and ids",
  member_email: "a sign-in arrives before its tenant is known: email and ids",
  member_identity: "a token of an external issuer arrives before its tenant is known: the issuer's ids and ours",
  login_attempt: "failed sign-ins of emails and client addresses, hashed, that may belong to nobody",
  rate_window: "request counts of client addresses, before anybody is known",
  channel_lookup: "a webhook arrives before its tenant is known: ids",
  channel_due: "the job makes ready the channels of all tenants: ids and times",
  mailbox_lease: "the processes share the mailboxes of all tenants: ids and times",
  calendar_due: "the processes share the connections of all tenants: ids and times",
  outbox_queue: "the worker claims for all tenants at once: ids and times",
  webhook_due: "the dispatcher reads the feeds of all tenants: ids, times and positions",
  notice_due: "the dispatcher reads the feeds of all tenants: ids, times and positions",
  unread_mention: "the job mails the members of all tenants: ids and times",
  eid_due: "the job looks after the requests of all tenants: ids, times and an interval",
  assurance_due: "the job lowers the levels of all tenants: ids and times",
  report_day_until: "the job packs the days of all tenants: ids and days",
  report_day_change: "as report_day_until",
  outcome: "the job counts for all tenants at once: ids and numbers",
  bulk_action_due: "the job works on the actions of all tenants: ids and times",
  assistant_due: "the job works on the conversations of all tenants: ids and times",
  pending_action_due: "the job carries out the actions of all tenants: ids and times",
  learning_due: "the job looks at the conversations of all tenants: ids, positions and times",
  source_due: "the job reads the sources of all tenants: ids and times",
  site_reading: "a site is read for one tenant at a time: hosts and times",
  assistant_test_due: "the job plays the tests of all tenants: ids and times",
  snooze_due: "the job opens the conversations of all tenants: ids and times",
  csat_due: "the job asks the contacts of all tenants: ids and times",
  attachment_removal: "files are removed for all tenants at once: ids only",
  purge_queue: "the purge works for all tenants at once: ids only",
  release_queue: "the release works for all tenants at once: ids and times",
  search_entry:
    "row-level security would keep words from their index: read by search_conversations alone, which takes the tenant from the setting",
  search_word: "as search_entry",
  directory_entry: "as search_entry; read by search_directory alone",
  case_entry: "as search_entry; read by search_cases alone",
  derived_repair: "the job repairs for all tenants at once: ids and counts",
  home: "it says on which server a tenant is: ids and names of servers",
  reservation: "what one tenant of all servers may have: hashes and ids",
  job_run: "the schedule of the whole installation",
  migrations: "the schema itself",
  schema_object: "the schema itself: checksums of its .sql files",
};
