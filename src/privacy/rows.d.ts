// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
import type { Json } from "../platform/database/row-types.js";

declare module "../platform/database/row-types.js" {
  interface Statements {
    "erasures.findBack": { args: { contactIds: readonly (string | null)[] }; row: { id: string } };
    "erasures.findCertificates": {
      args: { after: string; limit: number | string; period: string };
      row: { id: string; certificate: Json };
    };
    "erasures.findTombstones": {
      args: { after: string; limit: number | string };
      row: { id: string; erasedAt: string; recent?: boolean };
    };
    "erasures.now": { args: {}; row: { completedAt?: string } };
  }
}
