// Written by `npm run rows`: what PostgreSQL says of this folder's statements.
export {};

declare module "../platform/database/row-types.js" {
  interface Statements {
    "erasures.findTombstones": {
      args: { after: string; limit: number | string };
      row: { id: string; erasedAt: string; recent?: boolean };
    };
    "erasures.now": { args: {}; row: { completedAt?: string } };
  }
}
