// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
export {};

declare module "../platform/database/row-types.js" {
  interface Statements {
    "daily.clock": { args: {}; row: { time?: string } };
    "daily.is-due": { args: { job: string }; row: { due?: boolean } };
    "daily.last-run": { args: { job: string }; row: { finished?: number; seconds?: number } };
    "daily.record-run": { args: { job: string; result: string; started: Date | string }; row: {} };
    "daily.sides": { args: {}; row: { id: string; environment: string } };
    "former-members.find-assigned": { args: { memberId: string }; row: { id: string } };
    "former-members.leave-queue": { args: { memberId: string; queuedAt: Date | string; tenantId: string }; row: {} };
    "former-members.queue": { args: {}; row: { tenantId: string; memberId: string; queuedAt: string } };
    "former-members.unassign": { args: { ids: readonly (string | null)[]; memberId: string }; row: {} };
    "health.countMigrations": { args: {}; row: { done: number } };
    "purge.batch": { args: { batch: number; workspaceId: string }; row: { more?: boolean } };
    "purge.queue": { args: {}; row: { tenantId: string; workspaceId: string } };
    "retention.assistant-runs": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.bulk-actions": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.drafts": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.eid-requests": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.idempotency-keys": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.learning-evidence": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.learning-origins": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.login-attempts": { args: { keptFor: string }; row: { "?column?": number } };
    "retention.magic-links": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.mail-deliveries": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.mail-tokens": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.member-links": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.member-sessions": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.one-time-codes": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.pending-actions": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.pending-sign-ins": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.preview-identity-events": {
      args: {};
      row: { tenantId: string; workspaceId: string; workspace: string; identityEvents: number; oldest?: string };
    };
    "retention.rate-windows": { args: { keptFor: string }; row: { "?column?": number } };
    "retention.removed-members": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.suggestions": { args: { batch: number | string; keptFor: string }; row: { "?column?": number } };
    "retention.sweep-audit-log": { args: { batch: number }; row: { removed?: number } };
    "retention.sweep-identity-events": {
      args: { after: Date | string; batch: number; workspaceId: string };
      row: { removed?: number; reached?: string };
    };
    "retention.sweep-security-log": { args: { batch: number }; row: { removed?: number } };
    "retention.webhook-deliveries": { args: { batch: number | string; keptFor: string }; row: {} };
    "retention.workspaces": { args: {}; row: { id: string } };
    "rotateKeys.find calendar_connection": {
      args: { batch: number; newest: Buffer; skip: number };
      row: { id: string; server_url: string; old?: string };
    };
    "rotateKeys.find channel": {
      args: { batch: number; newest: Buffer; skip: number };
      row: { id: string; old?: string };
    };
    "rotateKeys.find channel tokens": {
      args: { batch: number; newest: Buffer; skip: number };
      row: { id: string; old?: string };
    };
    "rotateKeys.find eid_request": {
      args: { batch: number; newest: Buffer; skip: number };
      row: { id: string; old?: string };
    };
    "rotateKeys.find eid_scheme": {
      args: { batch: number; newest: Buffer; skip: number };
      row: { workspace_id: string; name: string; old?: string };
    };
    "rotateKeys.find outbox_message": {
      args: { batch: number; newest: Buffer; skip: number };
      row: { id: string; old?: string };
    };
    "rotateKeys.find push_subscription": {
      args: { batch: number; newest: Buffer; skip: number };
      row: { id: string; old?: string };
    };
    "rotateKeys.find second_factor": {
      args: { batch: number; newest: Buffer; skip: number };
      row: { id: string; old?: string };
    };
    "rotateKeys.find signing_key": {
      args: { batch: number; newest: Buffer; skip: number };
      row: { id: string; old?: string };
    };
    "rotateKeys.find tool": {
      args: { batch: number; newest: Buffer; skip: number };
      row: { id: string; old?: string };
    };
    "rotateKeys.find verification_source": {
      args: { batch: number; newest: Buffer; skip: number };
      row: { workspace_id: string; name: string; old?: string };
    };
    "rotateKeys.find webhook_endpoint": {
      args: { batch: number; newest: Buffer; skip: number };
      row: { id: string; old?: string };
    };
    "rotateKeys.replace calendar_connection": { args: { rows: string }; row: { "?column?": number } };
    "rotateKeys.replace channel": { args: { rows: string }; row: { "?column?": number } };
    "rotateKeys.replace channel tokens": { args: { rows: string }; row: { "?column?": number } };
    "rotateKeys.replace eid_request": { args: { rows: string }; row: { "?column?": number } };
    "rotateKeys.replace eid_scheme": { args: { rows: string }; row: { "?column?": number } };
    "rotateKeys.replace outbox_message": { args: { rows: string }; row: { "?column?": number } };
    "rotateKeys.replace push_subscription": { args: { rows: string }; row: { "?column?": number } };
    "rotateKeys.replace second_factor": { args: { rows: string }; row: { "?column?": number } };
    "rotateKeys.replace tool": { args: { rows: string }; row: { "?column?": number } };
    "rotateKeys.replace verification_source": { args: { rows: string }; row: { "?column?": number } };
    "rotateKeys.replace webhook_endpoint": { args: { rows: string }; row: { "?column?": number } };
    "rotateKeys.replaceSigningKeys": { args: { rows: string }; row: {} };
    "rotateKeys.sides": { args: {}; row: { id: string; environment: string } };
  }
}
