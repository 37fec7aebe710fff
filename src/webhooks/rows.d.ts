// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
export {};

declare module "../platform/database/row-types.js" {
  interface Statements {
    "webhooks.activeEndpoints": {
      args: {};
      row: { id: string; url: string; events: string[]; activeAfter: string; activeEpoch: string; wanted: boolean };
    };
    "webhooks.claim": {
      args: {
        free: number;
        held: readonly (number | null)[];
        leaseSeconds: number;
        limit: number;
        tenants: readonly (string | null)[];
      };
      row: {
        tenantId: string;
        id: string;
        environment: string;
        transactionId: string;
        position: string;
        epoch: string;
        until: string;
      };
    };
    "webhooks.countEndpoints": { args: {}; row: { count: number } };
    "webhooks.deliveryState": { args: { id: string }; row: { status: string; endpointStatus: string } };
    "webhooks.findToSend": {
      args: { deliveryId: string };
      row: { endpointId: string; eventId: string; url: string; status: string; sealed: Buffer; overlaps: boolean };
    };
    "webhooks.lag": { args: {}; row: { seconds?: number } };
    "webhooks.noteFailure": { args: { gone: boolean; id: string }; row: { url: string; status: string } };
    "webhooks.owners": { args: {}; row: { email: string } };
    "webhooks.recordAttempt": {
      args: { attempt: string; outboxId: string; status: string };
      row: { endpointId: string };
    };
    "webhooks.release": { args: { seconds: number; until: Date | string }; row: {} };
    "webhooks.removeDeliveriesOfDeleted": { args: { batch: number }; row: { "?column?": number } };
    "webhooks.requeue": {
      args: { id: string; outboxId: string };
      row: { id: string; outboxId: string; endpointId: string; url: string; type: string; body: string };
    };
    "webhooks.requeueFailed": {
      args: { endpointId: string; outboxIds: readonly (string | null)[]; since: Date | string };
      row: { id: string; outboxId: string; type: string; body: string };
    };
    "webhooks.sides": { args: {}; row: { tenantId: string } };
    "webhooks.start": { args: { epoch: string; position: number | string; transactionId: number | string }; row: {} };
    "webhooks.updateEndpoint": {
      args: {
        description: string;
        events: readonly (string | null)[];
        id: string;
        setsDescription: boolean;
        status: string;
        url: string;
      };
      row: { "?column?": number };
    };
    "webhooks.wake": { args: { tenantIds: readonly (string | null)[] }; row: {} };
  }
}
