// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "./database/row-types.js";

declare module "./database/row-types.js" {
  interface Statements {
    "database.beginAsNewTenant": {
      args: { action: string; actor: string; lockTimeout: string; tenantId: string };
      row: { ready: boolean; set_config?: string };
    };
    "database.beginAsTenant": {
      args: { action: string; actor: string; lockTimeout: string; tenantId: string };
      row: { ready: boolean; set_config?: string };
    };
    "database.deriveLater": { args: {}; row: { set_config?: string } };
    "database.hold": { args: { server: string; tenantId: string }; row: { here?: boolean } };
    "database.tryLock": { args: { lock: string }; row: { locked?: boolean } };
    "database.unlock": { args: { lock: string }; row: { pg_advisory_unlock?: boolean } };
    "derived.claim": {
      args: { free: number; held: readonly (number | null)[]; limit: number; tenants: readonly (string | null)[] };
      row: { tenantId: string; id: string; kind: string };
    };
    "derived.lag": { args: {}; row: { seconds?: number } };
    "derived.repair": { args: { id: string }; row: { kind?: string } };
    "idempotency.claim": { args: { bodyHash: Buffer; fingerprint: Buffer }; row: { claimed: boolean } };
    "idempotency.find": {
      args: { fingerprint: Buffer };
      row: { bodyHash: Buffer; status: number | null; response: string | null };
    };
    "idempotency.store": { args: { fingerprint: Buffer; response: string; status: number }; row: {} };
    "jobs.lookAtClock": { args: {}; row: { seconds?: number } };
    "outbox.addAllCaptured": {
      args: {
        channel: string;
        channelId: string;
        conversationId: string;
        ids: readonly (string | null)[];
        kind: string;
        position: number;
        receiver: string;
        recipients: readonly (Buffer | null)[];
        sealed: readonly (Buffer | null)[];
        status: string;
      };
      row: {};
    };
    "outbox.addAllQueued": {
      args: {
        channel: string;
        channelId: string;
        conversationId: string;
        ids: readonly (string | null)[];
        kind: string;
        position: number;
        receiver: string;
        recipients: readonly (Buffer | null)[];
        sealed: readonly (Buffer | null)[];
        status: string;
      };
      row: {};
    };
    "outbox.addCaptured": {
      args: {
        channel: string;
        channelId: string;
        conversationId: string;
        id: string;
        kind: string;
        position: number;
        receiver: string;
        recipient: Buffer;
        sealed: Buffer;
        status: string;
      };
      row: {};
    };
    "outbox.addCapturedHeld": {
      args: {
        channel: string;
        channelId: string;
        conversationId: string;
        holdSeconds: number;
        id: string;
        kind: string;
        position: number;
        receiver: string;
        recipient: Buffer;
        sealed: Buffer;
        status: string;
      };
      row: {};
    };
    "outbox.addQueued": {
      args: {
        channel: string;
        channelId: string;
        conversationId: string;
        holdSeconds: number;
        id: string;
        kind: string;
        position: number;
        receiver: string;
        recipient: Buffer;
        sealed: Buffer;
        status: string;
      };
      row: {};
    };
    "outbox.beginAttempt": {
      args: { id: string; leaseSeconds: number; until: Date | string };
      row: { sealed: Buffer | null; attempts: number | null; triedAt: Date | null; wasHeld: boolean; entry?: Json };
    };
    "outbox.claimDue": {
      args: {
        free: number;
        held: readonly (number | null)[];
        kinds: readonly (string | null)[];
        leaseSeconds: number;
        limit: number;
        onTheWay: readonly (number | null)[];
        perReceiver: number;
        receivers: readonly (string | null)[];
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string; receiver: string; until: string };
    };
    "outbox.deleteSentTo": {
      args: { conversationIds: readonly (string | null)[]; recipients: readonly (Buffer | null)[] };
      row: { "?column?": number };
    };
    "outbox.depth": { args: {}; row: { kind: string; waiting: number; parked: number; age?: number } };
    "outbox.findReferences": { args: { references: readonly (string | null)[] }; row: { reference: string } };
    "outbox.lag": { args: { kinds: readonly (string | null)[] }; row: { seconds?: number } };
    "outbox.markSent": { args: { id: string; reference: string }; row: { "?column?": number } };
    "outbox.park": { args: { id: string }; row: {} };
    "outbox.postpone": { args: { conversationId: string; id: string; position: number; seconds: number }; row: {} };
    "outbox.resumeChannel": { args: { channelId: string }; row: {} };
    "outbox.retryDead": { args: { id: string }; row: { status: string; kind: string; conversationId: string | null } };
    "outbox.withdraw": { args: { id: string }; row: { "?column?": number } };
    "outcomes.countBatch": {
      args: { limit: number | string };
      row: { workspaceId: string; metric: string; entityType: string; entityId: string; taken?: number };
    };
    "outcomes.countEntity": {
      args: { entityId: string; entityType: string; metric: string; workspaceId: string };
      row: { workspaceId: string; metric: string; entityType: string; entityId: string; taken?: number };
    };
    "outcomes.record": { args: { outcomes: string }; row: {} };
    "outcomes.settle": { args: { entityId: string; entityType: string; metric: string; workspaceId: string }; row: {} };
    "outcomes.tryTurn": { args: {}; row: { mine?: boolean } };
    "outcomes.waitForTurn": { args: {}; row: { pg_advisory_xact_lock?: string } };
    "outcomes.waitingTenants": { args: {}; row: { id: string; environment: string } };
    "rateLimit.takeLease": {
      args: { client: string; limit: number; seconds: number; want: number };
      row: { granted: number; lastGrant: number; endsIn?: number };
    };
    "storedAnswers.forget": {
      args: { before: Date | string; ids: readonly (string | null)[] };
      row: { "?column?": number };
    };
  }
}
