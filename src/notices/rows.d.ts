// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "../platform/database/row-types.js";

declare module "../platform/database/row-types.js" {
  interface Statements {
    "mentions.claim": {
      args: {
        free: number;
        held: readonly (number | null)[];
        leaseSeconds: number;
        limit: number;
        tenants: readonly (string | null)[];
      };
      row: { tenantId: string; id: string; environment: string; until: string };
    };
    "mentions.lag": { args: {}; row: { seconds?: number } };
    "mentions.mail": {
      args: { conversationId: string; memberId: string; sequence: number };
      row: { email: string; memberName: string; preferences: Json | null; contact?: string; notes: Json };
    };
    "notices.claim": {
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
    "notices.details": {
      args: {
        conversationIds: readonly (string | null)[];
        ids: readonly (string | null)[];
        times: readonly (Date | string | null)[];
        types: readonly (string | null)[];
      };
      row: { id?: string; sequence: number | null; conversation?: Json; by?: string; viewers: string[] };
    };
    "notices.lag": { args: {}; row: { seconds?: number } };
    "notices.recipients": {
      args: {};
      row: { memberId: string; preferences: Json | null; workspaceIds?: string[]; devices: Json };
    };
    "notices.release": { args: { seconds: number; until: Date | string }; row: {} };
    "notices.rememberMentions": {
      args: {
        conversationIds: readonly (string | null)[];
        ids: readonly (string | null)[];
        memberIds: readonly (string | null)[];
        sequences: readonly (number | null)[];
        times: readonly (Date | string | null)[];
        waitSeconds: number;
      };
      row: {};
    };
    "notices.sides": { args: {}; row: { tenantId: string } };
    "notices.toSend": {
      args: { conversationId: string; id: string };
      row: {
        sealed: Buffer;
        organisationId: string;
        language: string;
        preferences: Json | null;
        name?: string;
        subject: string | null;
        summary: string | null;
        preview: string | null;
      };
    };
    "notices.wake": { args: { tenantIds: readonly (string | null)[] }; row: {} };
    "push.count": { args: { memberId: string }; row: { count: number } };
    "push.lockMember": { args: { memberId: string }; row: { id: string } };
    "push.subscribe": {
      args: {
        device: string;
        endpointHash: Buffer;
        id: string;
        keysHash: Buffer;
        language: string;
        max: number;
        memberId: string;
        sealed: Buffer;
        sessionId: string;
      };
      row: { id: string };
    };
  }
}
